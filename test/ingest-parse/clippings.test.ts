import { describe, expect, it } from '@jest/globals';
import { processorTime } from '../support/processor-time.js';
import { readParts } from './read-parts.js';

const read = (text: string) => readParts('My Clippings.txt', Buffer.from(text));
const END = '==========\r\n';
const clipping = (title: string, about: string, words: string) =>
  `${title}\r\n- ${about} | Added on Tuesday, 6 October 2026 21:14:05\r\n\r\n${words}\r\n${END}`;

describe('clippings of a Kindle', () => {
  it('stand below the book that each is of, without bookmarks', async () => {
    const file = [
      `\ufeff${clipping('Deep Work (Cal Newport)', 'Your Highlight on page 71 | Location 1083-1085', 'Clarity about what matters.')}`,
      clipping(
        '\ufeffPiranesi (Susanna Clarke)',
        'Your Highlight on page 5 | Location 60',
        'The Beauty of the House.\r\nIts Kindness.',
      ),
      clipping('Piranesi (Susanna Clarke)', 'Your Note on page 5 | Location 61', 'for the pitch'),
      clipping('Piranesi (Susanna Clarke)', 'Your Bookmark on page 9 | Location 99', ''),
    ].join('');
    const day = 'Added on Tuesday, 6 October 2026 21:14:05';
    expect(await read(file)).toEqual([
      '1 Deep Work (Cal Newport)',
      `Clarity about what matters.\n(Your Highlight on page 71 | Location 1083-1085 | ${day})`,
      '1 Piranesi (Susanna Clarke)',
      `The Beauty of the House.\nIts Kindness.\n(Your Highlight on page 5 | Location 60 | ${day})`,
      `for the pitch\n(Your Note on page 5 | Location 61 | ${day})`,
    ]);
  });

  it('of another language are read, too', async () => {
    const file = `Piranesi (Clarke)\n- Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 12. Juli 2026 22:01:33\n\nSchön.\n==========\n`;
    expect(await read(file)).toEqual([
      '1 Piranesi (Clarke)',
      'Schön.\n(Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 12. Juli 2026 22:01:33)',
    ]);
  });

  it('are no list below a title', async () => {
    const text = 'Shopping\n- milk | two litres | cheap\n\nAnd bread.\n';
    for (const more of ['', 'And much else.\n\n'.repeat(200)])
      expect((await read(text + more)).join('\n')).not.toContain('(milk | two litres | cheap)');
  });

  it('may begin with a long one', async () => {
    const file = clipping('Book (A)', 'Your Highlight on page 1', 'words\r\n'.repeat(400)).repeat(2);
    expect(await read(file)).toHaveLength(3);
  });

  it('of many lines are read in no time', async () => {
    const file = clipping('Book (A)', 'Your Highlight on page 1', 'words').repeat(3000);
    const spent = await processorTime(async () => expect(await read(file)).toHaveLength(3001));
    expect(spent).toBeLessThan(3000);
  });
});
