import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from '../ingest-markup/read-markup.js';
import { processorTime } from '../support/processor-time.js';

const item = (held: string) => `<rss><channel><title>News</title><item>${held}</item></channel></rss>`;
const SECRET = 'token=abcdefghijklmnopqrstuvwxyz0123';

describe('a list of literature', () => {
  it('of one entry of spaces takes no long time', async () => {
    await readFile('warm.bib', '@book{a, title={Peat}}');
    const written = `@book{${' '.repeat(4000)}"`;
    expect(await processorTime(() => readFile('x.bib', written).catch(() => undefined))).toBeLessThan(500);
  });

  it('keeps a key with spaces', async () => {
    const lines = await linesOf('x.bib', '@book{ Peat 2001 \n , title={Peat}}\n@book{\n, title={Moor}}');
    expect(lines).toEqual([
      '# 1 x',
      '# 2 Peat',
      'prose: kind: book; key: Peat 2001.',
      '# 2 Moor',
      'prose: kind: book.',
    ]);
  });

  it('shows no secret of an address that stands as its DOI', async () => {
    const lines = await linesOf('x.bib', `@book{k, title={Peat}, doi={https://ada:pw@x.example/a?${SECRET}}}`);
    expect(lines[2]).toBe('prose: kind: book; DOI: https://x.example/a; key: k.');
  });

  it('in CSL is told from a catalogue whose records have no id', async () => {
    const record = { type: 'song', title: 'Tide', author: [{ family: 'Berg', given: 'Ada' }], tempo: 120 };
    expect((await linesOf('songs.json', JSON.stringify([record]))).join('\n')).toContain('tempo: 120');
  });

  it.each(['% nothing yet\n', '@comment{jabref-meta: databaseType:bibtex;}\n'])(
    'without entries is an empty file: %s',
    async (written) => {
      await expect(readFile('x.bib', written)).rejects.toMatchObject({ details: { empty: true } });
    },
  );
});

describe('a feed', () => {
  it('shows no secret of an address that stands for a title', async () => {
    const lines = await linesOf(
      'x.rss',
      item(`<link>https://ada:pw@x.example/a?${SECRET}</link><description>b</description>`),
    );
    expect(lines).toEqual(['# 1 News', '# 2 https://x.example/a', 'prose: b', 'prose: address: https://x.example/a.']);
  });

  it.each([
    ['Mon, 06 Jan 2025 23:30:00 -0500', '2025-01-06'],
    ['Mon, 06 Jan 2025 00:30:00 +0100', '2025-01-06'],
    ['6 January 2025', '2025-01-06'],
    ['2025-01-06T00:30:00+01:00', '2025-01-06'],
    ['last week', 'last week'],
  ])('has the day as it is written: %s', async (written, day) => {
    const lines = await linesOf(
      'x.rss',
      item(`<title>a</title><description>b</description><pubDate>${written}</pubDate>`),
    );
    expect(lines.at(-1)).toBe(`prose: date: ${day}.`);
  });

  it('is told from other RDF', async () => {
    const written = '<rdf:RDF xmlns:owl="x"><owl:Class><rdfs:label>Apple</rdfs:label></owl:Class></rdf:RDF>';
    await expect(readFile('x.xml', written)).rejects.toMatchObject({
      code: 'unsupported_media',
      details: { skipped: true },
    });
  });

  it.each([
    ['x.rss', '<rss><channel><title>Bees</title></channel></rss>'],
    ['x.enex', '<en-export></en-export>'],
  ])('and an export without entries are empty files: %s', async (name, written) => {
    await expect(readFile(name, written)).rejects.toMatchObject({ details: { empty: true } });
  });
});
