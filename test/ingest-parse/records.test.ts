import { describe, expect, it } from '@jest/globals';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';

async function texts(written: string, name = 'stock.jsonl'): Promise<string[]> {
  const source = { domain: 'd', kind: 'file', key: name, label: name } as const;
  const type: DocumentType = documentType(name);
  const parsed = await parse({ bytes: new TextEncoder().encode(written), name, type });
  return (await chunk(parsed, { source, title: name })).map(({ title, text }) => `${title}: ${text}`);
}

const lines = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

const KETTLES = [
  { name: 'Copper kettle', price: 89, status: 'Sold out' },
  { name: 'Steel kettle', colour: 'grey', price: null },
];
const READ = ['stock > Copper kettle: price: 89; status: Sold out.', 'stock > Steel kettle: colour: grey.'];

describe('files of records', () => {
  it('are read as a table: a record a line, a list, or a record a line in a file of JSON', async () => {
    expect(await texts(lines(...KETTLES))).toEqual(READ);
    expect(await texts(`\ufeff${lines(...KETTLES).replaceAll('\n', '\r\n\r\n')}`, 'stock.NDJSON')).toEqual(READ);
    expect(await texts(JSON.stringify(KETTLES, null, 2), 'stock.json')).toEqual(READ);
    expect(await texts(lines(...KETTLES), 'stock.json')).toEqual(READ);
    expect(await texts(JSON.stringify(KETTLES))).toEqual(READ);
  });

  it('have the keys of all records as columns, objects by names with a dot, lists with commas, and deeper objects as JSON', async () => {
    const record = {
      name: 'Ada Bly',
      address: { city: 'Bonn', geo: { lat: 50.7 } },
      tags: ['keeper', 7, null, true],
      nothing: {},
      none: [],
      id: 1,
    };
    const other = { since: 2019, name: 'Karl Weber', 'address.city': 'Ulm' };
    expect(await texts(lines(record, other), 'people.jsonl')).toEqual([
      'people > Ada Bly: address.city: Bonn; address.geo: {"lat":50.7}; tags: keeper, 7, true; id: 1.',
      'people > Karl Weber: address.city: Ulm; since: 2019.',
    ]);
  });

  it('have a list of records as the names of these where it is short, else with a line for each', async () => {
    const issue = {
      title: 'Gate sticks',
      labels: [{ name: 'bug', color: 'red' }, { name: 'gate' }],
      comments: [
        { user: { login: 'ada' }, createdAt: '2024-01-02', body: 'Oil helps.\nFor a week.', reactions: [] },
        { user: { login: 'bo' }, body: 'Confirmed.', seen: [{ by: 'ada' }] },
      ],
      deep: [[{ a: 1 }]],
      state: 'open',
    };
    expect(await texts(JSON.stringify([issue, { title: 'Roof leaks', state: 'open' }]), 'issues.json')).toEqual([
      'issues > Gate sticks: labels: bug (color: red), gate.\n\ncomments:\n' +
        '- user.login: ada; created at: 2024-01-02; body: Oil helps.\nFor a week.\n' +
        '- user.login: bo; body: Confirmed.; seen: [{"by":"ada"}]\n\ndeep: [[{"a":1}]]; state: open.',
      'issues > Roof leaks: state: open.',
    ]);
  });

  it('keep no secret of a list of records', async () => {
    const record = { name: 'Gate', users: [{ login: 'ada', password: 'hunter22' }], since: 2019 };
    expect(await texts(lines(record, { name: 'Roof', since: 2020 }))).toEqual([
      'stock > Gate: users:\n- login: ada; password: (a secret, left out)\n\nsince: 2019.',
      'stock > Roof: since: 2020.',
    ]);
  });

  it('keep long numbers as they are written', async () => {
    const line = '{"name":"Oak \\"12345678901234567890\\"","id":12345678901234567890,"share":0.12345678901234567}\n';
    expect(await texts(line, 'trees.jsonl')).toEqual([
      'trees > Oak "12345678901234567890": id: 12345678901234567890; share: 0.12345678901234567.',
    ]);
  });

  it('keep other numbers as they are written, too', async () => {
    const line = '{"name":"Oak","price":1.50,"share":0.00000012,"mass":1e400,"rate":1234567890.123456789,"n":7}\n';
    expect(await texts(line, 'trees.jsonl')).toEqual([
      'trees > Oak: price: 1.50; share: 0.00000012; mass: 1e400; rate: 1234567890.123456789; n: 7.',
    ]);
  });

  it('of kinds with other keys end at a number of cells, before they fill the memory', async () => {
    const keys = Array.from({ length: 1900 }, (_, i) => `k${i}`);
    const wide = `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])))}\n`;
    const last = '{"k1899":1}\n'.repeat(6000);
    await expect(texts(wide + last)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/cells/),
    });
  });

  it('are read the same when they are long', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ name: `Kettle K${i}`, price: i + 0.5 }));
    const read = many.map(({ name, price }) => `stock > ${name}: price: ${price}.`);
    expect(await texts(lines(...many))).toEqual(read);
    expect(await texts(JSON.stringify(many), 'stock.json')).toEqual(read);
  });

  it('are refused with the line that is none', async () => {
    for (const filler of ['', 'x'.repeat(5000)]) {
      const first = lines({ name: 'Oak', note: filler });
      for (const [text, name, words] of [
        [`${first}\n{"name": "El\n`, 'a.jsonl', 'a.jsonl has no JSON object on line 3; mend or remove the line.'],
        [`${first}[1]\n`, 'a.jsonl', 'a.jsonl has no JSON object on line 2; mend or remove the line.'],
        [`[${first},\n{"name" "Elm"}]`, 'a.json', 'a.json is no JSON from line 3 on; mend it.'],
        [`[${first}`, 'a.json', 'a.json is cut off: its JSON ends within a value, on line 1; export or copy it again.'],
        [
          `[${first},\n{"na\n`,
          'a.json',
          'a.json is cut off: its JSON ends within a value, on line 3; export or copy it again.',
        ],
        [`[${first},\n{"name": x},\n{"name": "Elm"}]`, 'a.json', 'a.json is no JSON; mend it.'],
      ] as const)
        await expect(texts(text, name)).rejects.toMatchObject({ code: 'invalid_input', message: words });
    }
  });

  it('are none where a file of JSON holds something else, and it is said how to read it', async () => {
    const long = 'x'.repeat(5000);
    for (const text of ['[]', '[{}]', '[{"a": null}]', '[1, {}]', '"tea"', JSON.stringify([long])])
      await expect(texts(text, 'settings.json')).rejects.toMatchObject({
        code: 'unsupported_media',
        message: expect.stringMatching(
          /^settings\.json holds no object and no list of records; .* source_type text.* structured ingest/,
        ),
        details: { member: 'source_path', skipped: true },
      });
  });

  it('are no messages: those are pointed to their own ingest', async () => {
    const said = { text: 'Tea?', speaker: 'Anna', timestamp: '2026-03-12T10:00:00Z' };
    const slack = { type: 'message', user: 'U1', text: 'Tea?', ts: '1710252333.000100' };
    for (const [text, name] of [
      [lines(said, { text: 'Yes.', role: 'user', session_id: 's' }), 'chat.jsonl'],
      [lines({ text: 'Tea?' }), 'chat.jsonl'],
      [JSON.stringify([said]), 'chat.json'],
      [JSON.stringify([slack, { type: 'message', subtype: 'channel_join', ts: slack.ts }]), '2024-03-12.json'],
    ] as const)
      await expect(texts(text, name)).rejects.toMatchObject({
        message: expect.stringMatching(/holds messages; .*--type messages/),
        details: { skipped: true },
      });
    expect(await texts(lines({ ...said, level: 'warn' }), 'log.jsonl')).toHaveLength(1);
    // An event log may hold what looks like a message of Slack, but most of a channel's day are messages.
    const events = Array.from({ length: 3 }, (_, i) => ({ type: 'login', ts: slack.ts, name: `Host ${i}` }));
    expect((await texts(lines(...events, slack, slack), 'events.jsonl')).join('\n')).toContain('text: Tea?');
    await expect(texts(lines(...events, slack, slack, slack, slack), 'events.jsonl')).rejects.toMatchObject({
      message: expect.stringMatching(/holds messages/),
    });
  });

  it('are refused with the limit where each has keys of its own', async () => {
    const text = lines(...Array.from({ length: 2001 }, (_, i) => ({ [`key ${i}`]: i })));
    await expect(texts(text)).rejects.toMatchObject({ code: 'too_large', details: { limit: 'columns' } });
  });

  it('have lists of plain values in an inner record with commas, without what is null, as elsewhere', async () => {
    const comment = { login: 'ada', labels: ['slow', null, 'disk'], body: `It stops at ${'x'.repeat(200)}.` };
    const [, issue] = await texts(
      JSON.stringify([{ name: 'Stops', comments: [comment] }, { name: 'Other' }]),
      'i.json',
    );
    expect(issue).toContain('- login: ada; labels: slow, disk; body: It stops at');
  });
});
