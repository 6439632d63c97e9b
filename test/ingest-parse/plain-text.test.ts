import { describe, expect, it } from '@jest/globals';
import { sections } from '../../src/ingest/parse/parts.js';
import { textParts } from '../../src/ingest/parse/plain-text.js';

const read = (text: string) =>
  [...sections(textParts(text))].map(({ path, blocks }) => ({ path, texts: blocks.map((b) => b.text) }));
const long = 'The orchard has forty apple trees and one pear tree near the gate, where the boats land in autumn.';

describe('plain text', () => {
  it('takes a short first line over a long one as the title', () => {
    expect(read(`Orchard Guide\n${long}`)).toEqual([{ path: 'Orchard Guide', texts: [long] }]);
  });

  it('takes a short line alone, or an underlined one, as a heading', () => {
    expect(read(`Orchard Guide\n\n${long}\n\nPruning\n-------\nShort.`)).toEqual([
      { path: 'Orchard Guide', texts: [long] },
      { path: 'Orchard Guide > Pruning', texts: ['Short.'] },
    ]);
  });

  it('takes no heading from sentences, dialogue, lists or a last line', () => {
    expect(read(`It rained.\n${long}`)).toHaveLength(1);
    expect(read(`It rained.\n${long}`)[0]?.path).toBe('');
    expect(read(`Alice: hello there\nBob: ${long}`)[0]?.path).toBe('');
    expect(read(`- an item\n${long}`)[0]?.path).toBe('');
    expect(read(`${long}\n\nThe End`)).toEqual([{ path: '', texts: [long, 'The End'] }]);
  });

  it('joins wrapped lines and keeps items apart', () => {
    const wrapped = `${long}\n${long}\n- first item\n  goes on\n- second item`;
    expect(read(wrapped)).toEqual([{ path: '', texts: [`${long} ${long}`, '- first item goes on', '- second item'] }]);
  });
});
