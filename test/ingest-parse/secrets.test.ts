import { describe, expect, it } from '@jest/globals';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { cellWithoutSecret } from '../../src/core/wording/secrets.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';
import { processorTime } from '../support/processor-time.js';

async function texts(written: string, name: string): Promise<string[]> {
  const source = { domain: 'd', kind: 'file', key: name, label: name } as const;
  const type: DocumentType = documentType(name);
  const parsed = await parse({ bytes: new TextEncoder().encode(written), name, type });
  return (await chunk(parsed, { source, title: name })).map(({ title, text }) => `${title}: ${text}`);
}

const OUT = '(a secret, left out)';
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

  it('are left out where the value tells that it is one', async () => {
    const csv = 'name,pin,authorization\nGate,4711,Bearer abc12345\nLamp,D13,of the owner\nFan,7,yes\n';
    expect(await texts(csv, 'things.csv')).toEqual([
      `things > Gate: pin: ${OUT}; authorization: ${OUT}.`,
      'things > Lamp: pin: D13; authorization: of the owner.',
      'things > Fan: pin: 7; authorization: yes.',
    ]);
    const call = (await texts('headers:\n  Authorization: Bearer abc12345\n  Accept: text/plain\n', 'x.yaml')).join();
    expect(call).toContain('text/plain');
    expect(call).not.toContain('abc12345');
  });

  it('takes digits of cards below other names, and leaves boards, addresses and letters their own', async () => {
    const csv = 'name,PIN code,pin (board)\nCard,4711,D13\nAsha,560001,D14\n';
    expect(await texts(csv, 'things.csv')).toEqual([
      `things > Card: PIN code: ${OUT}; pin (board): D13.`,
      'things > Asha: PIN code: 560001; pin (board): D14.',
    ]);
    const yaml =
      'pin:\n  value: 4711\nauthorization: https://login.example.com/authorize\nproxy:\n  authorization: https://bo:hunter22@example.com\n';
    const kept = (await texts(yaml, 'x.yaml')).join();
    expect(kept).toContain('https://login.example.com/authorize');
    expect(kept).not.toMatch(/4711|hunter/u);
  });

  it('takes the codes of cards below joined names, and leaves the remark behind one', async () => {
    const csv =
      'name,cardPin,PUK,pin,mapPin,puk owner,PIN code\nCard,4021,12345678,4021 (visa),52013,Bo,560001 (Pune)\nBoard,D13,Puk Meyer,D13 (board),7,Ada,\n';
    expect(await texts(csv, 'things.csv')).toEqual([
      `things > Card: card pin: ${OUT}; PUK: ${OUT}; pin: ${OUT} (visa); map pin: 52013; puk owner: Bo; PIN code: 560001 (Pune).`,
      'things > Board: card pin: D13; PUK: Puk Meyer; pin: D13 (board); map pin: 7; puk owner: Ada.',
    ]);
    const yaml = (extra: string) => texts(`simCard:\n  simPIN: 4021\n  puk2: '87654321'\n${extra}`, 'x.yaml');
    const read = (
      await yaml('  gpioPin: 4021\n  dataPin: 4022\n  clock_pin: 4023\n  note: PIN the note\n  ledPins: [1234, 1235]\n')
    ).join('\n');
    expect(read).not.toContain('87654321');
    expect(read.split(OUT)).toHaveLength(3);
    for (const kept of ['(gpio pin): 4021', '(data pin): 4022', '4023', 'PIN the note', '1234'])
      expect(read).toContain(kept);
    const json = (
      await texts('[{"name":"A","cardPin":4021},{"name":"B","settings":{"cardPin":"4021 (visa)"}}]', 'x.json')
    ).join('\n');
    expect(json).not.toContain('4021');
    expect(json).toContain('(visa)');
    expect((await texts('name,pin\nCard,4021 (was 5512)\n', 'a.csv')).join('')).not.toMatch(/4021|5512/u);
    const numbers = 'name,PIN number,PIN-Nummer,pinNumber,part number\nCard,4021,4021,4021,7788\nBoard,13,D13,2,7789\n';
    expect((await texts(numbers, 'n.csv')).join('')).toMatch(/^(?!.*4021).*7788.*13.*D13/su);
  });

  it('are left out below objects and lists of a record', async () => {
    const record = { name: 'Anna Ode', login: { password: 'hunter22', keys: [{ api_key: 'sk-1234', use: 'till' }] } };
    const [text] = await texts(JSON.stringify([record, record]), 'users.json');
    expect(text).toContain('login.password: (a secret, left out)');
    expect(text).toContain('- api key: (a secret, left out); use: till');
  });

  it('are left out where a pair of a list names them, and where the word for them is divided', async () => {
    const env = [
      { name: 'DB_PASSWORD', value: 'hunter22' },
      { name: 'MODE', value: 'fast' },
    ];
    const auth = { list: [{ name: 'Mail', api: { key: 'sk-1234' } }], inner: { api: { key: 'sk-1234' } } };
    const read = await texts(
      JSON.stringify([
        { name: 'Gate', env, auth },
        { name: 'Roof', since: 2020 },
      ]),
      'x.json',
    );
    expect(read.join('\n')).toContain(`env: DB_PASSWORD (value: ${OUT}), MODE (value: fast)`);
    expect(read.join('\n')).not.toMatch(/hunter22|sk-1234/u);
    const yaml = 'env:\n  - name: DB_PASSWORD\n    value: hunter22\napi:\n  key: sk-1234\nmode:\n  key: fast\n';
    const settings = (await texts(yaml, 'x.yaml')).join('\n');
    expect(settings).not.toMatch(/hunter22|sk-1234/u);
    expect(settings).toContain('mode.key: fast');
  });

  it.each(['name,value', 'key,value', 'Setting,Value', 'VARIABLE,note,VALUE', 'Einstellung,Wert'])(
    'are left out of rows that name them beside their values: %s',
    async (head) => {
      const row = (name: string, value: string) =>
        head.split(',').map((_, i, { length }) => (i === 0 ? name : i === length - 1 ? value : 'of Bo'));
      const rows = [
        row('DB_PASSWORD', 'hunter2-x'),
        row('MODE', 'fast'),
        row('api.key', 'sk-1234'),
        row('PASSWORD_SET', 'yes'),
      ];
      const records = rows.map((cells) => Object.fromEntries(head.split(',').map((key, i) => [key, cells[i]])));
      for (const [name, written] of [
        ['x.csv', [head, ...rows].join('\n')],
        ['x.tsv', [head.split(','), ...rows].map((cells) => cells.join('\t')).join('\n')],
        ['x.json', JSON.stringify(records)],
        ['x.yaml', JSON.stringify({ records })],
      ] as const) {
        const read = (await texts(written, name)).join('\n');
        expect(read).not.toMatch(/hunter2|sk-1234/u);
        expect(read.split(OUT)).toHaveLength(3);
        for (const kept of ['DB_PASSWORD', 'fast', 'yes']) expect(read).toContain(kept);
      }
    },
  );

  it.each([
    'DB_PASSWORD,hunter2-x\nMODE,fast\nPORT,8080',
    'DB_PASSWORD,hunter2-x\nMODE,fast\nport,8080',
    '# staging\nMODE,fast\nDB_PASSWORD,hunter2-x\ndebug,true',
    'mode.key,fast\ndb.password,hunter2-x',
    'DB_PASSWORD;hunter2-x',
  ])('are left out of variables and their values without a head: %j', async (csv) => {
    const read = (await texts(csv, 'x.csv')).join('\n');
    expect(read).not.toContain('hunter2');
    expect(read).toContain(`: value: ${OUT}`);
    expect(read.includes('fast')).toBe(csv.includes('fast'));
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
    const inner = [1, 2].map((n) => ({
      name: `Row ${n}`,
      token: { text: 'Häuser', lemma: 'Haus' },
      note: 'Token: Häuser',
    }));
    expect((await texts(JSON.stringify(inner), 'corpus.json')).join('\n')).not.toContain('left out');
  });

  it('are left out of texts in records: addresses and assignments', async () => {
    const record = { name: 'Anna', url: 'postgres://svc:hunter22@db/app', note: 'MODE=live PASSWORD=hunter22' };
    const [text] = await texts(JSON.stringify([record, { ...record, name: 'Bo' }]), 'users.json');
    expect(text).not.toContain('hunter22');
    for (const kept of ['MODE=live', '@db/app']) expect(text).toContain(kept);
  });

  it('are left out of what lies deep in JSON of a cell, which stays as it is otherwise', async () => {
    const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;
    const inner = '{"password":{"value":"hunter22"},"n":12345678901234567890,"url":"redis://a:hunter22@b"}';
    const harmless = '{ "a": 1.0, "kind": "b" }';
    const [text] = await texts(`name,x,y\nAnna,${cell(inner)},${cell(harmless)}\n`, 'users.csv');
    expect(text).not.toContain('hunter22');
    for (const kept of [harmless, '12345678901234567890']) expect(text).toContain(kept);
    const [cut] = await texts(`name,x\nAnna,${cell('{"theme":"dark","password":"hunter22","n')}\n`, 'users.csv');
    expect(cut).not.toContain('hunter22');
    expect(cut).toContain('dark');
    const [twice] = await texts(`name,x\nAnna,${cell('{"password":"hunter22","password":""}')}\n`, 'users.csv');
    expect(twice).not.toContain('hunter22');
  });

  it.each([
    '{"password":482913}',
    '{"password":"482913"}',
    '{"passwords":["482913"]}',
    '{"passwords":{"anna":"482913"}}',
    '{"passcode":"482913"}',
    '{"password":{"value":"482913"}}',
  ])('are left out of objects, records and cells alike: %s', async (written) => {
    const login = JSON.parse(written);
    const records = JSON.stringify([1, 2].map((n) => ({ name: `Anna ${n}`, ...login, login, list: [login] })));
    const csv = `name,login\nAnna,"${written.replaceAll('"', '""')}"\n`;
    const yaml = `login: ${written}\n`;
    for (const [text, name] of [
      [written, 'a.json'],
      [records, 'b.json'],
      [csv, 'c.csv'],
      [yaml, 'd.yaml'],
    ] as const) {
      const read = (await texts(text, name)).join('\n');
      expect(read).not.toContain('482913');
      expect(read).toContain('left out');
    }
  });

  it.each([
    ['token', ['2026-03-01', '2026-03-09']],
    ['token', ['Lebensversicherungsgesellschaft', 'Haus']],
    ['password', ['ja', 'n/a', 'set']],
    ['password', ['not set', 'yes']],
  ])('are no flags, dates and words where a column %s holds nothing else: %j', async (column, values) => {
    const csv = (all: string[]) => `name,${column}\n${all.map((value, i) => `Row ${i},${value}`).join('\n')}\n`;
    const read = (await texts(csv(values), 'a.csv')).join('\n');
    for (const value of values) expect(read).toContain(value);
    const mixed = (await texts(csv([...values, 'tok_998877_hunter22']), 'a.csv')).join('\n');
    for (const gone of ['hunter22', values[0]!]) expect(mixed).not.toContain(gone);
  });

  it.each([
    ['Password: hunter22, call Bo for the rest', `Password: ${OUT}, call Bo for the rest`],
    [
      'Login is anna\nPassword: hunter22 (ask Bo at the desk)\nRoom 4',
      `Login is anna\nPassword: ${OUT} (ask Bo at the desk)\nRoom 4`,
    ],
    ['password = "hunter 22" and the port is 80', `password = ${OUT} and the port is 80`],
    [
      'Password: hunter22; user: anna; valid until 2026-03-01.',
      `Password: ${OUT}; user: anna; valid until 2026-03-01.`,
    ],
    ['Password: hunter22, formerly sesame33. Not hunter22!', `Password: ${OUT}, formerly ${OUT} Not ${OUT}`],
    ['Token: tok_998877, used by Bo', `Token: ${OUT}, used by Bo`],
    ['Password: correct horse battery, staple', `Password: ${OUT}`],
    ['Password: hunter 22', `Password: ${OUT}`],
  ])('are left out of a line of a cell, whose other text stays: %j', async (cell, shown) => {
    expect(cellWithoutSecret('note', cell)).toBe(shown);
  });

  it('stay out where a word may be a passphrase, and a date a password', async () => {
    const csv = 'name,secret,password,birth password\nAnna,correcthorsebatterystaple,sesame,1999-03-01\n';
    const [text] = await texts(csv, 'users.csv');
    for (const secret of ['correct', 'sesame', '1999']) expect(text).not.toContain(secret);
  });

  it('are looked for in large and deep cells in little time', async () => {
    const deep = `${'{"password":'.repeat(8000)}"hunter22"${'}'.repeat(8000)}`;
    const many = (piece: string, end: string) =>
      `{"password":"hunter22","x":[${piece.repeat(99_000 / piece.length)}${end}]}`;
    const cells = [deep, many('"a=b",', '1'), many('{"token":"a"},', '1'), many('"a://b:', '"'), many('1,', '1')];
    for (const cell of [...cells, cells.join('').repeat(4)]) {
      const spent = await processorTime(() => expect(cellWithoutSecret('settings', cell)).not.toContain('hunter22'));
      expect(spent).toBeLessThan(5000);
    }
  });
});
