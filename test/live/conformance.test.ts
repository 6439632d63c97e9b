import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startWorld, type World } from '../mcp/world.js';

const RUNNER = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const HOOK = './scripts/live/conformance-hook.js';
/** What the revision of 2025-06-18 does not know; the runner counts only scenarios that it ran as stale. */
const GENERIC = ['server-initialize', 'ping', 'tools-list'];

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
  it.each(['2025-06-18', '2025-11-25'])(
    'finds on revision %s only the failures that are expected',
    async (revision) => {
      const { code, text } = await run(
        '--suite',
        'all',
        '--spec-version',
        revision,
        '--expected-failures',
        'test/live/conformance-expected.yaml',
      );
      expect([code, code === 0 ? '' : text.slice(-3000)]).toEqual([0, '']);
      for (const scenario of GENERIC) expect(text).toMatch(new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`));
    },
  );

  it('finds protection against DNS rebinding', async () => {
    const { code, text } = await run('--scenario', 'dns-rebinding-protection');
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });

  it('fails on an expected failure that passes', async () => {
    const { server } = parse(readFileSync('test/live/conformance-expected.yaml', 'utf8')) as { server: string[] };
    const stale = join(output, 'stale.yaml');
    writeFileSync(stale, stringify({ server: [...server, 'ping'] }));
    const { code } = await run('--suite', 'all', '--expected-failures', stale);
    expect(code).not.toBe(0);
  });
});
