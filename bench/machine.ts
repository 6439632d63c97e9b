import { cpus, loadavg, totalmem, type } from 'node:os';

/** Date, machine and how busy it was: the line under every figure. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0]!.toFixed(1);
  const model = cpu?.model.trim() ?? 'processor unknown';
  return `${date}, ${type()}, ${cpus().length} × ${model}, ${memory} GiB, Node ${process.versions.node}, load average ${load} at the end.`;
}
