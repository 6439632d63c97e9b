import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Each benchmark at about a hundredth of its size: it completes; its figures do not matter here. */
const RUNS: ReadonlyArray<readonly [script: string, ...args: string[]]> = [
  ['bench/scale.ts', '--concepts', '500', '--queries', '10'],
  ['bench/ingest.ts', '--limit', '40'],
  ['bench/bandit.ts', '--quick'],
  ['bench/feedback.ts', '--quick'],
  ['bench/retrieval/run.ts', '--model', 'static', '--limit', '3'],
  ['bench/text.ts', '200'],
  ['bench/sources.ts', '--quick'],
  ['bench/tools.ts', '--quick'],
  ['bench/hostile.ts', '--quick', '--only', 'a question'],
  ['bench/vectors.ts', '--quick'],
  ['bench/peers.ts', '--quick', '--peers', 'static,memory'],
  ['bench/capacity.ts', '--unit', '50', '--passages', '100'],
  ['bench/graph.ts', '--quick', '--no-neo4j', '--no-igraph'],
];

/** Not with spawnSync: a worker that does not answer its runner for a minute counts as failed. */
function ran(script: string, args: readonly string[], results: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    env: { ...process.env, BENCH_RESULTS: results },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
}

describe('the benchmarks', () => {
  it.each(RUNS)(
    '%s completes',
    async (script, ...args) => {
      const results = mkdtempSync(join(tmpdir(), 'bench-smoke-'));
      try {
        const { code, stdout, stderr } = await ran(script, args, results);
        expect(`${code} ${stderr}`).toMatch(/^0 /);
        expect(stdout.length).toBeGreaterThan(0);
      } finally {
        rmSync(results, { recursive: true, force: true });
      }
    },
    600_000,
  );
});
