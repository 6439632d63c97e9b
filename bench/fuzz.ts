/**
 * Sends generated requests to every route of both variants, every page that takes a body, and every tool:
 * `npm run bench:fuzz -- [--count 100000] [--seed N] [--write]`. Exits 1 where an answer is a fault (`fuzz/judge.ts`).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FuzzResult, fuzz } from './fuzz/fuzz.js';
import { machine } from './machine.js';

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, write: { type: 'boolean' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`seed ${seed}\n`);
let shown = 0;
const result = await fuzz({
  count: Number(values.count ?? 100_000),
  seed,
  atOnce: 4,
  progress: (sent, faults) => {
    if (sent < shown + 2000) return;
    shown = sent;
    process.stdout.write(
      `${sent} sent, ${faults.length} faults${faults.length === 0 ? '' : `, the last: ${faults.at(-1)}`}\n`,
    );
  },
});
const text = page(result);
process.stdout.write(text);
for (const fault of result.faults.slice(0, 50)) process.stdout.write(`FAULT ${fault}\n`);
if (values.write === true) writeFileSync('docs/benchmarks/fuzz.md', text);
process.exit(result.faults.length === 0 ? 0 : 1);

function page({ sent, distinct, targets, statuses, faults, seconds }: FuzzResult): string {
  const rows = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `| ${status} | ${count} |`);
  return `# Generated requests

\`npm run bench:fuzz\` sends generated requests to every route of both variants, to the pages that take a body, and to every
tool: what the OpenAPI document and the tool list allow, what differs from that in one place, and methods, types, query strings
and bytes that know only the path. A fault is: no answer, a refusal that is not JSON, any 500, a 503 but from a module that is
off or from another server that the request names, a 501 but from an engine that cannot do what was asked, and health that does
not answer afterwards.

${sent} requests (${distinct} different ones) to ${targets} targets, ${statuses.get(500) ?? 0} times 500, ${faults.length} faults, in ${Math.round(seconds)} s, seed ${seed}.

| Status | Answers |
|--:|--:|
${rows.join('\n')}

The error code of a tool's answer counts as its status. ${machine()}
`;
}
