/** The next start serves within so long, ms, on an idle machine; FAULT_START_MS allows more on a busy one. */
export const START_MS = Number(process.env.FAULT_START_MS ?? 5000);

/** Prints how long starts took after one kind of fault, a row of docs/benchmarks/faults.md. */
export function noteStarts(name: string, starts: readonly number[]): void {
  const sorted = [...starts].sort((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  process.stderr.write(`| ${name} | ${starts.length} | ${median} | ${sorted.at(-1)} |\n`);
}
