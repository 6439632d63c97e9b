import { describe, expect, it } from '@jest/globals';
import { tokenize } from '../../src/core/text/tokens.js';
import { chunkSection } from '../../src/ingest/extract/chunk-section.js';
import { docxParts } from '../../src/ingest/parse/docx.js';
import { htmlParts } from '../../src/ingest/parse/html.js';
import { markdownParts } from '../../src/ingest/parse/markdown.js';
import { type Part, sections } from '../../src/ingest/parse/parts.js';
import { batches } from '../../src/ingest/parse/worker/batches.js';
import { processorTime } from '../support/processor-time.js';
import { docxOf } from './hostile-documents.js';

async function passages(parts: Iterable<Part>): Promise<string[]> {
  const found: string[] = [];
  const cleaned = [...batches(undefined, parts)].flatMap((batch) => batch.parts);
  for await (const section of sections(cleaned)) found.push(...chunkSection(section));
  return found;
}

const fromHtml = (html: string) => passages(htmlParts(html).parts);
const fromMarkdown = (text: string) => passages(markdownParts(text));

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string, raised = '') =>
  `<w:r>${raised === '' ? '' : `<w:rPr><w:vertAlign w:val="${raised}"/></w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A DOCX with one note of each kind: `kind` is `footnote` or `endnote`. */
const noteFiles = (kind: string, text: string) => ({
  [`word/${kind}s.xml`]: bytesOf(
    `<w:${kind}s ${WORD}><w:${kind} w:id="2"><w:p>${run(text)}</w:p></w:${kind}></w:${kind}s>`,
  ),
  'word/_rels/document.xml.rels': bytesOf(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}s" Target="${kind}s.xml"/></Relationships>`,
  ),
});

describe('superscripts and subscripts', () => {
  it.each([
    ['14<sup>1</sup> Euro', '14 [1] Euro'],
    ['30<sup>2)</sup> €', '30 [2] €'],
    ['10<sup>6</sup> items', '10^6 items'],
    ['10<sup>−3</sup>', '10^-3'],
    ['2<sup>10</sup> bytes', '2^10 bytes'],
    ['3<sup>2</sup> = 9', '3^2 = 9'],
    ['10<sup>n+1</sup>', '10^(n+1)'],
    ['50 m<sup>2</sup> of H<sub>2</sub>O and Ca<sup>2+</sup>', '50 m² of H₂O and Ca²⁺'],
    ['12<sub>8</sub>', '12_8'],
    ['the rent<sup>2</sup> and the', 'the rent [2] and the'],
    ['about <sup>14</sup>C', 'about ¹⁴C'],
    ['the 1<sup>st</sup> of May, V<sub>max</sub>', 'the 1st of May, Vmax'],
    ['the end.<sup>3, 4</sup> Then', 'the end [3, 4]. Then'],
    ['draft-07<sup>2</sup> and', 'draft-07 [2] and'],
    ['by <sub>_fengmk2</sub> and x<sub>n-1</sub>', 'by _fengmk2 and x_(n-1)'],
    ['<sup>Supported by <a href="http://x.y">many 4 people</a></sup>', 'Supported by many 4 people'],
    [
      '<sup><a href="http://x.y">Supported by &amp; with the community of all people who ever wrote anything down</a></sup>',
      'Supported by & with the community of all people who ever wrote anything down',
    ],
    ['a <sup>b <sup>2</sup> c', 'a b [2] c'],
    ['Add <sup>1</sup>/<sub>2</sub> cup and <sup>3</sup>/<sub>4</sub> cup', 'Add 1/2 cup and 3/4 cup'],
    ['<sup>1</sup>&frasl;<sub>3</sub> and 5 <sup>1</sup>⁄<sub>2</sub>', '1/3 and 5 1/2'],
    ['1<sup>1</sup>/<sub>2</sub> (<sup>1</sup>/2), 1/<sub>4</sub>', '1 1/2 (1/2), 1/4'],
    [
      'about<sup>1</sup>/<sub>2</sub>, x<sup>2</sup>/<sub>3</sub>, 30<sup>1</sup>/40<sup>2</sup> Euro',
      'about 1/2, x²/3, 30 [1]/40 [2] Euro',
    ],
    ['12 inch<sup>2</sup>, 9 yard<sup>2</sup> and 4 miles<sup>2</sup>', '12 inch², 9 yard² and 4 miles²'],
    ['8 feet<sup>3</sup>, foot<sup>2</sup>, Quadratzoll<sup>2</sup>', '8 feet³, foot², Quadratzoll [2]'],
    [
      'a centimetre<sup>2</sup>, 5 Kilometer<sup>2</sup>, 3 mètres<sup>3</sup>',
      'a centimetre², 5 Kilometer², 3 mètres³',
    ],
    ['9 metres per second<sup>2</sup>, 4 volts<sup>2</sup>', '9 metres per second², 4 volts²'],
    ['30 seconds<sup>2</sup> or 9 square feet<sup>3</sup>', '30 seconds [2] or 9 square feet [3]'],
    ['12 feet<sup>1</sup> and 9 miles<sup>7</sup>', '12 feet [1] and 9 miles [7]'],
    ['as Newton<sup>2</sup> wrote', 'as Newton [2] wrote'],
    ['10<sup>1</sup> N, 10<sup>1</sup> kPa', '10^1 N, 10^1 kPa'],
    ['10<sup>1</sup> Euro, 10<sup>1</sup> Name', '10 [1] Euro, 10 [1] Name'],
    ['7<sup>2</sup> is 49 and 2<sup>3</sup> equals 8', '7^2 is 49 and 2^3 equals 8'],
    ['3<sup>2</sup> is odd; 3<sup>2</sup> and 4<sup>2</sup>', '3^2 is odd; 3^2 and 4^2'],
    ['5<sup>2</sup> plus 6', '5^2 plus 6'],
    ['The fee of 30<sup>2</sup> is due', 'The fee of 30 [2] is due'],
    ['In 2019<sup>3</sup> the 12<sup>2</sup> members', 'In 2019 [3] the 12 [2] members'],
  ])('reads %s', async (written, text) => {
    expect(await fromHtml(`<p>${written}</p>`)).toEqual([text]);
    expect(await fromMarkdown(written)).toEqual([text]);
  });

  it('makes no number of a power or a mark', async () => {
    const words = async (html: string) => tokenize((await fromHtml(html))[0]!).map(({ norm }) => norm);
    expect(await words('<p>10<sup>6</sup>')).toEqual(tokenize('10^6').map(({ norm }) => norm));
    expect(await words('<p>14<sup>1</sup> Euro')).toEqual(['14', '1', 'euro']);
    expect(await words('<p>m<sup>2</sup>')).toEqual(['m2']);
  });

  it('reads those of Word', async () => {
    const body = `<w:p>${run('It costs 14')}${run('1', 'superscript')}${run(' Euro for 5 m')}${run('2', 'superscript')}${run(' with H')}${run('2', 'subscript')}${run('O.')}</w:p>`;
    expect(await passages((await docxParts(docxOf(body))).parts)).toEqual(['It costs 14 [1] Euro for 5 m² with H₂O.']);
  });

  it('takes no sign that a page writes as an entity for one of its own', async () => {
    expect(await fromHtml('<p>a &#1;2&#3; &#4;x&#5;y&#6; b')).toEqual(['a 2 xy b']);
  });
});

describe('notes', () => {
  const PAID = ['It costs 30 [2] Euro.\n\n[2] Payable in three instalments.', 'Other things.'];

  it.each([
    [
      'a section of footnotes',
      '<p>It costs 30<a href="#fn2" class="footnote-ref" id="r2" role="doc-noteref"><sup>2</sup></a> Euro.</p><h2>B</h2><p>Other things.</p><section class="footnotes"><hr><ol><li id="fn2"><p>Payable in three instalments.<a href="#r2" role="doc-backlink">↩︎</a></p></li></ol></section>',
    ],
    [
      'a paragraph that a link leads to',
      '<p>It costs 30<sup><a href="#f2">2</a></sup> Euro.</p><h2>B</h2><p>Other things.</p><p id="f2"><sup>2</sup> Payable in three instalments.</p>',
    ],
    [
      'an aside of an e-book',
      '<p>It costs 30<a epub:type="noteref" href="#n2">2</a> Euro.</p><h2>B</h2><aside epub:type="footnote" id="n2">Payable in three instalments.</aside>Other things.',
    ],
    [
      'what Word saves as HTML',
      '<p>It costs 30<a href="#_ftn2" name="_ftnref2"><span><sup>[2]</sup></span></a> Euro.</p><h2>B</h2><p>Other things.</p><div><p><a href="#_ftnref2" name="_ftn2"><sup>[2]</sup></a> Payable in three instalments.</p></div>',
    ],
    [
      'notes outside of <main>',
      '<main><p>It costs 30<sup>[<a href="#c2">2</a>]</sup> Euro.</p><h2>B</h2><p>Other things.</p></main><ol class="references"><li id="c2"><b><a href="#r2">^</a></b> Payable in three instalments.</li></ol>',
    ],
  ])('stand with the text of a page that refers to them: %s', async (_, html) => {
    expect(await fromHtml(html)).toEqual(PAID);
  });

  it('stand with the text of a Markdown document that refers to them', async () => {
    const text =
      'It costs 30[^2] Euro.\n\n## B\nOther things.\n\n[^2]: Payable in\nthree instalments.\n\n    In *advance*.\n[^u]: Nobody asks.';
    expect(await fromMarkdown(text)).toEqual([
      'It costs 30 [2] Euro.\n\n[2] Payable in three instalments.\nIn advance.',
      'Other things.\n\n[u] Nobody asks.',
    ]);
  });

  it.each(['footnote', 'endnote'])('stand with the text of a Word document that refers to them: %s', async (kind) => {
    const body = `<w:p>${run('It costs 30')}<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:${kind}Reference w:id="2"/></w:r>${run(' Euro.')}</w:p><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run('B')}</w:p><w:p>${run('Other things.')}</w:p>`;
    const { parts } = await docxParts(docxOf(body, noteFiles(kind, 'Payable in three instalments.')));
    expect((await passages(parts)).join('\n\n')).toMatch(
      /^It costs 30 \[1\] Euro\.\n\n\[1\] Payable in three instalments\.\n\n(?:B\n\n)?Other things\.$/u,
    );
  });

  it('stand after a list item, a table row and a heading, which keeps its name', async () => {
    const text =
      '# A[^h]\n- one[^i]\n- two\n\n| a | b |\n|---|---|\n| 1[^t] | 2 |\n| 3 | 4 |\n\n[^h]: H.\n[^i]: I.\n[^t]: T.';
    const parts = [...markdownParts(text)];
    expect(parts[0]).toEqual({ kind: 'heading', level: 1, text: 'A' });
    expect(await passages(parts)).toEqual([
      '[h] H.\n- one [i]\n\n[i] I.\n- two\n\n| a | b |\n| 1 [t] | 2 |\n\n[t] T.\n| 3 | 4 |',
    ]);
  });

  it('stay in the passage of the sentence that has the mark', async () => {
    const filler = Array.from({ length: 60 }, (_, i) => `Sentence ${i} says one of many things.`).join(' ');
    const found = await fromMarkdown(`It costs 30[^2] Euro. ${filler} ${filler}\n\n[^2]: Payable in instalments.`);
    expect(found.length).toBeGreaterThan(2);
    expect(found[0]).toMatch(/^It costs 30 \[2\] Euro\. [^[]*\n\n\[2\] Payable in instalments\.$/u);
  });

  it('leave what defines nothing as it is', async () => {
    const text = 'The class [^a-z], a mark[^9].';
    expect(await fromMarkdown(text)).toEqual([text]);
    const code = `${text} And \`x[^1]\`.`;
    expect(await fromMarkdown(`${code}\n\n[^1]: Alone.`)).toEqual([`${code}\n\n[1] Alone.`]);
    expect(await fromHtml('<p>a<a href="#b">b</a></p><p id="b">1 See <sup><a href="#c">x</a></sup></p>')).toEqual([
      'ab\n\n1 See [x]',
    ]);
  });

  it('stay in <main> where nothing in it refers to them', async () => {
    const page = (intro: string, body: string) =>
      fromHtml(
        `<p>Intro${intro}</p><main><p>Body text${body}.</p><section class="footnotes"><p id="n1">1. Important note.</p></section></main>`,
      );
    const mark = '<sup><a href="#n1">1</a></sup>';
    expect(await page(mark, '')).toEqual(['Body text.\n\n1. Important note.']);
    expect(await page(mark, mark)).toEqual(['Body text [1].\n\n[1] Important note.']);
  });

  it.each([
    ['on one line', '[^a]: '.repeat(105)],
    ['with items of a list between', '[^a]: - '.repeat(40)],
    ['in deep quotes', `${'> '.repeat(99)}[^a]: `],
  ])('lose nothing after many that stand in each other: %s', (_, start) => {
    const found = [...markdownParts(`Before.\n\n${start}deep\n\nAfter.\n\n# Head\n\nLast.`)].map(({ text }) => text);
    expect(found[1]).toMatch(/deep$/u);
    expect([found[0], ...found.slice(2)]).toEqual(['Before.', 'After.', 'Head', 'Last.']);
  });

  it('keep the words of one inside of another', async () => {
    expect(await fromMarkdown('Text[^a].\n\n[^a]: first\n\n    [^b]: <inner>\n[^c]: third\n\nEnd.')).toEqual([
      'Text [a].\n\n[a] first\n[b]: <inner>\n\n[c] third\n\nEnd.',
    ]);
  });

  it('keep two that refer to each other where they stand, and long chapters', async () => {
    expect(await fromMarkdown('Text.\n\n[^1]: See [^2].\n[^2]: See [^1].')).toEqual([
      'Text.\n\n[1] See [2].\n\n[2] See [1].',
    ]);
    const long = 'Many words here. '.repeat(600);
    const found = await fromHtml(
      `<p>See 5<sup><a href="#c">5</a></sup></p><h2>B</h2><div id="c"><p>5 ${long}</p></div>`,
    );
    expect(found[0]).toBe('See 5 [5]');
  });

  it.each([
    ['notes', (n: number) => texts(n, (i) => `a[^${i}] b.\n\n`) + texts(n, (i) => `[^${i}]: c ${i}.\n`)],
    ['marks in one paragraph', (n: number) => texts(n, (i) => `a.[^${i}] `) + texts(n, (i) => `\n\n[^${i}]: c.`)],
    ['marks of nothing', (n: number) => `${texts(n, (i) => `a[^${i}] `)}\n\n[^x]: y`],
    ['marks of one note', (n: number) => `${texts(n, () => 'a[^1] ')}\n\n[^1]: ${'long '.repeat(1000)}`],
    ['open marks', (n: number) => `${texts(n, () => '[^a[[b![[')}\n\n[^x]: y`],
    ['superscripts', (n: number) => texts(n, () => 'a.<sup>1</sup><sup>')],
    ['fractions', (n: number) => texts(n, () => '1<sup>1</sup>/<sub>2</sub>/<sup>3</sup>/')],
    ['notes in each other', (n: number) => texts(n, () => '[^a]: ')],
    ['notes in a note', (n: number) => `[^a]: b\n${texts(n, () => '    [^a]: b\n')}`],
  ])('take no more than their time: 50,000 %s', async (_, textOf) => {
    const timeOf = (n: number): Promise<number> => {
      const text = textOf(n);
      return processorTime(() => {
        const size = [...markdownParts(text)].reduce((sum, part) => sum + JSON.stringify(part).length, 0);
        expect(size).toBeLessThan(4 * text.length + 100_000);
      });
    };
    await timeOf(1000);
    // Ten times as many: what compares each with each takes a hundred times as long.
    const [few, many] = [await timeOf(5000), await timeOf(50_000)];
    expect(many).toBeLessThan(50 * few + 1000);
  });
});

function texts(count: number, textOf: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => textOf(i)).join('');
}

describe('links of wikis', () => {
  it('read as their label or their page', async () => {
    expect(
      await fromMarkdown(
        'See [[Some page|the page]], [[Other]] and [[Third#Part]]. ![[image.png]] ![[Fourth]]\n\n![[b.jpg|100]]',
      ),
    ).toEqual(['See the page, Other and Third > Part. Fourth']);
    expect([...markdownParts('[[Other page]]')]).toEqual([
      { kind: 'prose', text: 'Other page', links: ['Other page'] },
    ]);
  });

  it('are no code, tests of a shell or matrices', async () => {
    const text = 'Write `[[x]]`, or [[ -f file ]], or [[1, 2], [3, 4]].';
    expect(await fromMarkdown(text)).toEqual([text]);
  });
});
