import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { startWorld, type World } from '../mcp/world.js';

const RUNNER = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const HOOK = './scripts/live/conformance-hook.js';
/** Scenarios of each revision that are about any server, not about the runner's example tools: they pass. */
const GENERIC: ReadonlyArray<readonly [revision: string, scenarios: readonly string[]]> = [
  ['2025-06-18', ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list']],
  [
    '2025-11-25',
    [
      'server-initialize',
      'server-session-lifecycle',
      'ping',
      'tools-list',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
    ],
  ],
  [
    '2026-07-28',
    [
      'tools-list',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
    ],
  ],
];

let world: World;
let output: string;
beforeAll(async () => {
  world = await startWorld();
  output = mkdtempSync(join(tmpdir(), 'svc-conformance-'));
});
afterAll(async () => {
  await world?.close();
  rmSync(output, { recursive: true, force: true });
});

function run(...options: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(
    process.execPath,
    ['--import', HOOK, RUNNER, 'server', '--url', `${world.a}/mcp`, '-o', output, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) =>
    child.once('exit', (code) => resolve({ code: code ?? 1, text: Buffer.concat(chunks).toString() })),
  );
}

describe('the official conformance runner', () => {
  it.each(GENERIC)('finds on revision %s only the failures that are expected', async (revision, scenarios) => {
    const { code, text } = await run(
      '--suite',
      'all',
      '--spec-version',
      revision,
      '--expected-failures',
      'test/live/conformance-expected.yaml',
    );
    expect([code, code === 0 ? '' : text.slice(-3000)]).toEqual([0, '']);
    for (const scenario of scenarios) expect(text).toMatch(new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`));
  });

  it('fails of the checks on the stateless revision only those that call the example tools', async () => {
    const { text } = await run('--scenario', 'server-stateless', '--spec-version', '2026-07-28', '--verbose');
    const failed = [...text.matchAll(/"id": "([^"]+)",(?:(?!"id")[\s\S])*?"status": "FAILURE"/g)].map((one) => one[1]);
    expect(new Set(failed)).toEqual(
      new Set([
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        // These two need the answer of a tool of the example server; an unknown tool is a protocol error.
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ]),
    );
  });

  it('fails on an expected failure that passes', async () => {
    const { server } = parse(readFileSync('test/live/conformance-expected.yaml', 'utf8')) as { server: string[] };
    const stale = join(output, 'stale.yaml');
    writeFileSync(stale, stringify({ server: [...server, 'ping'] }));
    const { code } = await run('--suite', 'all', '--expected-failures', stale);
    expect(code).not.toBe(0);
  });
});
