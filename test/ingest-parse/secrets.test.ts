import { describe, expect, it } from '@jest/globals';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';

async function texts(written: string, name: string): Promise<string[]> {
  const source = { domain: 'd', kind: 'file', key: name, label: name } as const;
  const type: DocumentType = documentType(name);
  const parsed = await parse({ bytes: new TextEncoder().encode(written), name, type });
  return (await chunk(parsed, { source, title: name })).map(({ title, text }) => `${title}: ${text}`);
}

const HASH = `$2b$10$${'N9qo8uLOickgx2ZMRZoMye'}`;
const READ = [
  'users > Anna Ode: email: a@x.example; password: (a secret, left out); token: (a secret, left out).',
  'users > Bo Lind: email: b@x.example; password: (a secret, left out).',
];

describe('secrets in rows of a table', () => {
  it('are left out of CSV', async () => {
    const csv = 'name,email,password,token\nAnna Ode,a@x.example,hunter22,tok_998877\nBo Lind,b@x.example,sesame,\n';
    expect(await texts(csv, 'users.csv')).toEqual(READ);
  });

  it('are left out of records of JSON', async () => {
    const records = [
      { name: 'Anna Ode', email: 'a@x.example', password: 'hunter22', token: 'tok_998877' },
      { name: 'Bo Lind', email: 'b@x.example', password: 'sesame' },
    ];
    expect(await texts(JSON.stringify(records), 'users.json')).toEqual(READ);
    expect(await texts(records.map((one) => `${JSON.stringify(one)}\n`).join(''), 'users.jsonl')).toEqual(READ);
  });

  it('are left out below objects and lists of a record', async () => {
    const record = { name: 'Anna Ode', login: { password: 'hunter22', keys: [{ api_key: 'sk-1234', use: 'till' }] } };
    const [text] = await texts(JSON.stringify([record, record]), 'users.json');
    expect(text).toContain('login.password: (a secret, left out)');
    expect(text).toContain('{"api_key":"(a secret, left out)","use":"till"}');
  });

  it('are known by columns of hashes, and by German ones', async () => {
    const csv = `name;Passwort;password_hash;pwdSalt\nAnna Ode;hunter22;${HASH};x9d8\n`;
    const [text] = await texts(csv, 'users.csv');
    for (const secret of ['hunter22', HASH, 'x9d8']) expect(text).not.toContain(secret);
  });

  it('are known by columns with a sign or a note behind the word, and by numbers', async () => {
    const [text] = await texts(
      'name;Passwort:;Password (WLAN);client_secret;pwd\nAnna;hunter22;sesame;correcthorse9;123456\n',
      'users.csv',
    );
    for (const secret of ['hunter22', 'sesame', 'correcthorse9', '123456']) expect(text).not.toContain(secret);
  });

  it('are left out of JSON in a cell, numbers and lists too', async () => {
    const cell = JSON.stringify({ password: 81723123, theme: 'dark', api_key: ['hunter22'] }).replaceAll('"', '""');
    const [text] = await texts(`name,settings\nAnna Ode,"${cell}"\n`, 'users.csv');
    expect(text).not.toContain('81723123');
    expect(text).not.toContain('hunter22');
    expect(text).toContain('dark');
  });

  it('name no row', async () => {
    const [first] = await texts('password,role\nhunter22,clerk\nsesame7,clerk\n', 'users.csv');
    expect(first).not.toContain('hunter22');
  });

  it('are no words of a language, and no rule about passwords', async () => {
    const corpus = await texts(
      'token,lemma,password policy\nHäuser,Haus,twelve characters\nging,gehen,none\n',
      'corpus.csv',
    );
    expect(corpus.join('\n')).toContain('Häuser');
    expect(corpus.join('\n')).toContain('twelve characters');
  });
});
