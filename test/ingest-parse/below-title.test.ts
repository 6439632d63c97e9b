import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { belowTitle } from '../../src/ingest/parse/titles/below-title.js';
import { processorTime } from '../support/processor-time.js';
import { textManifest } from './manifests.js';

/** Returns what stands above a heading by the title of its document; undefined for nothing. */
function above(title: string, heading: string): string | undefined {
  const [first] = belowTitle(title, [{ kind: 'heading', level: 1, text: heading }]);
  return first?.kind === 'heading' && first.level === 0 ? first.text : undefined;
}

describe('a title that stands apart from the text', () => {
  it.each([
    ['House rules – Quarry Lettings', 'House rules', 'Quarry Lettings'],
    ['Quarry Lettings | Flats to let', 'Welcome', 'Quarry Lettings – Flats to let'],
    ['Installing — Anvil 2.1 documentation', 'Installing', 'Anvil 2.1 documentation'],
    ['Home|Mill Museum', 'The mill', 'Mill Museum'],
    ['Flat 2A to let', 'Bright flat with two rooms', 'Flat 2A to let'],
    ['Acme | Acme | Flats', 'Fees', 'Acme – Flats'],
    ['Die Gebühren » Mieterverein', 'Gebühren', 'Mieterverein'],
  ])('%s over %s says %s besides', (title, heading, expected) => {
    expect(above(title, heading)).toBe(expected);
  });

  it.each([
    ['House Rules', 'House rules'],
    ['The fees', 'Our fees of 2026'],
    ['Untitled Document', 'Fees'],
    ['index.html', 'Fees'],
    ['Home', 'Fees'],
    [`Fees ${'and more words '.repeat(20)}`, 'Fees'],
  ])('%s over %s says nothing besides', (title, heading) => {
    expect(above(title, heading)).toBeUndefined();
  });

  it('of many spaces is read in no time', async () => {
    const spent = await processorTime(() =>
      expect(above(`Fees${' '.repeat(100_000)}of Acme`, 'Fees')).toBe('Fees of Acme'),
    );
    expect(spent).toBeLessThan(1000);
  });

  it('stands above all headings of a page, and leads what comes before them as it is', async () => {
    const page =
      '<title>Fees – Quarry Lettings</title><p>Since May.<h1>Fees</h1><p>A key costs 18 euros.<h2>Free</h2><p>Viewings.';
    const { title, parts } = await parse({ bytes: Buffer.from(page), name: 'a.html', type: 'html' });
    expect(title).toBe('Fees – Quarry Lettings');
    expect(parts).toMatchObject([
      { text: 'Since May.' },
      { kind: 'heading', level: 0, text: 'Quarry Lettings' },
      { kind: 'heading', level: 1, text: 'Fees' },
      { text: 'A key costs 18 euros.' },
      { kind: 'heading', level: 2, text: 'Free' },
      { text: 'Viewings.' },
    ]);
  });

  it('stands above the sections of a Markdown file whose front matter has it', async () => {
    const text = '---\ntitle: House rules of the mill\n---\n## Bins\n\nOn Tuesday.\n\n## Quiet\n\nFrom ten on.';
    const { passages } = await textManifest({ text, domain: 'd', format: 'markdown', name: 'rules' });
    expect(passages.map(({ title }) => title)).toEqual([
      'House rules of the mill > Bins',
      'House rules of the mill > Quiet',
    ]);
  });

  it('is no text of a page of headings alone', async () => {
    const text = '---\ntitle: Rules\n---\n# One\n\n# Two';
    const { passages } = await textManifest({ text, domain: 'd', format: 'markdown', name: 'rules' });
    expect(passages).toMatchObject([{ title: 'Rules', text: expect.not.stringContaining('Rules') }]);
  });
});
