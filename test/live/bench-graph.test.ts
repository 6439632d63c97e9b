import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** The parts that need real servers, at a hundredth of their size: they complete; figures are nobody's concern here. */
it.each([
  ['networks', ['--networks', 'ca-GrQc']],
  ['queries over HTTP', ['--queries', '200']],
])('the graph benchmark completes on Neo4j: %s', (_part, args) => {
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'bench/graph.ts', '--quick', ...args], {
    encoding: 'utf8',
  });
  expect(`${run.status} ${run.stderr}`).toMatch(/^0 /);
  expect(run.stdout).toContain('"p50"');
});
