import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import type { Part } from '../../src/ingest/parse/parts.js';

async function read(text: string, name: string): Promise<readonly Part[]> {
  const type = name.endsWith('.json') ? 'json' : 'yaml';
  return (await parse({ bytes: Buffer.from(text), name, type })).parts;
}

const shown = async (text: string, name: string) =>
  (await read(text, name)).map((part) =>
    part.kind === 'heading' ? `${'#'.repeat(part.level)} ${part.text}` : part.text,
  );
const json = (value: unknown) => shown(JSON.stringify(value), 'farm.json');

const LONG = 'Grandmother used brown sugar and no flour at all. '.repeat(15).trim();

describe('one object of JSON', () => {
  it('is read as lines of keys and values with their path, below the name of the file', async () => {
    const value = {
      server: { port: 8080, maxSize: '1.50', on: true },
      tags: ['a', 'b'],
      none: null,
      at: [[1, 2], 3],
      empty: {},
    };
    const lines = ['- server.port: 8080', '- server.maxSize (max size): 1.50', '- server.on: true', '- tags: a, b'];
    expect(await json(value)).toEqual(['# farm', ...lines, '- none:', '- at: [1, 2], 3', '- empty:']);
    expect(await shown('{"rate": 1.10, "big": 12345678901234567890}', 'farm.json')).toEqual([
      '# farm',
      '- rate: 1.10',
      '- big: 12345678901234567890',
    ]);
  });

  it('has a heading for each key that holds much, behind what stands beside it', async () => {
    const cake = { history: { text: LONG, by: 'Ada' }, servings: 8 };
    expect(await json({ cake, year: 1932 })).toEqual([
      ...['# farm', '- year: 1932', '## cake', '- servings: 8', '### history', `text: ${LONG}`, '- by: Ada'],
    ]);
  });

  it('has lists of records as tables where they hold much, and as lines by their names where they hold little', async () => {
    const plums = { name: 'plums', amount: '1 kg' };
    expect(await json({ ingredients: [plums, { name: 'flour', amount: '300 g' }], steps: [{ do: 'stir' }] })).toEqual([
      ...['# farm', '- ingredients.plums.amount: 1 kg', '- ingredients.flour.amount: 300 g', '- steps.1.do: stir'],
    ]);
    const many = Array.from({ length: 20 }, (_, i) => ({ name: `Kettle ${i}`, material: 'hammered copper', price: i }));
    const parts = await json({ kettles: many });
    expect(parts.slice(0, 4)).toEqual(['# farm', '## kettles', '### Kettle 0', 'material: hammered copper; price: 0.']);
    expect(parts).toHaveLength(42);
  });

  it('loses nothing at any depth, and is refused where it is nested without end', async () => {
    let deep: unknown = { bottom: LONG };
    for (let i = 0; i < 40; i += 1) deep = { [`level${i}`]: deep };
    const parts = await json(deep);
    expect(parts.at(-1)).toMatch(/level0\.bottom: Grandmother/);
    expect(parts.filter((part) => part.startsWith('#')).length).toBeLessThan(9);
    const endless = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    await expect(read(endless, 'farm.json')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:invalid_input|unsupported_media|too_large)$/),
    });
  }, 60_000);

  it('says of what is nested too deeply that it is', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    await expect(read(deep, 'farm.json')).rejects.toMatchObject({
      message: expect.stringContaining('is nested too deeply; flatten it'),
    });
  });

  it('has a heading for a list that is cut into several passages', async () => {
    const hosts = Array.from({ length: 100 }, (_, i) => `host${i}.example.org`);
    expect((await json({ blocked_hosts: hosts, on: true })).slice(0, 3)).toEqual([
      '# farm',
      '- on: true',
      '## blocked_hosts',
    ]);
  });

  it('leaves out passwords, tokens and private keys, by key and by form, and nothing that only looks like one', async () => {
    const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIhunter2\n-----END RSA PRIVATE KEY-----';
    const value = {
      db: { POSTGRES_PASSWORD: 'hunter2', url: 'postgres://svc:hunter2@db:5432/app', user: 'svc' },
      environment: ['MODE=live', 'API_TOKEN=hunter2'],
      clientSecret: 'hunter2',
      keys: { note: pem, 'api-key': ['hunter2'] },
      max_tokens: '4096',
      passwordPolicy: 'twelve characters',
      token: '$TOKEN',
      tokens: 'Coins of the arcade.',
    };
    const text = (await json(value)).join('\n');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('postgres://svc:(a secret, left out)@db:5432/app');
    expect(text).toContain('MODE=live');
    for (const kept of ['user: svc', '4096', 'twelve characters', '$TOKEN', 'Coins of the arcade.'])
      expect(text).toContain(kept);
    const secret = 'kind: Secret\nmetadata: { name: db }\nstringData:\n  login: hunter2\ndata: { a: aHVudGVyMg== }\n';
    const shownSecret = (await shown(secret, 'db.yaml')).join('\n');
    expect(shownSecret).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(shownSecret).toContain('login');
  });

  it('leaves secrets out of comments, and of what is no YAML and read as plain text, too', async () => {
    const block = '-----BEGIN PRIVATE KEY-----\nMIIhunter2\n-----END PRIVATE KEY-----';
    const template = `{{ if .Values.db }}\nhost: db\ndb_password: hunter2 # hunter2\n- token = "hunter2"\nname: {{ x }}\n${block}\nThe end.\n`;
    const text = (await shown(template, 'chart.yaml')).join('\n');
    expect(text).not.toContain('hunter2');
    for (const kept of ['host: db', 'name: {{ x }}', 'The end.']) expect(text).toContain(kept);
    const remarked = (await shown('# admin_password: hunter2\nhost: db # token=hunter2\n', 'app.yaml')).join('\n');
    expect(remarked).not.toContain('hunter2');
    expect(remarked).toContain('host: db');
  });

  it.each([
    ['{}', 'farm.json holds nothing'],
    ['{\n // a remark\n "a": 1\n}', 'farm.json is no JSON: cut off, damaged, or with comments'],
    ['{\n "a": 1,', 'farm.json is no JSON: cut off'],
    ['{"text": "Hi", "speaker": "Ada"}', 'farm.json holds messages'],
  ])('is refused where it says nothing, or is a message: %j', async (text, sentence) => {
    const refusal = { message: expect.stringContaining(sentence), details: { member: 'source_path', skipped: true } };
    await expect(read(text, 'farm.json')).rejects.toMatchObject(refusal);
  });
});

describe('YAML', () => {
  it('is read as JSON is, with its comments, and values as they are written', async () => {
    const text = `# The stack of the farm

web: # in the yard
  image: nginx:1.10
  # only in the LAN
  ports: ["8088:80"] # two
  version: 1.10
  since: 2019-03-01
  on: yes
  secret: !Ref Password
  base: &base { cpu: 2 }
other:
  <<: *base
  note: |
    First line.
    Second line.
`;
    expect(await shown(text, 'stack.yml')).toEqual([
      '# stack',
      'The stack of the farm',
      'in the yard',
      ...['- web.image: nginx:1.10', 'only in the LAN', '- web.ports: 8088:80 # two', '- web.version: 1.10'],
      ...['- web.since: 2019-03-01', '- web.on: yes', '- web.secret: !Ref Password', '- web.base.cpu: 2'],
      ...['- other.<<: as base', 'other.note: First line.\nSecond line.'],
    ]);
  });

  it('has what comments, tags and anchors say of the members of lists', async () => {
    const text = `hosts:
  # the old one
  - alpha # slow
  - beta
  # the new one
  - gamma
racks:
  # by the door
  - name: left
    height: 2 # in metres
  # bought in May
  - &tall !Wall
    name: right
    height: 3
  - *tall
arms: [&a x, !Ref Bucket, *a, !GetAtt [y, z]]
gaps: [1, null, ~, [null], 2]
`;
    expect(await shown(text, 'hall.yaml')).toEqual([
      ...['# hall', 'the old one', '- hosts: alpha # slow, beta, gamma # the new one', 'by the door'],
      ...['- racks.left.height: 2 # in metres', 'bought in May', '- racks.right: &tall !Wall'],
      ...['- racks.right.height: 3', '- racks.3: as tall'],
      ...['- arms: &a x, !Ref Bucket, as a, [!GetAtt y, z]', '- gaps: 1, 2'],
    ]);
  });

  it('names a key that a row of a table has twice, and its line', async () => {
    const rows = '- name: x\n  v: 1\n\n  v: 2\n- name: y\n  v: 3\n';
    await expect(read(rows, 'a.yaml')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'a.yaml has the key v twice in one record, the second time on line 4; remove or rename one of them.',
    });
    // Where values stand as lines both can.
    expect(await shown('a: 1\na: 2\n', 'a.yaml')).toEqual(['# a', '- a: 1', '- a: 2']);
  });

  it('of several documents has each by its name', async () => {
    const text = 'kind: Service\nmetadata:\n  name: web\n---\nkind: Deployment\nreplicas: 3\n';
    expect(await shown(text, 'k.yaml')).toEqual([
      ...['# k', '- web.kind: Service', '- web.metadata.name: web', '- 2.kind: Deployment', '- 2.replicas: 3'],
    ]);
  });

  it.each([
    ['port: {{ .Values.port }}\n{{- if .x }}\nhost: a\n', /port: \{\{ \.Values\.port/],
    ['a: 1\n b: 2\n- c', /b: 2/],
    ['# Nothing but a remark\n', /Nothing but a remark/],
  ])('that is none is a plain text: %j', async (text, words) => {
    expect((await shown(text, 'chart.yaml')).join('\n')).toMatch(words);
  });

  it('that is none keeps its lines', async () => {
    const text = 'supplier: Ash: wear\nitems:\n  - what: unisuit\n    size: M\n   qty: 6\n';
    expect(await shown(text, 'kit.yaml')).toEqual(['# kit', text.trimEnd()]);
  });

  it('is read or refused in bounded time and memory', async () => {
    const laughs = [
      'a0: &a0 [x]',
      ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
    ];
    expect((await read(laughs.join('\n'), 'a.yaml')).length).toBeLessThan(1000);
    for (const hostile of [
      '['.repeat(50_000),
      `${'a: {'.repeat(20_000)}`,
      '- '.repeat(50_000),
      'a: &a\n'.repeat(50_000),
    ])
      await read(hostile, 'a.yaml').then(
        (parts) => expect(parts.length).toBeGreaterThan(0),
        (error: Error) =>
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(?:invalid_input|unsupported_media|too_large)$/),
          }),
      );
  }, 120_000);

  it('says nothing where it is empty', async () => {
    await expect(read('---\n', 'a.yaml')).rejects.toMatchObject({ details: { empty: true } });
  });
});

describe('a list of records that hold objects and lists, in one object', () => {
  const sample = (name: string, extra: object) => ({
    sample: `NV-${name.length}`,
    patient: { name, owner: `${name} Yelland` },
    values: [
      { analyte: 'T4', value: 78.2, unit: 'nmol/l', flag: '' },
      { analyte: 'Creatinine', value: 148, unit: 'µmol/l', flag: 'H' },
    ],
    comment: `Consistent with what was seen in ${name} last year; start as discussed and look again in three weeks.`,
    ...extra,
  });

  it('is a table, as a list of records alone is', async () => {
    const results = [sample('Duchess', {}), sample('Biscuit', { age: null }), sample('Shelly', {})];
    const parts = await shown(JSON.stringify({ lab: 'Northvet', results }), 'lab.json');
    expect(parts.slice(0, 5)).toEqual(['# lab', '- lab: Northvet', '## results', '### Duchess', expect.any(String)]);
    expect(parts.slice(4).join('\n')).toContain('patient.owner: Duchess Yelland');
    expect(parts.join('\n')).toContain('- analyte: T4; value: 78.2; unit: nmol/l\n- analyte: Creatinine;');
    expect(parts).toContain('### Shelly');
  });

  it('stays lines with their paths where the records have different keys', async () => {
    const steps = [sample('Duchess', {}), { uses: 'checkout', with: { depth: '0' } }, { run: 'make' }];
    const parts = await shown(JSON.stringify({ steps }), 'ci.json');
    expect(parts.join('\n')).toContain('with.depth: 0');
    expect(parts.filter((part) => part.startsWith('### D'))).toEqual([]);
  });
});
