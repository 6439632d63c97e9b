import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendSignal } from '../../src/interop/signals.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const RULE = 'Always rinse the filter.';
let data: string;
let documents: string;

beforeAll(async () => {
  data = temporaryDirectory();
  documents = temporaryDirectory();
  process.env.SVC_DATA_DIR = data;
  process.env.XDG_CONFIG_HOME = join(data, 'config');
  process.env.SVC_EMBEDDING = 'none';
  process.env.SVC_INGEST_ROOTS = documents;
  writeFileSync(join(documents, 'handbook.md'), `# Filter\n\n${RULE}\n`);
  await svcJson('ingest', join(documents, 'handbook.md'), '--domain', 'handbook');
}, 60_000);
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

/** Paths that a list of the exchange holds. */
const pending = async (): Promise<string[]> => (await svcJson('interop', 'pending')).pending;
const counts = async () => {
  const { pending: waiting, processed, failed } = await svcJson('interop', 'status');
  return [waiting, processed, failed];
};
const project = () => svcJson('project', '--persona', 'operator', '--domains', 'handbook', '--pending');

describe('the exchange of rule sets on the command line', () => {
  it('hands a rule set over, takes it in, and brings its rules back', async () => {
    expect(await counts()).toEqual([0, 0, 0]);
    const { path, rule_count } = await project();
    expect(rule_count).toBe(1);
    expect(await pending()).toEqual([path]);
    expect(await counts()).toEqual([1, 0, 0]);
    const watched = await svcJson('interop', 'watch', '--once');
    expect(watched).toMatchObject({ outcome: 'processed', persona: 'operator', rule_count: 1 });
    expect(await counts()).toEqual([0, 1, 0]);
    expect(await svcJson('interop', 'processed')).toEqual({ processed: [watched.path] });
    expect((await svc('interop', 'processed')).stdout.trim()).toBe(watched.path);
    const restored = await svcJson('ingest', '--type', 'seed', watched.path, '--domain', 'copy');
    expect(restored).toMatchObject({ persona: 'operator', results: [{ domain: 'copy', rules: 1 }] });
    const { ruleset } = await svcJson('project', '--persona', 'reader', '--domains', 'copy');
    expect(ruleset.rules.map(({ rule }: { rule: string }) => rule)).toEqual([RULE]);
  }, 60_000);

  it.each(['none.yaml', 'folder.yaml'])('names what is no rule set that it can read: %s', async (name) => {
    const path = join(documents, name);
    mkdirSync(join(documents, 'folder.yaml'), { recursive: true });
    const { code, stderr } = await svc('ingest', '--type', 'seed', path);
    expect([code, stderr.trim()]).toEqual([2, `Error: ${path} cannot be read; name a file with a rule set.`]);
  });

  it('names a directory that is given in place of a rule set or a log', async () => {
    const log = join(documents, 'folder.jsonl');
    mkdirSync(log, { recursive: true });
    const { code, stdout } = await svc('interop', 'validate', documents, log);
    expect(code).toBe(1);
    expect(stdout).toContain(`${documents} cannot be read; name a file with a rule set.`);
    expect(stdout).toContain(`${log} cannot be read; name a file with a log.`);
  });

  it('refuses a version that the consumer does not take, with the reason in the list and the log', async () => {
    await project();
    const { path, error } = await svcJson('interop', 'watch', '--once', '--versions', '2,3');
    expect(error).toBe('version 1 is not known to this consumer, which takes 2, 3');
    expect(await svcJson('interop', 'failed')).toEqual({ failed: [{ path, error }] });
    expect((await svc('interop', 'failed')).stdout).toContain(error);
    expect(await counts()).toEqual([0, 1, 1]);
    const { events } = await svcJson('interop', 'signals');
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      'projection_complete',
      'seed_ingested',
      'projection_complete',
      'seed_failed',
    ]);
    const only = await svcJson('interop', 'signals', '--event', 'seed_failed');
    expect(only.events).toMatchObject([{ path, error }]);
    expect((await svcJson('interop', 'signals', '--since', '2999-01-01T00:00:00Z')).events).toEqual([]);
  }, 60_000);

  it('warns of an event whose path leads outside, and leaves that file where it is', async () => {
    const outside = join(documents, 'outside.yaml');
    writeFileSync(outside, 'persona: operator\nversion: 1\nrules: []\nmetadata: { source: svc, rule_count: 0 }\n');
    await appendSignal(
      { event: 'projection_complete', path: outside, ts: new Date().toISOString(), source: 'other' },
      join(data, 'signals', 'projections.jsonl'),
    );
    const lists = await counts();
    const { code, stdout, stderr } = await svc('interop', 'watch', '--once');
    expect([code, stdout.trim()]).toEqual([0, '']);
    expect(stderr).toContain(`${outside}: It leads outside of the pending, processed and failed directories.`);
    expect(readFileSync(outside, 'utf8')).toContain('persona: operator');
    expect(await counts()).toEqual(lists);
  }, 60_000);

  it('takes only integers as versions, 1 by default', async () => {
    const { stdout } = await svc('interop', 'watch', '--help');
    expect(stdout.replace(/\s+/g, ' ')).toContain('versions of rule sets to take, separated by commas (default 1)');
    const { code, stderr } = await svc('interop', 'watch', '--once', '--versions', 'one');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--versions takes integers')]);
  });

  it('writes the directories into a configuration file, once', async () => {
    const { file } = await svcJson('interop', 'init');
    expect(readFileSync(file, 'utf8')).toContain(join(data, 'seeds', 'pending'));
    const again = await svc('interop', 'init');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('exists already')]);
  });

  it('writes the schemas where it is told to, and needs to be told', async () => {
    const { paths } = await svcJson('interop', 'schema', '--output', join(documents, 'schemas'));
    expect(paths).toHaveLength(2);
    for (const path of paths) expect(JSON.parse(readFileSync(path, 'utf8')).$id).toMatch(/^urn:svc:schema:/);
    expect((await svc('interop', 'schema')).code).toBe(2);
  });

  it('validates several files: 0 when all are valid, 1 when one is not, 2 when one is missing', async () => {
    const folder = join(documents, 'seeds');
    mkdirSync(folder);
    const [good, bad, broken] = ['good', 'bad', 'broken'].map((name) => join(folder, `${name}.yaml`)) as [
      string,
      string,
      string,
    ];
    const metadata = 'metadata: { source: svc, rule_count: 0 }';
    writeFileSync(good, `persona: operator\nversion: 1\nrules: []\n${metadata}\n`);
    writeFileSync(bad, `persona: operator\nversion: 0\nrules: []\n${metadata}\n`);
    writeFileSync(broken, 'persona: [\n');
    expect(await svcJson('interop', 'validate', good, good)).toMatchObject({ valid: true, errors: [] });
    const { code, stdout } = await svc('interop', 'validate', good, bad, broken);
    expect(code).toBe(1);
    expect(stdout).toContain(`${good} is valid.`);
    expect(stdout).toMatch(/bad\.yaml is not valid:.*\n\/version: must be >= 1\n/);
    expect(stdout).toMatch(/broken\.yaml is not valid:.*\nThe rule set is not YAML that can be read/);
    const json = JSON.parse((await svc('interop', 'validate', good, bad, '--json')).stdout);
    expect(json).toEqual({
      valid: false,
      errors: ['/version: must be >= 1'],
      files: [
        { file: good, kind: 'rule set', errors: [] },
        { file: bad, kind: 'rule set', errors: ['/version: must be >= 1'] },
      ],
    });
    const missing = await svc('interop', 'validate', good, join(folder, 'none.yaml'));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('none.yaml does not exist')]);
  });

  it('validates events, one in a file or a log of them', async () => {
    const folder = join(documents, 'events');
    mkdirSync(folder);
    const event = { event: 'seed_ingested', ts: '2026-01-01T00:00:00Z', source: 'consumer' };
    const [one, torn, log] = [join(folder, 'one.json'), join(folder, 'torn.json'), join(folder, 'log.jsonl')];
    writeFileSync(one, JSON.stringify(event));
    writeFileSync(torn, JSON.stringify({ ...event, event: 'seed_lost' }));
    writeFileSync(log, `${JSON.stringify(event)}\n\n${JSON.stringify({ ...event, ts: undefined })}\n{\n`);
    const valid = await svc('interop', 'validate', one);
    expect([valid.code, valid.stdout]).toEqual([0, `${one} is valid.\n`]);
    const [first, second, third] = JSON.parse(
      (await svc('interop', 'validate', one, torn, log, '--json')).stdout,
    ).files;
    expect(first).toEqual({ file: one, kind: 'event', errors: [] });
    expect(second).toMatchObject({ kind: 'event', errors: [expect.stringMatching(/^\/event: must be one of/)] });
    expect(third).toMatchObject({ kind: 'events', errors: ['line 3: /: ts is missing', 'line 4: is not JSON'] });
    expect((await svc('interop', 'validate', torn)).stdout).toContain(`${torn} is not valid, as an event:`);
  });
});

it.each([
  ['a folder', () => data],
  ['a file of a folder that is not there', () => join(data, 'absent', 'AGENTS.md')],
])('refuses to project into %s, with a sentence', async (_what, output) => {
  const { code, stderr } = await svc('project', '--persona', 'p', '--domains', 'handbook', '--output', output());
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^Error: --output .* cannot be written \((EISDIR|ENOENT)\); name a file in a folder that is there\.\n$/,
  );
});
