import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/ingest/parse/limits.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';
import { archiveOf, epubOf, type Files, line, openDocumentOf, pptxOf, shape, sharedArchive } from './archives.js';
import { readParts } from './read-parts.js';

const nested = (open: string, close: string, times: number, text: string) =>
  open.repeat(times) + text + close.repeat(times);
const words = '<text:p>Words.</text:p>';
const odt = (body: string, options = {}) => openDocumentOf('text', body, options);

async function refused(name: string, bytes: Uint8Array, limit: keyof typeof LIMITS, said: string) {
  await expect(parse({ name, type: documentType(name), bytes })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining(said),
    details: { member: 'source_path', limit },
  });
}

describe('archives that would hold a parser up are refused with the limit', () => {
  const big = (size: number) => new Uint8Array(size).fill(32);

  it.each([
    ['rules.odt', (more: Files) => odt(words, { more }), 'styles.xml'],
    ['talk.odp', (more: Files) => openDocumentOf('presentation', '', { more }), 'styles.xml'],
    ['talk.pptx', (more: Files) => pptxOf([{ shapes: '' }], more), 'ppt/slides/slide9.xml'],
    ['lamp.epub', (more: Files) => epubOf({ chapters: {}, more }), 'a.opf'],
  ] as const)('size, ratio and number of entries of %s', async (name, make, entry) => {
    await refused(name, make({ [entry]: big(65 << 20) }), 'unpackedMib', 'more than 64 MiB');
    await refused(name, make({ [entry]: big(32 << 20) }), 'ratio', 'compressed by more than 200 to 1');
    const many = Object.fromEntries(Array.from({ length: LIMITS.entries + 1 }, (_, i) => [`media/${i}.png`, '']));
    await refused(name, make(many), 'entries', 'more than 10000 archive entries');
  });

  it('entries that share their bytes, of which the directory says that there are none', async () => {
    const slides = Array.from({ length: 1000 }, (_, i) => `ppt/slides/slide${i}.xml`);
    await refused('talk.pptx', sharedArchive(slides, big(1 << 20), 0), 'unpackedMib', 'more than 64 MiB');
    const sheets = slides.map((name) => name.replace('slide', 'worksheet'));
    await refused('club.xlsx', sharedArchive(sheets, big(1 << 20), 0), 'sheetMib', 'more than 160 MiB');
  });

  it('elements nested too deep', async () => {
    await refused(
      'rules.odt',
      odt(nested('<text:section>', '</text:section>', 100_000, words)),
      'depth',
      'nests elements',
    );
    const group = nested('<p:grpSp>', '</p:grpSp>', 100_000, shape('title', line('Words')));
    await refused('talk.pptx', pptxOf([{ shapes: group }]), 'depth', 'nests elements');
    await refused(
      'lamp.epub',
      epubOf({ chapters: { 'a.xhtml': nested('<div>', '</div>', 100_000, 'x') } }),
      'depth',
      'nests elements',
    );
  });

  it('elements by the million', async () => {
    await refused(
      'rules.odt',
      odt('<text:s/><text:p>a</text:p>'.repeat(600_000)),
      'elements',
      'more than 1000000 elements',
    );
  });

  it('text that is repeated too often', async () => {
    const cell = `<table:table-cell table:number-columns-repeated="1000000000"><text:p>${'a '.repeat(80)}</text:p></table:table-cell>`;
    const table = `<table:table><table:table-row>${cell.repeat(10_000)}</table:table-row></table:table>`;
    await refused('rules.odt', odt(table), 'characters', 'more than 64 Mi characters');
  });
});

describe('archives that look like more than they are', () => {
  it('are read: cells and rows that are repeated a billion times', async () => {
    const repeated = (kind: string) => `table:number-${kind}-repeated="1000000000"`;
    const row = `<table:table-row ${repeated('rows')}><table:table-cell ${repeated('columns')}/><table:table-cell>${words}</table:table-cell></table:table-row>`;
    const [text] = await readParts('rules.odt', odt(`<table:table>${row}</table:table>`));
    expect(text).toMatch(/^\|[ |]{0,300} Words\. \|$/u);
  });

  it('are read: tables in repeated cells, each in the one before', async () => {
    const cell = '<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000">';
    const body = nested(cell, '</table:table-cell></table:table-row></table:table>', 12, words);
    expect((await readParts('rules.odt', odt(body))).join('')).toContain('Words.');
  });

  it('are read: entities that declare each other', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i === 0 ? '' : i};`.repeat(10)}">`).join('')}]>`;
    const content = `${bomb}<office:document-content><office:body><office:text><text:p>&a20; Words.</text:p></office:text></office:body></office:document-content>`;
    expect(await readParts('rules.odt', archiveOf({ 'content.xml': content }))).toEqual(['&a20; Words.']);
  });

  it('are read: styles that are derived from each other, and a slide that is listed very often', async () => {
    const style = (name: string, parent: string) =>
      `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"/>`;
    const styles = style('A', 'B') + style('B', 'A');
    expect(await readParts('rules.odt', odt('<text:p text:style-name="A">Words.</text:p>', { styles }))).toEqual([
      'Words.',
    ]);
    const list = `<p:presentation><p:sldIdLst>${'<p:sldId r:id="r1"/>'.repeat(100_000)}</p:sldIdLst></p:presentation>`;
    const more = { 'ppt/presentation.xml': list };
    expect(await readParts('talk.pptx', pptxOf([{ shapes: shape(undefined, line('Words.')) }], more))).toEqual([
      'Words.',
    ]);
  });

  it('are read: names that objects have anyway', async () => {
    const chapters = { constructor: '<p>Words.</p>', __proto__x: '<p>More.</p>' };
    const ncx = '<navPoint><navLabel><text>A</text></navLabel><content src="constructor#__proto__"/></navPoint>';
    expect(await readParts('lamp.epub', epubOf({ chapters, ncx }))).toEqual(['0 The Lamp', '1 A', 'Words.', 'More.']);
  });

  it('are read: a long attribute, and marks of notes that lead to nothing', async () => {
    const picture = `<p:pic><p:nvPicPr><p:cNvPr descr="${'a '.repeat(1_000_000)}"/></p:nvPicPr></p:pic>`;
    const [text] = await readParts('talk.pptx', pptxOf([{ shapes: picture }]));
    expect(text!.length).toBeLessThan(2001);
    const note = '<text:note><text:note-citation>1</text:note-citation></text:note>';
    expect((await readParts('rules.odt', odt(`<text:p>Words${note.repeat(10_000)}</text:p>`)))[0]).toMatch(
      /^Words \[1\]/u,
    );
  });
});

describe('archives that cannot be read say what to do', () => {
  const zip = archiveOf({ 'a.txt': 'x' });
  const old = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]);
  const locked = {
    'META-INF/manifest.xml':
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
  };
  const cut = odt(words).subarray(0, 200);

  it.each([
    ['talk.pptx', zip, 'is not a readable presentation file: damaged, cut off, or of another type; save it anew'],
    ['rules.odt', zip, 'is not a readable ODT file'],
    ['lamp.epub', zip, 'is not a readable EPUB file'],
    ['rules.odt', cut, 'is not a readable ODT file'],
    [
      'talk.pptx',
      old,
      'is protected by a password, or of an older PowerPoint; remove the password or save it as PPTX.',
    ],
    ['talk.odp', Buffer.from('words'), 'is no presentation file; say source_type if it is another.'],
    ['rules.odt', Buffer.from('words'), 'is no ODT file'],
    ['rules.odt', odt(words, { more: locked }), 'is protected by a password; save it without the password.'],
    ['talk.odp', odt('', { more: locked }), 'is protected by a password; save it without the password.'],
    ['rules.odt', odt('<text:p/>'), 'holds no text; there is nothing to ingest.'],
    ['talk.pptx', pptxOf([{ shapes: '' }]), 'holds no text'],
    ['lamp.epub', epubOf({ chapters: { 'a.xhtml': '<img/>' }, metadata: '' }), 'holds no text'],
  ])('%s: %#', async (name, bytes, said) => {
    await expect(parse({ name, type: documentType(name), bytes })).rejects.toThrow(`${name} ${said}`);
  });
});
