import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from '../ingest-markup/read-markup.js';

const BIB = String.raw`Words between entries are remarks, as is ada@example.org.
@string{jmb = "Journal of " # mb}
@string{mb = {Moors \& Bogs}}
@string{jmb = "Journal of " # mb}
@phdthesis{gruening09,
  author = {Gr{\"u}ning, J{\"o}rg and von der Au, Jr., Eva and {Bog and Fen Group} and Nguy{\~{\^e}}n Thi and others},
  title = "Bogs of the {L}\"uneburg Heath: {CH}$_{\textrm{4}}$ at 50% load",
  year = 2009, month = may # "", school = {Universit{\"a}t G\"ottingen},
  abstract = {First.\par Second, with 12--14 m$^2$.},
  keywords = {peat; water, CO$_2$},
  url = {https://ada:secret@example.org/a\_b?token=abcdefghijklmnopqrstuvwxyz012345},
  doi = {https://doi.org/10.5555/a\_b},
  file = {PDF:/home/ada/a.pdf:application/pdf},
}
@article(moor1, title = {Peat}, journal = jmb, volume = 3, number = {1/2}, pages = {7}, date = {2001-05-03})
@inproceedings{child, title = {Drones}, crossref = {PARENT}, pages = {1-9}}
@proceedings{parent, title = {Proceedings of ICCP}, year = {2018}, editor = {Holm, Per}}
@comment{jabref-meta: {databaseType:bibtex;}}
@misc{title = {No key}, howpublished = {\url{https://example.org/x}}}
`;

describe('a list of literature in BibTeX', () => {
  it('has each entry as a row below its title, with accents as letters', async () => {
    expect(await linesOf('My Library.bib', BIB)).toEqual([
      '# 1 My Library',
      '# 2 Bogs of the Lüneburg Heath: CH₄ at 50% load',
      'prose: authors: Jörg Grüning, Eva von der Au, Jr., Bog and Fen Group, Nguy~ên Thi, and others; date: 2009-05; publisher: Universität Göttingen; kind: doctoral thesis; keywords: peat, water, CO₂; DOI: 10.5555/a_b; address: https://example.org/a_b; key: gruening09.',
      'prose: abstract: First.\nSecond, with 12–14 m².',
      '# 2 Peat',
      'prose: date: 2001-05-03; in: Journal of Moors & Bogs, volume 3, issue 1/2, page 7; kind: journal article; key: moor1.',
      '# 2 Drones',
      'prose: editor: Per Holm; date: 2018; in: Proceedings of ICCP, pages 1–9; kind: conference paper; key: child.',
      '# 2 Proceedings of ICCP',
      'prose: editor: Per Holm; date: 2018; kind: proceedings; key: parent.',
      '# 2 No key',
      'prose: address: https://example.org/x.',
    ]);
  });

  it('keeps all other entries where one lacks a comma or a brace, and says so', async () => {
    const written =
      '@book{a, title = {One}\n year = {1999}}\n@book{b, title = {Two, year = {2001}\n@book{c, title = {Three}, year=2003}';
    const { parts, notice } = await readFile('x.bib', written);
    expect(parts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['One', 'date: 1999; kind: book; key: a.', 'Three', 'date: 2003; kind: book; key: c.']),
    );
    expect(notice).toBe(
      '1 entry of it ends without a closing brace, or has a sign too many; what stands before was read.',
    );
    expect((await readFile('x.bib', '@book{c, title = {Three}}')).notice).toBeUndefined();
  });

  it('is read in Windows-1252 where it is not UTF-8', async () => {
    const bytes = Buffer.from('@book{a, title = {Über Möwen}, author={Bär, Jürgen}}', 'latin1');
    expect((await readFile('x.bib', bytes)).parts[1]).toMatchObject({ text: 'Über Möwen' });
  });

  it('is refused without entries', async () => {
    await expect(readFile('x.bib', '% nothing\n@comment{x}')).rejects.toThrow('x.bib holds no text');
  });
});

describe('a list of literature in RIS', () => {
  it('has each entry as a row below its title, without the tags of HTML', async () => {
    const written = `Provider: X\n\nTY  - JOUR\r\nTI  - Noise of pumps\r\nAU  - Okafor, Chidi\r\nAU  - Berg, Anna, Jr.\r\nT2  - Marine Engineering\r
AB  - <jats:p>We measured &amp; wrote\r\nin three harbours.</jats:p>\r\nDA  - 2019/11/03/\r\nPY  - 2019\r\nVL  - 12\r\nIS  - 4\r\nSP  - 201\r\nEP  - 219\r
DO  - doi:10.5555/j.4\r\nSN  - 1234-5678\r\nKW  - noise\r\nKW  - pumps; harbours\r\nN1  - <p>Ask Chidi.</p>\r\nL1  - file:///home/ada/x.pdf\r\nER  - \r\n\r
TY  - CHAP\r\nTI  - Grease\r\nA1  - Lindqvist, Maja\r\nED  - Holm, Per\r\nT2  - Handbook\r\nPB  - Elsevier\r\nCY  - Delft\r\nY1  - 2003///\r\nSN  - 978-0\r\nTY  - BOOK\r\nT1  - Cut off`;
    expect(await linesOf('pumps.ris', written)).toEqual([
      '# 1 pumps',
      '# 2 Noise of pumps',
      'prose: authors: Chidi Okafor, Anna Berg, Jr.; date: 2019-11-03; in: Marine Engineering, volume 12, issue 4, pages 201–219; kind: journal article; keywords: noise, pumps, harbours; DOI: 10.5555/j.4.',
      'prose: abstract: We measured & wrote\nin three harbours.',
      'prose: note: Ask Chidi.',
      '# 2 Grease',
      'prose: author: Maja Lindqvist; editor: Per Holm; date: 2003; in: Handbook; publisher: Elsevier, Delft; kind: chapter; ISBN: 978-0.',
      '# 2 Cut off',
      'prose: kind: book.',
    ]);
  });
});

describe('a list of literature in CSL JSON', () => {
  const kant = {
    id: 'kant1781',
    type: 'book',
    title: 'Kritik',
    author: [{ literal: 'Immanuel Kant' }],
    issued: { 'date-parts': [['1781']] },
  };

  it('has each entry as a row below its title', async () => {
    const nap = {
      id: 'http://zotero.org/users/1/items/AB',
      type: 'article-journal',
      title: 'Sleep in <i>Apis</i>',
      'container-title': 'Annals',
      volume: 7,
      page: '33-51',
      abstract: 'Naps help.',
      DOI: '10.5555/7',
      author: [
        { family: 'Gogh', given: 'Pieter', 'non-dropping-particle': 'van' },
        { family: 'Roe', suffix: 'III' },
        'x',
        null,
      ],
      issued: {
        'date-parts': [
          [2021, 3, 14],
          [2021, 4],
        ],
      },
    };
    expect(await linesOf('lit.json', JSON.stringify([nap, kant]))).toEqual([
      '# 1 lit',
      '# 2 Sleep in Apis',
      'prose: authors: Pieter van Gogh, Roe, III; date: 2021-03-14 to 2021-04; in: Annals, volume 7, pages 33–51; kind: journal article; DOI: 10.5555/7.',
      'prose: abstract: Naps help.',
      '# 2 Kritik',
      'prose: author: Immanuel Kant; date: 1781; kind: book; key: kant1781.',
    ]);
  });

  it('is told from other records', async () => {
    const rows = [
      { type: 'book', title: 'Kritik', author: 'Kant' },
      { type: 'map', title: 'Riga', author: 'Hartknoch' },
    ];
    expect((await linesOf('shelf.json', JSON.stringify(rows)))[2]).toBe('prose: type: book; author: Kant.');
    expect((await linesOf('shelf.json', JSON.stringify([kant, { ...kant, type: 'shelf' }])))[2]).toContain(
      'type: book',
    );
  });
});

describe('a hostile list of literature', () => {
  const doubled = Array.from({ length: 40 }, (_, i) => `@string{a${i + 1} = a${i} # a${i}}`).join('\n');
  it.each([
    ['x.bib', 'braces in each other', `@book{k, title={${'{'.repeat(200_000)}x${'}'.repeat(200_000)}}}`],
    ['x.bib', 'braces without ends', `@book{k, title={${'{'.repeat(500_000)}`],
    ['x.bib', 'entries without ends', '@book{k, title={x\n'.repeat(50_000)],
    ['x.bib', 'entries in one line', '@book{k, title={x '.repeat(50_000)],
    ['x.bib', 'signs', `${'@'.repeat(1_000_000)}\n@book{k, title={x}}`],
    ['x.bib', 'names in one field', `@book{k, title={x}, author={${'A and '.repeat(100_000)}}}`],
    ['x.bib', 'fields of one name', `@book{k, ${'title={x},'.repeat(100_000)}}`],
    [
      'x.bib',
      'entries that hold each other',
      '@book{a,crossref={b},title={A}}\n@book{b,crossref={a},title={B}}\n@book{c,crossref={c},title={C}}',
    ],
    ['x.ris', 'lines that go on', `TY  - BOOK\nTI  - x\nAB  - a\n${'b\n'.repeat(500_000)}`],
    ['x.ris', 'tags', `TY  - BOOK\n${'KW  - a\n'.repeat(200_000)}TI  - x\n`],
    ['x.json', 'people', JSON.stringify([{ type: 'book', title: 'x', author: Array(100_000).fill({ family: 'A' }) }])],
  ])(
    '%s: %s is read',
    async (name, _, written) => {
      expect((await readFile(name, written)).parts.length).toBeGreaterThan(1);
    },
    30_000,
  );

  it('is refused where abbreviations stand for very much', async () => {
    await expect(readFile('x.bib', `@string{a0 = "words"}\n${doubled}\n@book{k, title = a40}`)).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'expandedCharacters' },
    });
  });

  it('defines no commands', async () => {
    const [, title] = (await readFile('x.bib', '@book{k, title={\\newcommand{\\x}{yy}\\x}}')).parts;
    expect(title?.text).toContain('newcommand');
  });
});
