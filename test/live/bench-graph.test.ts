import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

/** The parts that need real servers, at a hundredth of their size: they complete; figures do not matter here. */
it.each([
  ['networks', ['--networks', 'ca-GrQc']],
  ['queries over HTTP', ['--queries', '200']],
])(
  'the graph benchmark completes on Neo4j: %s',
  async (_part, args) => {
    const run = spawn(process.execPath, ['--import', 'tsx', 'bench/graph.ts', '--quick', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, complaints, [status]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
    expect(`${status} ${complaints}`).toMatch(/^0 /);
    expect(out).toContain('"p50"');
  },
  1_200_000,
);
