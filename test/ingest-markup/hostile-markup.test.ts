import { describe, expect, it } from '@jest/globals';
import { readFile } from './read-markup.js';

const times = (text: string, count: number) => text.repeat(count);
const MEBI = 1 << 20;

/** Files that would hold a careless reader up, or use up its memory. */
const HELD_UP: ReadonlyArray<readonly [name: string, what: string, written: string]> = [
  ['a.tex', 'braces in each other', `${times('{', 100_000)}x${times('}', 100_000)}`],
  ['a.tex', 'commands in each other', `x ${times('\\emph{', 100_000)}`],
  ['a.tex', 'footnotes in each other', `x ${times('\\footnote{', 100_000)}`],
  ['a.tex', 'ends without beginnings', `x ${times('{', 100_000)}${times('\\end{a}', 100_000)}`],
  ['a.tex', 'environments in each other', `x ${times('\\begin{itemize}', 50_000)}`],
  ['a.tex', 'options without ends', `x ${times('\\item[', 100_000)}`],
  ['a.tex', 'formulas without ends', `x ${times('\\(', 200_000)}${times('$a ', 99_999)}`],
  ['a.tex', 'footnotes of one paragraph', times('x \\footnote{y} ', 50_000)],
  [
    'a.tex',
    'commands that stand for ten of the one before',
    `x ${'bcdefgh'.replace(/./gu, (one, i) => `\\newcommand{\\q${one}}{${times(`\\q${'abcdefg'[i]}`, 10)}}`)}\\qh`,
  ],
  ['a.tex', 'a command that holds itself', '\\newcommand{\\x}[1]{\\x{#1#1}}x \\x{\\x{\\x{a}}}'],
  ['a.org', 'headlines in each other', Array.from({ length: 2000 }, (_, i) => `${times('*', i + 1)} h`).join('\n')],
  ['a.org', 'marks without ends', times('*a /b =c ~d [[e [fn:f ', 40_000)],
  ['a.org', 'drawers and blocks without ends', `x\n${times(':A:\n#+begin_quote\n* a\n:PROPERTIES:\n', 20_000)}`],
  ['a.org', 'items in each other', Array.from({ length: 2000 }, (_, i) => `${times(' ', i)}- a`).join('\n')],
  ['a.org', 'days without ends', times('<2026-01-01 Mon>--', 50_000)],
  ['a.adoc', 'marks without ends', times('*a _b `c <<d link:e[ footnote:[ ', 20_000)],
  [
    'a.adoc',
    'attributes that stand for four of the one before',
    `:a0: x\n${Array.from({ length: 30 }, (_, i) => `:a${i + 1}: ${times(`{a${i}}`, 4)}`).join('\n')}\n\nx {a30}\n`,
  ],
  ['a.adoc', 'a cell that stands a hundred million times', '|===\n|x\n100000000*|b\n|===\n'],
  ['a.adoc', 'sections of one title', times('== a\n\nt\n\n', 10_000)],
  [
    'a.opml',
    'entities that stand for ten of the one before',
    `<!DOCTYPE x [<!ENTITY l0 "x">${Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${times(`&l${i};`, 10)}">`).join('')}]><opml><outline text="&l20;"/></opml>`,
  ],
  [
    'a.opml',
    'branches before leaves',
    `<opml>${times('<outline text="a"><outline text="b"><outline text="c"/></outline><outline text="d"/></outline>', 20_000)}</opml>`,
  ],
];

describe('markup that would hold a parser up', () => {
  it.each(HELD_UP)('is read: %s of %s', async (name, _what, written) => {
    const { parts } = await readFile(name, written);
    expect(parts.length).toBeGreaterThan(0);
    // What is read is no longer than a few times what was written.
    expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(10 * written.length + 100_000);
  });

  it.each(['a.tex', 'a.org', 'a.adoc'])('is read: ten megabytes of one character in %s', async (name) => {
    const { parts } = await readFile(name, times('a', 10 * MEBI));
    expect(parts.length).toBeGreaterThan(1);
  });

  it('is refused with a sentence', async () => {
    await expect(readFile('a.opml', times('a', 10 * MEBI))).rejects.toThrow(
      'a.opml holds no text; there is nothing to ingest.',
    );
    await expect(readFile('a.opml', times('<outline text="a">', 100_000))).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'depth' },
    });
  });

  it.each(['a.tex', 'a.org', 'a.adoc', 'a.opml'])(
    'is told as empty, as binary, and read in UTF-16: %s',
    async (name) => {
      await expect(readFile(name, ' \n')).rejects.toMatchObject({ details: { empty: true } });
      await expect(readFile(name, new Uint8Array([0x89, 0x50, 0, 1, 2, 3, 0, 0, 9, 0xff]))).rejects.toMatchObject({
        code: 'unsupported_media',
      });
      const written = name === 'a.opml' ? '<opml><body><outline text="Käse"/></body></opml>' : 'Käse';
      const { parts } = await readFile(
        name,
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(written, 'utf16le')]),
      );
      expect(parts.map(({ text }) => text.replace('- ', ''))).toEqual(['Käse']);
    },
  );

  it('is told as what it is where it is of another format', async () => {
    await expect(readFile('a.tex', '%PDF-1.4\n1 0 obj\n')).rejects.toThrow('a.tex is a PDF file by what it holds');
    await expect(readFile('a.org', '{\\rtf1\\ansi x}')).rejects.toThrow('a.org is RTF by what it holds');
    await expect(readFile('a.opml', '<html><body><p>Hello</p></body></html>')).rejects.toThrow('a.opml holds no text');
  });
});
