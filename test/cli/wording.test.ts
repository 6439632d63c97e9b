import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foreignNote } from '../../src/cli/output/foreign.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;
const file = (name: string, text: string): string => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  folder = temporaryDirectory();
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('an error of the command line names what was typed', () => {
  it.each([
    [['query', ''], '<text> must not be shorter than 1 character.'],
    [['query', 'tea', '--domain', 'büro'], '--domain must begin with one of a-z, A-Z, 0-9'],
    [['query', 'tea', '--min-confidence', '2'], '--min-confidence must be <= 1.'],
    [['compare', ' '], '<text> must hold more than white space.'],
    [['explore', ''], '<node_id> must not be shorter than 1 character.'],
    [['rules', '--category', ''], '--category must not be shorter'],
    [['forget', '--domain', '-x'], '--domain must begin with one of a-z, A-Z, 0-9'],
    [['vectors', 'create', 'a b', '2'], '<index_name> must hold 1 to 64 of a-z, A-Z, 0-9, _ and -.'],
    [['sources', 'sync', 'a b'], '<source_id> must begin with one of a-z, A-Z, 0-9'],
    [['sources', 'forget', 'shop', '--row', '7'], '--row needs --table, since a key names a row within its table.'],
    // What is typed here are the members.
    [['call', 'query', '--input', '{"context":"tea","top_k":0}'], 'top_k must be >= 1.'],
  ])('%j', async (args, expected) => {
    const { code, stderr } = await svc(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Error: ${expected}`)]);
  });

  it('lists every type that --type takes', async () => {
    const { code, stderr } = await svc('ingest', file('a.md', '# A\n\nTea.\n'), '--domain', 'd', '--type', 'word');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/'--type <type>'.*text, markdown.*messages, seed/)]);
  });

  it('says --type for a file whose type is unknown, alone and in a job', async () => {
    const log = file('till.log', '10:00 opened\n');
    for (const paths of [[log], [log, file('a.md', '# A\n\nTea.\n')]]) {
      const { stdout } = await svc('ingest', ...paths, '--domain', 'd');
      expect(stdout).toContain('ingest it by itself with --type text, as plain text');
      expect(stdout).not.toContain('source_type');
    }
  });

  it('reads a mail as a document under its subject', async () => {
    const mail = file(
      'offer.eml',
      'From: Ada <a@example.org>\nSubject: Re: Tea\nMIME-Version: 1.0\n\nThe Assam costs 12 euros.\n',
    );
    expect((await svc('ingest', mail, '--domain', 'mails')).code).toBe(0);
    const { stdout } = await svc('query', 'What does the Assam cost?', '--domain', 'mails');
    expect(stdout).toMatch(/Tea\b[\s\S]*The Assam costs 12 euros\./);
    expect(stdout).not.toContain('MIME-Version');
  });

  it('reads objects of JSON and YAML, and the mails of a mail box, below a directory', async () => {
    const below = mkdtempSync(join(folder, 'structured-'));
    writeFileSync(join(below, 'chart.yaml'), 'kettle:\n  lid: copper # since 2019\n');
    writeFileSync(join(below, 'till.json'), '{"till": {"opensAt": "07:40"}}');
    const mail = (of: string, text: string) =>
      `From ada@example.org Mon Mar  2 10:00:00 2026\nSubject: ${of}\n\n${text}\n\n`;
    writeFileSync(join(below, 'in.mbox'), mail('Tiles', 'The roof needs 320 tiles.') + mail('Tea', 'Assam is out.'));
    expect((await svc('ingest', below, '--domain', 'structured')).code).toBe(0);
    for (const [question, text] of [
      ['What is the lid of the kettle?', 'kettle.lid: copper # since 2019'],
      ['When does the till open?', 'till.opensAt (opens at): 07:40'],
      ['How many tiles does the roof need?', 'The roof needs 320 tiles.'],
    ] as const) {
      const { items } = await svcJson('query', question, '--domain', 'structured');
      expect(items[0].content).toContain(text);
      expect(items[0].content).not.toContain('Assam');
    }
    rmSync(below, { recursive: true });
  });

  it('leaves out below a directory what package managers and compilers read, and files of keys; a name reads the first', async () => {
    const below = mkdtempSync(join(folder, 'code-'));
    for (const name of ['package.json', 'tsconfig.build.json', 'secrets.yaml', 'packages.lock.json'])
      writeFileSync(join(below, name), '{"name": "kettle"}');
    writeFileSync(join(below, 'pnpm-lock.yaml'), 'lockfileVersion: 9\n');
    writeFileSync(join(below, 'a.md'), '# A\n\nTea.\n');
    const { stdout } = await svc('ingest', below, '--domain', 'code');
    expect(stdout.match(/^skipped .*\(settings of a program; name the file itself to read it\)$/gm)).toHaveLength(4);
    expect(stdout).toMatch(/^skipped .*secrets\.yaml \(a key file; such files are never ingested\)$/m);
    const only = mkdtempSync(join(folder, 'only-'));
    writeFileSync(join(only, 'package.json'), '{"name": "kettle"}');
    for (const more of [[], ['--dry-run']])
      expect((await svc('ingest', only, '--domain', 'code', ...more)).stderr).toContain('no file');
    expect((await svc('ingest', join(below, 'package.json'), '--domain', 'code')).code).toBe(0);
    expect((await svc('ingest', join(below, 'secrets.yaml'), '--domain', 'code')).code).toBe(1);
    // A file that was named is read again with its directory.
    for (const lid of ['copper', 'brass']) {
      writeFileSync(join(below, 'package.json'), JSON.stringify({ name: 'kettle', lid }));
      const planned = await svcJson('ingest', below, '--domain', 'code', '--dry-run');
      const { files, skipped } = await svcJson('ingest', below, '--domain', 'code');
      const pathsOf = (list: ReadonlyArray<{ path: string }>) => list.map(({ path }) => path);
      expect([pathsOf(planned.files), planned.skipped]).toEqual([pathsOf(files), skipped]);
      expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(
        ['a.md', 'package.json'].map((name) => join(below, name)),
      );
      expect(skipped).toHaveLength(4);
      const { items } = await svcJson('query', 'What is the lid of the kettle?', '--domain', 'code');
      expect(items[0].content).toContain(lid);
    }
    rmSync(join(below, 'a.md'));
    const { files } = await svcJson('ingest', below, '--domain', 'code');
    expect(files).toMatchObject([{ path: join(below, 'package.json'), result: { unchanged: true } }]);
    const other = await svc('ingest', below, '--domain', 'other');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no file that can be ingested')]);
    rmSync(below, { recursive: true });
  });

  it('reads files of records as tables, and says of other JSON below a directory how it is read', async () => {
    const events = file('events.jsonl', '{"name":"Flood","hall":"east"}\n{"name":"Fire","hall":"west"}\n');
    const settings = file('settings.json', '["kettle","copper"]');
    const alone = await svc('ingest', events, '--domain', 'd');
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('2 passages')]);
    const { code, stdout } = await svc('ingest', folder, '--domain', 'd');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/unchanged .*events\.jsonl/)]);
    expect(stdout).toMatch(/skipped .*settings\.json \(.*with --type text, as plain text; .* structured ingest/);
    expect((await svc('ingest', settings, '--domain', 'd')).stdout).toMatch(/failed .*with --type text/);
    expect((await svc('ingest', settings, '--type', 'text', '--domain', 'd')).code).toBe(0);
  });

  it('fails for a file that was named and is no document, reads the others, and plans the same', async () => {
    const settings = file('settings.json', '["kettle","copper"]');
    const note = file('k.md', '# K\n\nKettles are copper.\n');
    const blank = file('blank.md', '');
    for (const dryRun of [[], ['--dry-run']]) {
      const { code, stdout } = await svc('ingest', settings, note, blank, '--domain', 'n', '--json', ...dryRun);
      const { files, skipped } = JSON.parse(stdout);
      const codes = files.map(({ path, failure }: { path: string; failure?: { code: string } }) => [
        path,
        failure?.code,
      ]);
      expect([code, codes, skipped]).toEqual([
        1,
        [
          [settings, 'unsupported_media'],
          [note, undefined],
          [blank, 'invalid_input'],
        ],
        [],
      ]);
    }
    const shown = await svc('ingest', settings, note, '--domain', 'n');
    expect([shown.code, shown.stdout]).toEqual([1, expect.stringMatching(/^failed .*settings\.json .*--type text/m)]);
  });

  it('passes over what is no document below a directory, and plans the same', async () => {
    const below = mkdtempSync(join(folder, 'below-'));
    const settings = join(below, 'settings.json');
    writeFileSync(settings, '["kettle","copper"]');
    writeFileSync(join(below, 'blank.md'), '');
    for (const dryRun of [[], ['--dry-run']]) {
      const { code, stdout } = await svc('ingest', below, '--domain', 'n', '--json', ...dryRun);
      const { files, skipped } = JSON.parse(stdout);
      const left = skipped.map(({ path }: { path: string }) => path).sort();
      expect([code, files, left]).toEqual([0, [], [join(below, 'blank.md'), settings]]);
    }
    rmSync(join(below, 'blank.md'));
    expect((await svc('ingest', below, '--domain', 'n', '--dry-run')).code).toBe(0);
    rmSync(below, { recursive: true });
  });

  it('says of a path that cannot be looked at which it is and what to do', async () => {
    const loop = join(folder, 'loop.md');
    symlinkSync(loop, loop);
    const long = join(folder, 'x'.repeat(300));
    const [dead, near, around] = ['dead.md', 'near.md', 'around.md'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    symlinkSync(join(folder, 'elsewhere', 'gone.md'), dead);
    symlinkSync('gone.md', near);
    symlinkSync('near.md', around);
    for (const [path, problem] of [
      [loop, 'is a link that leads back to itself; name the file.'],
      [long, 'is too long for a path; check it.'],
      [join(folder, 'none.md'), 'does not exist; check the path.'],
      [
        dead,
        `is a link to ${join(folder, 'elsewhere', 'gone.md')}, which does not exist; mend the link, or name another file.`,
      ],
      [near, 'is a link to gone.md, which does not exist; mend the link, or name another file.'],
      [around, 'is a link to near.md, which leads to nothing; mend the link, or name another file.'],
      [join(near, 'a.md'), 'does not exist; check the path.'],
    ] as const)
      for (const options of [[], ['--type', 'messages'], ['--dry-run'], ['--watch'], ['--forget-missing']]) {
        const { code, stderr } = await svc('ingest', path, '--domain', 'n', ...options);
        expect([options, code, stderr]).toEqual([options, 2, `Error: ${path} ${problem}\n`]);
      }
    for (const link of [loop, dead, around]) rmSync(link);
    const shown = await svc('ingest', folder, '--domain', 'n', '--json');
    const failures = JSON.parse(shown.stdout).files.filter((one: { failure?: object }) => one.failure !== undefined);
    expect(failures).toEqual([
      {
        path: near,
        failure: { code: 'not_found', error: 'The file is a link to a file that is not there; mend the link.' },
      },
    ]);
    rmSync(near);
  });

  it('says of a path that the rights close what hinders', async () => {
    const closed = file('closed/k.md', '# K\n');
    chmodSync(join(folder, 'closed'), 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      for (const options of [[], ['--type', 'messages']]) {
        const { code, stderr } = await svc('ingest', closed, '--domain', 'n', ...options);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`${closed} cannot be read; its rights`)]);
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(folder, 'closed'), 0o700);
      rmSync(join(folder, 'closed'), { recursive: true });
    }
  });

  it('tells how a chat export is read', async () => {
    const chat = file('talk.jsonl', '{"text":"Tea?"}\n');
    const hint = 'read with --type messages';
    expect((await svc('ingest', chat, '--domain', 'd')).stdout).toContain(hint);
    expect((await svc('ingest', folder, '--domain', 'd')).stdout).toContain(hint);
    expect((await svc('ingest', join(folder, 'a.md'), '--domain', 'd')).stdout).not.toContain(hint);
  });

  it('does not blame a line of messages for a wrong --domain', async () => {
    const chat = file('chat.jsonl', '{"text":"Tea?"}\n');
    const { stderr } = await svc('ingest', chat, '--type', 'messages', '--domain', 'büro');
    expect(stderr).toMatch(/^Error: --domain must/);
  });
});

describe('a question', () => {
  it('may stand without quotes', async () => {
    await svcJson('ingest', file('tea.md', '# Tea\n\nGreen tea comes from Japan.\n'), '--domain', 'd');
    const { items } = await svcJson('query', 'where', 'does', 'green', 'tea', 'come', 'from', '--top-k', '1');
    expect(items[0].content).toContain('Green tea comes from Japan.');
    expect((await svcJson('compare', 'green', 'tea', '--domain', 'd')).query).toBe('green tea');
  });

  it('that nothing answers is told what a score is and what to do', async () => {
    const { stdout } = await svc('query', 'Which tower of Japan did Mira Voss design in 1911?', '--domain', 'd');
    expect(stdout).toMatch(/^Nothing here is likely to answer this/);
    expect(stdout).toContain(
      'A score is the probability, 0 to 1, that an item answers; below 0.1 it hardly ever does.',
    );
  });

  it('in a language other than English is not told that nothing answers', async () => {
    await svcJson('ingest', file('gyokuro.md', '# Gyokuro\n\nNever boil Gyokuro of Japan.\n'), '--domain', 'd');
    const question = 'Welcher Turm in Japan wurde von der Architektin entworfen?';
    const { stdout } = await svc('query', question, '--domain', 'd');
    expect(stdout).not.toContain('likely to answer');
    expect(stdout).toContain('in German scores are low, also of what answers: look at the items.');
    expect(stdout).not.toContain('Rules that apply');
    expect(foreignNote([question], 'minilm')).toMatch(/^The built-in model reads English; in German/);
    expect(foreignNote(['Who?', '東京タワー'], 'static')).toContain('in another script');
    expect(foreignNote(['Who designed the tower?', 'Aldra Tower'], 'minilm')).toBeUndefined();
    expect(foreignNote([question], 'openai')).toBeUndefined();
  });

  it('whose items are all below --min-confidence is told the best score and how to see it', async () => {
    const { stdout } = await svc('query', 'where does green tea come from', '--domain', 'd', '--min-confidence', '1');
    expect(stdout).toMatch(/^No item has a score of 1 or more; the best has 0\.\d\d\.\n/);
    const [, lower] = /A lower --min-confidence, such as (0\.\d+), shows it/.exec(stdout) ?? [];
    const again = await svc('query', 'where does green tea come from', '--domain', 'd', '--min-confidence', lower!);
    expect(again.stdout).toContain('1. ');
    expect((await svc('query', 'qwzx', '--domain', 'd', '--min-confidence', '0')).stdout).not.toContain('--min-conf');
  });
});
