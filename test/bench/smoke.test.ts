import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Each benchmark at about a hundredth of its size: it completes; its figures are nobody's concern here. */
const RUNS: ReadonlyArray<readonly [script: string, ...args: string[]]> = [
  ['bench/scale.ts', '--concepts', '500', '--queries', '10'],
  ['bench/ingest.ts', '--limit', '40'],
  ['bench/bandit.ts', '--quick'],
  ['bench/feedback.ts', '--quick'],
  ['bench/retrieval/run.ts', '--model', 'static', '--limit', '3'],
  ['bench/text.ts', '200'],
  ['bench/sources.ts', '--quick'],
  ['bench/tools.ts', '--quick'],
  ['bench/vectors.ts', '--quick'],
  ['bench/graph.ts', '--quick', '--no-neo4j', '--no-igraph'],
];

describe('the benchmarks', () => {
  it.each(RUNS)(
    '%s completes',
    (script, ...args) => {
      const results = mkdtempSync(join(tmpdir(), 'bench-smoke-'));
      try {
        const run = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
          encoding: 'utf8',
          env: { ...process.env, BENCH_RESULTS: results },
        });
        expect(`${run.status} ${run.stderr}`).toMatch(/^0 /);
        expect(run.stdout.length).toBeGreaterThan(0);
      } finally {
        rmSync(results, { recursive: true, force: true });
      }
    },
    600_000,
  );
});
