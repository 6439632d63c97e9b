import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitSentences } from '../../src/core/text/sentences.js';
import { chunkSection, countWords } from '../../src/ingest/extract/chunk-section.js';
import { type Block, cutText, sections } from '../../src/ingest/parse/parts.js';
import { textManifest } from './manifests.js';

const sentence = (n: number): string =>
  `Sentence number ${n} tells at some length what the keeper of the orchard did on day ${n} of that wet and windy year.`;
const paragraph = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => sentence(from + i)).join(' ');
const squeeze = (text: string): string => text.replace(/\s+/gu, '');

describe('a very long block', () => {
  it('is cut where a line, a sentence or a word ends, and nothing of it is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', ' ', '. ', '\n', '\u{1f600}', 'é'), { maxLength: 300 }),
        fc.integer({ min: 8, max: 60 }),
        (parts, size) => {
          const text = parts.join('');
          const pieces = [...cutText(text, size)];
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(size);
            expect(piece).not.toMatch(/[\ud800-\udbff]$/);
          }
        },
      ),
    );
    expect([...cutText('One is here. Two is there. Three', 20)]).toEqual(['One is here. ', 'Two is there. Three']);
  });

  it('makes sections of bounded length', async () => {
    const block: Block = { kind: 'table', text: 'a | '.repeat(100_000) };
    const lengths: number[] = [];
    for await (const { blocks } of sections([block])) lengths.push(...blocks.map(({ text }) => text.length));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64_000);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(block.text.length);
  });
});

describe('a section of very many blocks', () => {
  it('is divided, in order, and its later pieces continue it', async () => {
    const blocks = Array.from({ length: 2500 }, (_, i): Block => ({ kind: 'prose', text: `w${i}` }));
    const found = [];
    for await (const section of sections([{ kind: 'heading', level: 1, text: 'All' }, ...blocks])) found.push(section);
    expect(found.map(({ path, continues }) => [path, continues])).toEqual([
      ['All', false],
      ['All', true],
      ['All', true],
    ]);
    expect(found.flatMap((section) => section.blocks)).toEqual(blocks);
  });
});

describe('chunkSection', () => {
  it('keeps a short section whole', () => {
    expect(chunkSection({ blocks: [{ kind: 'prose', text: paragraph(1, 5) }] })).toEqual([paragraph(1, 5)]);
  });

  it('divides a long one into texts of 100 to 200 words at sentence ends', () => {
    const texts = chunkSection({
      blocks: Array.from({ length: 12 }, (_, i): Block => ({ kind: 'prose', text: paragraph(i * 10, 4) })),
    });
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) {
      expect(countWords(text)).toBeGreaterThanOrEqual(90);
      expect(countWords(text)).toBeLessThanOrEqual(230);
      expect(text).toMatch(/^Sentence[\s\S]*year\.$/u);
    }
  });

  it('cuts a sentence only beyond 400 words', () => {
    const words = (count: number): string => `${Array.from({ length: count }, (_, i) => `word${i}`).join(' ')}.`;
    expect(chunkSection({ blocks: [{ kind: 'prose', text: words(390) }] })).toHaveLength(1);
    expect(chunkSection({ blocks: [{ kind: 'prose', text: words(900) }] }).length).toBeGreaterThan(1);
  });

  it('cuts a word without end', () => {
    const texts = chunkSection({ blocks: [{ kind: 'prose', text: 'A'.repeat(20_000) }] });
    expect(squeeze(texts.join('')) === 'A'.repeat(20_000)).toBe(true);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4000);
  });

  it('loses nothing but white space, for any blocks', () => {
    const block = fc.record({
      kind: fc.constantFrom('prose', 'list', 'table', 'code') as fc.Arbitrary<Block['kind']>,
      text: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 100 }),
        fc.integer({ min: 1, max: 60 }).map((count) => paragraph(count, count)),
        fc.constant('字'.repeat(900)),
      ),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        const texts = chunkSection({ blocks });
        expect(squeeze(texts.join(''))).toBe(squeeze(blocks.map((each) => each.text).join('')));
        for (const text of texts) expect(text.trim()).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });
});

describe('passages', () => {
  it('are one a section where sections have about 100 words', async () => {
    const text = Array.from({ length: 30 }, (_, i) => `# Title ${i % 20}\n\n${paragraph(i, 4)}\n`).join('\n');
    const { passages } = await textManifest({ text, domain: 'd', format: 'markdown' });
    expect(passages.map((passage) => passage.title)).toEqual(Array.from({ length: 30 }, (_, i) => `Title ${i % 20}`));
    expect(passages.map((passage) => passage.order)).toEqual(passages.map((_, i) => i));
    expect(new Set(passages.map((passage) => passage.id)).size).toBe(30);
    expect(passages[3]?.about[0]).toEqual({ key: 'title 3', alias: false });
  });

  it('keep their ids when another section changes, and have valid sentence spans', async () => {
    const make = (middle: string) =>
      textManifest({
        text: `# A\n\n${paragraph(1, 3)}\n\n# B\n\n${middle}\n\n# C\n\n${paragraph(9, 3)}`,
        domain: 'd',
        format: 'markdown',
        name: 'n',
      });
    const [before, after] = [await make('Old words stand here.'), await make(paragraph(20, 30))];
    expect(after.passages[0]?.id).toBe(before.passages[0]?.id);
    expect(after.passages.at(-1)?.id).toBe(before.passages.at(-1)?.id);
    for (const passage of after.passages) expect(passage.sentences).toEqual(splitSentences(passage.text));
  });

  it('cover any text, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }),
        fc.constantFrom('text', 'markdown') as fc.Arbitrary<'text' | 'markdown'>,
        async (raw, format) => {
          const text = `x ${raw}`;
          const { passages } = await textManifest({ text, domain: 'd', format });
          for (const passage of passages) expect(passage.text.trim()).not.toBe('');
          if (format === 'text') {
            const shown = squeeze(passages.map((p) => p.text).join(''));
            const letters = (t: string): string => t.replace(/[^\p{L}\p{N}]/gu, '');
            expect(letters(`${passages[0]?.title ?? ''}${shown}`).length).toBeGreaterThanOrEqual(
              letters(text).length === 0 ? 0 : 1,
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a long table', () => {
  const table = (head: string, rows: number) =>
    [
      head,
      '|---|---|---|',
      ...Array.from({ length: rows }, (_, i) => `| P-${i} | steel bracket ${i} | ${i}.10 |`),
    ].join('\n');

  it.each([200, 1500])('has its head in each of its passages: %d rows', async (rows) => {
    const text = `# Parts\n\n${table('| Part no | Name | Price EUR |', rows)}\n`;
    const { passages } = await textManifest({ text, domain: 'd', format: 'markdown' });
    expect(passages.length).toBeGreaterThan(5);
    for (const passage of passages) {
      expect(passage.text).toMatch(/^\| Part no \| Name \| Price EUR \|\n\| P-\d+ /u);
      expect(passage.text.match(/Part no/gu)).toHaveLength(1);
    }
    for (let i = 0; i < rows; i += 1) {
      expect(passages.filter((passage) => passage.text.includes(`| P-${i} |`))).toHaveLength(1);
    }
  });

  it('whose first row holds numbers has no head to repeat', async () => {
    const text = `# Parts\n\n${table('| P-x | wooden bracket 7 | 9.90 |', 200)}\n`;
    const { passages } = await textManifest({ text, domain: 'd', format: 'markdown' });
    expect(passages.filter((passage) => passage.text.includes('wooden bracket 7'))).toHaveLength(1);
  });
});
