import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { type BookXml, epubOf } from './archives.js';
import { readParts } from './read-parts.js';

const read = (book: BookXml) => readParts('lamp.epub', epubOf(book));
const point = (title: string, target: string, more = '') =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="${target}"/>${more}</navPoint>`;

describe('a book', () => {
  it('has its chapters below its title, by their headings or by the table of contents', async () => {
    const bytes = await readFile('test/fixtures/documents/lamp.epub');
    expect(await readParts('lamp.epub', bytes)).toEqual([
      ...['0 The Lamp at Kell Point', 'author: Mara Finch', 'A story by Mara Finch. First printed in 1931.'],
      ...['1 Part One', '2 The Keeper'],
      'Old Tam Arran kept the light for thirty-one years [1]. He never left the rock in winter.\n[1] From 1868 to 1899.',
      ...['2 The Storm', 'On the ninth of November the brig Halcyon struck the reef.', 'A brig has two masts.'],
      'Eleven men were saved.',
    ]);
    expect(await parse({ name: 'lamp.epub', type: 'epub', bytes })).toMatchObject({ title: 'The Lamp at Kell Point' });
  });

  it('has the titles of the table of contents where they lead to in a chapter', async () => {
    const chapter =
      '<p>Before.</p><div id="a"><p>The Keeper</p><p>He left.</p></div><p id="b" class="t">The Storm</p><p>It blew.</p>';
    const ncx = point(
      'Part',
      'a%20b.xhtml#top',
      point('The Keeper', 'a%20b.xhtml#a') + point('The Storm', 'a%20b.xhtml#b'),
    );
    expect(await read({ chapters: { 'a%20b.xhtml': chapter, 'c.xhtml': '<p>It goes on.</p>' }, ncx })).toEqual([
      ...['0 The Lamp', '1 Part', 'Before.', '2 The Keeper', 'He left.', '2 The Storm', 'It blew.', 'It goes on.'],
    ]);
  });

  it('has a chapter that is called as the book is', async () => {
    const chapters = { 'a.xhtml': '<h1>The LAMP</h1><p>1931</p>', 'b.xhtml': '<h1>Snow</h1><p>It fell.</p>' };
    expect(await read({ chapters: { ...chapters, 'c.xhtml': '<h1>The Lamp</h1><p>It shone.</p>' } })).toEqual([
      ...['0 The Lamp', '1931', '1 Snow', 'It fell.', '1 The Lamp', 'It shone.'],
    ]);
  });

  it('names those who wrote it, and nobody else', async () => {
    const creator = (name: string, role: string) => `<dc:creator opf:role="${role}">${name}</dc:creator>`;
    const metadata = `<dc:title>The Lamp</dc:title>${creator('Ada Bly', 'aut')}${creator('Bo Ek', 'ill')}<dc:creator id="c">Mia Sand</dc:creator><meta refines="#c" property="role">trl</meta><dc:creator>Tam Orr</dc:creator>`;
    expect((await read({ chapters: { 'a.xhtml': '<p>Words.</p>' }, metadata }))[1]).toBe('authors: Ada Bly, Tam Orr');
  });

  it('reads elements that are empty in XML, and nothing out of the archive', async () => {
    const chapters = {
      'a.xhtml': '<h1>A</h1><p/><script src="x"/><p>One<i/> and <b>two</b>.</p>',
      '../../../etc/passwd': '<p>x</p>',
    };
    expect(await read({ chapters })).toEqual(['0 The Lamp', '1 A', 'One and two.']);
  });

  it('is refused where its chapters are encrypted, and read where only its fonts are', async () => {
    const encrypted = (algorithm: string, path: string) =>
      `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const book = (encryption: string) =>
      read({ chapters: { 'a.xhtml': '<p>Words.</p>' }, more: { 'META-INF/encryption.xml': encryption } });
    await expect(book(encrypted('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/a.xhtml'))).rejects.toMatchObject(
      {
        code: 'invalid_input',
        message: expect.stringMatching(/^lamp\.epub is protected against copying/u),
      },
    );
    await expect(book(encrypted('http://www.idpf.org/2008/embedding', 'OEBPS/a.otf'))).resolves.toContain('Words.');
  });
});
