/** A document of linked sections, the same for the same number, as `/v1/ingest/text` takes it. */
export function stations(i: number, sections: number) {
  const parts = Array.from({ length: sections }, (_, s) => {
    const next = `Station ${i}-${(s + 1) % sections}`;
    return `# Station ${i}-${s}\n\nStation ${i}-${s} is a weather station on Ridge ${s % 7}. It relays its readings to ${next}. Crews must check Station ${i}-${s} before winter.`;
  });
  return { text: parts.join('\n\n'), domain: 'ridge', format: 'markdown', name: `document ${i}` };
}
