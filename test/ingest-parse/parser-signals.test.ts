import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { runParser } from '../../src/ingest/parse/worker/pool.js';

/** Returns the fields of a process's line in /proc after its name: its state, its parent, its group. */
const statOf = (pid: number): string[] => {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
};

/** Returns the parsers of this process. */
function parsers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isOurs = Number(statOf(pid)[1]) === process.pid;
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parser.js');
      } catch {
        return false; // It ended meanwhile.
      }
    });
}

it('goes on with a document when a terminal or a supervisor signals the service and its children', async () => {
  const document = { type: 'html', name: 'a.html', bytes: Buffer.from('<p>words</p>'.repeat(1000)) } as const;
  // Another test file in this process may have left an idle one.
  const before = new Set(parsers());
  const ours = () => parsers().filter((one) => !before.has(one));
  await parse(document);
  const [pid, ...others] = ours();
  expect([pid, others]).toEqual([expect.any(Number), []]);
  // The parser leads a group of its own: Ctrl-C, which goes to the service's group, does not reach it.
  expect(Number(statOf(pid!)[2])).toBe(pid);
  const job = { type: 'html', bytes: Buffer.from('<p>some words of a paragraph</p>'.repeat(50_000)) } as const;
  const parsing = runParser(job);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal);
  expect((await parsing).parts).not.toEqual([]);
  expect(ours()).toEqual([pid]);
});
