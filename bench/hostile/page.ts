import { machine } from '../machine.js';
import type { Holds } from './monitor.js';

/** What one hostile request cost; times in ms. */
export interface Figure extends Holds {
  readonly kind: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** One row for each kind: its longest holds, and the route of the longest. */
function table(figures: readonly Figure[]): string {
  const kinds = [...new Set(figures.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const own = figures.filter((figure) => figure.kind === kind);
    const worst = own.reduce((a, b) => (b.computed > a.computed ? b : a));
    const statuses = [...new Set(own.map(({ status }) => status))].sort((a, b) => a - b).join(', ');
    const most = (pick: (figure: Figure) => number) => round(Math.max(...own.map(pick)));
    return `| ${kind} | ${own.length} | ${statuses} | ${most(({ ms }) => ms)} | ${most(({ clock }) => clock)} | ${round(worst.computed)} | \`${worst.path}\` |`;
  });
  return [
    '| Kind | Requests | Answers | Slowest answer, ms | Longest hold, ms | of it computed, ms | by |',
    '|---|--:|---|--:|--:|--:|---|',
    ...rows,
  ].join('\n');
}

/** The table, and the latency of health beside it. */
export function summary(figures: readonly Figure[], times: readonly number[]): string {
  const at = (share: number) => round(times[Math.floor(share * (times.length - 1))] ?? 0);
  const held = figures.filter(({ computed }) => computed > 50).length;
  return [
    table(figures),
    '',
    `Health, asked ${times.length} times meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms.`,
    `Requests that held the event loop for more than 50 ms of processor time: ${held} of ${figures.length}.`,
  ].join('\n');
}

/** The page of the documentation. */
export function page(figures: readonly Figure[], times: readonly number[]): string {
  return `# Hostile input

\`npm run bench:hostile\` sends every hostile kind to every route that reads it, ten megabytes each, one after another, while
health is asked every few milliseconds. A hold is the longest time in which the event loop took nothing else up; on a busy
machine the clock also counts what other processes computed, so the processor time of the thread stands beside it. The goal:
health under 20 ms for 99 of 100 on an idle machine, no hold of 50 ms.

${summary(figures, times)}

Before these kinds were mended, on a busy machine of two cores: one rule of 1 MB took 3.5 s, of 9 MB 27 s, of distinct words
115 s; a description of 1 MB 3 s; a body of 300,000 keys 3 to 9 s; a learner context of 400,000 keys 29 s; Markdown of 2 MB of
opening brackets 16 s of processor; an HTML table of many cells 22 s; 1,500 pipelined reads of the status held the event loop
for 7 s, 400 reads of rules for 12 s, 10 MB of half surrogate pairs at \`/mcp\` for 208 ms.

${machine()} The service, who asks for health and who sends are three processes of it.
`;
}
