import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { openWorld } from '../../bench/retrieval/world.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { type Content, parse } from '../../src/ingest/parse/parse.js';
import { parseTextual } from '../../src/ingest/parse/textual.js';
import { processorTime } from '../support/processor-time.js';

const source = { domain: 'd', kind: 'file', key: 'faq', label: 'faq' } as const;
type FileType = 'text' | 'markdown' | 'html' | 'docx';
const fileOf = (type: FileType, written: string | Uint8Array): Content => ({
  type,
  name: 'faq',
  bytes: Buffer.from(written as string),
});

async function texts(type: FileType, written: string | Uint8Array): Promise<string[]> {
  const passages = await chunk(await parse(fileOf(type, written)), { source, title: 'faq' });
  return passages.map(({ title, text }) => `${title}: ${text}`);
}

describe('a summary', () => {
  it('of HTML is the heading of what it opens, and of nothing behind that', async () => {
    const page = `<h1>Questions</h1><p>Before.</p>
<details><summary>May I keep a <b>dog</b>?</summary><p>Yes.</p><ul><li>Two at most</li></ul></details>
<details><summary><h3>When is the rent due?</h3></summary>On the third working day.</details>
<p>Ring us.</p><h2>Contact</h2><p>Mill Lane 4.</p>`;
    expect(await texts('html', page)).toEqual([
      'Questions: Before.',
      'Questions > May I keep a dog?: Yes.\n- Two at most',
      'Questions > When is the rent due?: On the third working day.',
      'Questions: Ring us.',
      'Questions > Contact: Mill Lane 4.',
    ]);
  });

  it('of Markdown is one, too, also within another', async () => {
    const page = `# Tool\n\n## FAQ\n\nBefore.\n\n<details>\n<summary>How do I install it?</summary>\n\nRun \`npm i tool\`.\n
<details><summary>On Windows?</summary>Use scoop.</details>\n\nThen start it.\n\n</details>\n\nAfter.\n\n## Licence\n\nMIT.\n`;
    expect(await texts('markdown', page)).toEqual([
      'Tool > FAQ: Before.',
      'Tool > FAQ > How do I install it?: Run `npm i tool`.',
      'Tool > FAQ > How do I install it? > On Windows?: Use scoop.',
      'Tool > FAQ > How do I install it?: Then start it.',
      'Tool > FAQ: After.',
      'Tool > Licence: MIT.',
    ]);
  });

  it('stands above headings of what it opens, in items of lists too, and as text in tables', async () => {
    const page = `<h2>Help</h2><details><summary>A?</summary><h2>Steps</h2><p>One.</p></details>
<ul><li><details><summary>B?</summary>Two.</details></li></ul><table><tr><td><details><summary>C</summary>D</details></td></tr></table>`;
    expect(await texts('html', page)).toEqual(['Help > A? > Steps: One.', 'Help > B?: Two.', 'Help: | C D |']);
  });
});

describe('pairs of questions and answers', () => {
  const wanted = ['Club > Where is the key?: In the box.', 'Club > Who may row?: Members.\n\nOf four years.'];

  it.each<[FileType, string]>([
    ['text', 'Club\n====\n\nQ: Where is the key?\nA: In the box.\n\nQ: Who may row?\nA: Members.\n\nOf four years.\n'],
    [
      'text',
      'Club\n====\n\nQ1. Where is the key?\n\nA1. In the box.\n\nQ2. Who may row? A2. Members.\n\nOf four years.\n',
    ],
    [
      'markdown',
      '# Club\n\n**Q:** Where is the key?\n\n**A:** In the box.\n\n**Q:** Who may row?\n**A:** Members.\n\nOf four years.\n',
    ],
    [
      'markdown',
      '# Club\n\n- Question 1: Where is the key?\n- Answer: In the box.\n\n## Q: Who may row?\n\nA: Members.\n\nOf four years.\n',
    ],
    [
      'html',
      '<h1>Club</h1><p>Q: Where is the key?<br>A: In the box.</p><p>Q: Who may row?</p><p>A: Members.</p><p>Of four years.</p>',
    ],
  ])('have the question as heading of its answer: %s %j', async (type, written) => {
    expect(await texts(type, written)).toEqual(wanted);
  });

  it.each([
    ['Frage: Wo ist er?\nAntwort: Da.\n\nFrage: Und sie?\nAntwort: Dort.'],
    ['F: Wo ist er?\nA: Da.\n\nF: Und sie?\nA: Dort.'],
    ['Question : Wo ist er?\nRéponse : Da.\n\nQuestion : Und sie?\nRéponse : Dort.'],
    ['P: Wo ist er?\nR: Da.\n\nP: Und sie?\nR: Dort.'],
    ['Domanda: Wo ist er?\nRisposta: Da.\n\nDomanda: Und sie?\nRisposta: Dort.'],
  ])('are known in other languages: %j', async (written) => {
    expect(await texts('text', written)).toEqual(['Wo ist er?: Da.', 'Und sie?: Dort.']);
  });

  it('are known in Word documents', async () => {
    const paragraphs = ['Q: Where is the key?', 'A: In the box.', 'Q: Who may row?', 'A: Members.'];
    const xml = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
    const bytes = zipSync({
      '[Content_Types].xml': Buffer.from(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      '_rels/.rels': Buffer.from(
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
      'word/document.xml': Buffer.from(
        `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${xml}</w:body></w:document>`,
      ),
    });
    expect(await texts('docx', bytes)).toEqual(['Where is the key?: In the box.', 'Who may row?: Members.']);
  });

  it.each([
    ['one pair', 'Q: Where is the key?\nA: In the box.\n\nOther words.'],
    ['initials', 'D. Knuth\nA. Turing\n\nV. Woolf\nA. Christie'],
    ['steps', 'P: 100\nR: 200\n\nP: 300\nR: 400'],
    ['questions alone', 'Q: Where is the key?\n\nQ: Who may row?\n\nQ: When?'],
    ['choices', 'Q: Which lamp?\nA: Oil\nB: Gas\nC: None\n\nQ: Which rope?\nA: Hemp\nB: Steel'],
    ['choices as paragraphs', 'Q: Which lamp?\n\nA: Oil\n\nB: Gas\n\nQ: Which rope?\n\nA: Hemp\n\nB: Steel'],
    ['a dialogue', 'M: Sit down.\nQ: Now pay attention, 007.\nB: Yes?\nQ: This is a pen.\nM: Thank you.'],
    ['letters of a list', 'A. First\nB. Second\n\nA. Third\nB. Fourth'],
  ])('are none: %s', async (_what, written) => {
    const parts = (await parse(fileOf('text', written))).parts;
    expect(parts.some(({ kind }) => kind === 'heading')).toBe(false);
    expect(parts.map(({ text }) => text).join('\n\n')).toBe(written);
  });

  it('have a title of few headings where summaries stand in many others', async () => {
    const markdown = '<details>\n<summary>Why is that?</summary>\n\nText\n\n'.repeat(3000);
    const found = await texts('markdown', markdown);
    expect(found).toHaveLength(3000);
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(200);
  });

  it('are found in linear time', async () => {
    const lines = ['Q: ', 'Q: a?\nA: b\n\n', '?   ', 'Q', 'Q: a? ', '<details><summary>a</summary>b</details>\n\n'];
    for (const line of lines) {
      const written = line.repeat(300_000 / line.length);
      const spent = await processorTime(() => [...parseTextual({ type: 'markdown', text: written }).parts].length);
      expect(spent).toBeLessThan(8000);
    }
  }, 120_000);

  it('are found by what is asked', async () => {
    const world = await openWorld('none');
    const pairs = ['Where is the key?', 'Who may row?', 'What does a guest pay?'].map(
      (text, i) => `Q: ${text}\nA: Answer ${i}.\n`,
    );
    await world.ingest.uploaded({ name: 'faq.txt', bytes: Buffer.from(pairs.join('\n')) }, { domain: 'd' });
    const { items } = await world.retrieval.query({ context: 'Who may row?', domains: ['d'], top_k: 1 });
    await world.close();
    expect(items[0]!.content).toBe('Who may row?: Answer 1.');
  });
});
