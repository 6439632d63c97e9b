/** Returns small documents that name each other: `[name, Markdown]`. */
export function sampleDocuments(count: number): ReadonlyArray<readonly [string, string]> {
  return Array.from({ length: count }, (_, i) => {
    const next = (i * 7 + 3) % count;
    const text = `Lamp ${i} stands on Skarn Ridge. Keeper Mira Voss ${i % 5} lit it before Lamp ${next} was built.`;
    return [`lamp-${i}`, `# Lamp ${i}\n\n${text}`] as const;
  });
}
