import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { type ReadOptions, read as readAt } from '../../src/ingest/read/read.js';

let base = '';
let root = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-read-'));
  root = join(base, 'root');
  await mkdir(join(root, 'folder.md'), { recursive: true });
  await mkdir(join(base, 'root-beside'));
  await writeFile(join(base, 'outside.md'), 'outside');
  await writeFile(join(base, 'root-beside', 'near.md'), 'near');
  await writeFile(join(root, 'inside.md'), 'inside');
  await symlink(join(base, 'outside.md'), join(root, 'leaves.md'));
  await symlink(join(root, 'inside.md'), join(root, 'stays.md'));
  await symlink(base, join(root, 'up'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const read = (path: string, options: Partial<ReadOptions> = {}) =>
  readAt(path, { roots: [root], maxBytes: 1 << 20, ...options });

async function readBytes(name: string, content: string | Uint8Array, sourceType?: string) {
  await writeFile(join(root, name), content);
  return parse(await read(join(root, name), { sourceType }));
}

const texts = async (name: string, content: string | Uint8Array): Promise<string[]> =>
  [...(await readBytes(name, content)).parts].map((part) => part.text);

describe('where files are read from', () => {
  it('reads under a root, through links that stay there', async () => {
    expect(Buffer.from((await read(join(root, 'inside.md'))).bytes).toString()).toBe('inside');
    const linked = await read(join(root, 'stays.md'));
    expect(linked.path.endsWith('inside.md')).toBe(true);
  });

  it.each([
    '../outside.md',
    'leaves.md',
    'up/outside.md',
    '../root-beside/near.md',
    '../nothing-here.md',
    '/etc/passwd',
  ])('refuses %s with 403', async (path) => {
    await expect(read(path.startsWith('/') ? path : join(root, path))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('reads anywhere without roots', async () => {
    await expect(read(join(base, 'outside.md'), { roots: undefined })).resolves.toMatchObject({ name: 'outside.md' });
  });

  it.each([
    ['folder.md', 'invalid_input', 'directory'],
    ['missing.md', 'not_found', 'no file'],
    ['inside.md/more.md', 'not_found', 'no file'],
    ['a\0b.md', 'invalid_input', 'path'],
  ])('answers %s with %s', async (path, code, word) => {
    await expect(read(join(root, path))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(word),
      details: { member: 'source_path' },
    });
  });

  it('refuses a file over the size', async () => {
    await writeFile(join(root, 'large.txt'), 'x'.repeat(2000));
    await expect(read(join(root, 'large.txt'), { maxBytes: 1999 })).rejects.toMatchObject({ code: 'too_large' });
    await expect(read(join(root, 'large.txt'), { maxBytes: 2000 })).resolves.toHaveProperty('bytes.length', 2000);
  });
});

describe('how files are read', () => {
  it('takes the type by extension or as given, and lists the types for others', async () => {
    await writeFile(join(root, 'data.csv'), 'a,b');
    await expect(read(join(root, 'data.csv'))).resolves.toMatchObject({ type: 'csv' });
    await expect(read(join(root, 'data.csv'), { name: 'mail.EML' })).resolves.toMatchObject({ type: 'text' });
    await expect(read(join(root, 'data.csv'), { name: 'data.TSV' })).resolves.toMatchObject({ type: 'csv' });
    await expect(read(join(root, 'data.csv'), { name: 'data.XLSX' })).resolves.toMatchObject({ type: 'spreadsheet' });
    await expect(read(join(root, 'data.csv'), { name: 'data.xyz' })).rejects.toMatchObject({
      code: 'unsupported_media',
      message: expect.stringContaining('.docx'),
    });
    await expect(read(join(root, 'data.csv'), { name: 'mails.MBOX' })).resolves.toMatchObject({ type: 'text' });
    await expect(read(join(root, 'data.csv'), { name: 'chart.YML' })).resolves.toMatchObject({ type: 'yaml' });
    await expect(read(join(root, 'data.csv'), { name: 'posts.XML' })).resolves.toMatchObject({ type: 'feed' });
    for (const name of ['backup.sh', 'tile.PY'])
      await expect(read(join(root, 'data.csv'), { name })).resolves.toMatchObject({ type: 'code' });
    for (const [name, advice] of [
      ['chart.toml', 'ingest it by itself with source_type text, as plain text'],
      ['tile.SCSS', 'ingest it by itself with source_type text, as plain text'],
      ['report.qmd', 'ingest it by itself with source_type markdown'],
      ['data.numbers', 'export it as XLSX or its tables as CSV'],
      ['Talk.PPT', 'save it as PPTX or PDF'],
      ['novel.mobi', 'convert it to EPUB'],
      ['letter.pages', 'save it as DOCX or PDF'],
      ['Letter 1998.doc', 'save it as DOCX or PDF'],
      ['old (2).ZIP', 'unpack it and ingest what it holds'],
      ['scan.jpeg', 'run text recognition on it'],
      ['shop.sqlite', 'connect it as a source'],
      ['program.xyz', 'say source_type'],
    ] as const)
      await expect(read(join(root, 'data.csv'), { name })).rejects.toThrow(
        name === 'program.xyz' ? `, or ${advice}` : ` cannot be ingested; ${advice}`,
      );
    await expect(read(join(root, 'data.csv'), { sourceType: 'text' })).resolves.toMatchObject({ type: 'text' });
    await expect(read(join(root, 'data.csv'), { sourceType: 'xlsx' })).rejects.toMatchObject({
      code: 'unsupported_media',
    });
    await expect(read(join(root, 'inside.md'), { name: 'guide.rst' })).resolves.toMatchObject({ type: 'text' });
    await expect(read(join(root, 'inside.md'), { name: 'upload.HTM' })).resolves.toMatchObject({ type: 'html' });
  });

  it('accepts UTF-8 with and without a mark and UTF-16 with one', async () => {
    const text = 'Żółw — 亀 and a tortoise';
    expect(await texts('a.txt', text)).toEqual([text]);
    expect(await texts('b.txt', `\ufeff${text}`)).toEqual([text]);
    expect(await texts('c.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]))).toEqual([
      text,
    ]);
    expect(
      await texts('d.txt', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])),
    ).toEqual([text]);
  });

  it.each([
    ['empty.md', '', 'invalid_input', 'empty'],
    ['blank.txt', ' \n\t\n', 'invalid_input', 'white space'],
    ['mark.txt', '\ufeff\n', 'invalid_input', 'white space'],
    ['zeros.txt', Buffer.alloc(500), 'unsupported_media', 'binary'],
    ['program.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 3]), 'unsupported_media', 'binary'],
    ['latin.txt', Buffer.from('Un caf\u00e9 tr\u00e8s fort', 'latin1'), 'invalid_input', 'UTF-8'],
    [
      'western.md',
      Buffer.from('Gr\u00fc\u00dfe aus dem Norden', 'latin1'),
      'invalid_input',
      'perhaps Windows-1252; convert it with "iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW_FILE" and ingest the new file.',
    ],
    [
      'russian.txt',
      Buffer.from('cff0e8e2e5f2', 'hex'),
      'invalid_input',
      'not UTF-8 text; convert it with "iconv -f ITS_CHARSET -t UTF-8 FILE > NEW_FILE" and ingest the new file.',
    ],
    [
      'russian.html',
      Buffer.concat([Buffer.from('<p class="intro">'), Buffer.from('cff0e8e2e5f2', 'hex'), Buffer.from('</p>')]),
      'invalid_input',
      'declare its charset in a meta element',
    ],
    ['half.txt', Buffer.from([0xff, 0xfe, 0x41]), 'invalid_input', 'utf-16le'],
    ['text.pdf', 'this is no PDF', 'unsupported_media', 'PDF'],
    ['broken.pdf', '%PDF-1.7\nnothing more', 'invalid_input', 'PDF'],
    ['text.docx', 'this is no document', 'unsupported_media', 'DOCX'],
    ['locked.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'unsupported_media', 'remove the password'],
    ['broken.docx', 'PK\u0003\u0004 nothing more', 'invalid_input', 'DOCX'],
    ['script.html', '<script>var a = 1</script>', 'invalid_input', 'no text'],
  ])('refuses %s', async (name, content, code, word) => {
    await expect(readBytes(name, content)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(word),
      details: { member: 'source_path' },
    });
  });

  it('honours the charset that a page declares', async () => {
    expect(
      await texts('declared.html', Buffer.from('<meta charset="iso-8859-1"><p>Un caf\u00e9</p>', 'latin1')),
    ).toEqual(['Un café']);
  });

  it.each([
    ['no charset', '<p>Un caf\xe9 \x93fort\x94: 3 \x80</p>', 'Un café “fort”: 3 €'],
    ['one that does not exist', '<meta charset="latin-9x"><p>Un caf\xe9</p>', 'Un café'],
    ['UTF-16, which could not be read so far', '<meta charset="utf-16"><p>Un caf\xe9</p>', 'Un café'],
    ['an older declaration', '<meta http-equiv="x" content="text/html; charset=iso-8859-2"><p>\xe8a</p>', 'ča'],
  ])('reads a page as browsers do that declares %s', async (_what, page, text) => {
    expect(await texts('page.html', Buffer.from(page, 'latin1'))).toEqual([text]);
  });

  it('reads a page of no charset behind very many brackets', async () => {
    const page = Buffer.from(`${'<'.repeat(100_000)}p>Un caf\xe9`, 'latin1');
    expect((await texts('page.html', page)).at(-1)).toBe('Un café');
  });

  it('reads a page of Unicode with a byte order mark, whatever it declares', async () => {
    const page = '<meta charset="iso-8859-1"><p>Un café</p>';
    for (const bytes of [Buffer.from(`\ufeff${page}`), Buffer.from(`\ufeff${page}`, 'utf16le')])
      expect(await texts('page.html', bytes)).toEqual(['Un café']);
  });
});
