import { describe, expect, it } from '@jest/globals';
import { textParts } from '../../src/ingest/parse/plain-text.js';
import { withWholeWords } from '../../src/ingest/parse/text/divided-words.js';
import { processorTime } from '../support/processor-time.js';
import { sectionTexts } from './manifests.js';

const read = (text: string) => sectionTexts(textParts(text));
const long = 'The orchard has forty apple trees and one pear tree near the gate, where the boats land in autumn.';

describe('plain text', () => {
  it('takes a short first line over a long one as the title', async () => {
    expect(await read(`Orchard Guide\n${long}`)).toEqual([{ path: 'Orchard Guide', texts: [long] }]);
  });

  it('takes a short line alone, or an underlined one, as a heading', async () => {
    expect(await read(`Orchard Guide\n\n${long}\n\nPruning\n-------\nShort.`)).toEqual([
      { path: 'Orchard Guide', texts: [long] },
      { path: 'Orchard Guide > Pruning', texts: ['Short.'] },
    ]);
  });

  it('takes a title with the same line above and below it as a heading, as in reStructuredText', async () => {
    expect(await read(`=======\nOrchard\n=======\n\n${long}`)).toEqual([{ path: 'Orchard', texts: [long] }]);
  });

  it('divides notes where a line is drawn beside an empty line, and no receipt', async () => {
    const notes = (line: string) =>
      `Dentist: 030 1234.\n${line}\n\nWifi\n\n${line}\n\n${long}\n\n${line}\n- milk\n- eggs`;
    for (const line of ['---', '==========', '* * *', '______', '  ~~~~']) {
      expect(await read(notes(line))).toEqual([
        { path: '', texts: ['Dentist: 030 1234.'] },
        { path: '', texts: ['Wifi'] },
        { path: '', texts: [long] },
        { path: '', texts: ['- milk', '- eggs'] },
      ]);
    }
    expect(await read(`Corner shop.\n-----\nMilk.\n-----\nTotal 4.20`)).toEqual([
      { path: '', texts: ['Corner shop.\n-----\nMilk.\n-----\nTotal 4.20'] },
    ]);
    expect(await read(`Orchard\n-------\nShort.\n\n-------\n\nAfter.`)).toEqual([
      { path: 'Orchard', texts: ['Short.'] },
      { path: 'Orchard', texts: ['After.'] },
    ]);
    expect(await read('---\n\n===')).toEqual([]);
  });

  it('takes no heading from sentences, dialogue, lists or a last line', async () => {
    expect(await read(`It rained.\n${long}`)).toHaveLength(1);
    expect((await read(`It rained.\n${long}`))[0]?.path).toBe('');
    expect((await read(`Alice: hello there\nBob: ${long}`))[0]?.path).toBe('');
    expect((await read(`- an item\n${long}`))[0]?.path).toBe('');
    // An initial under a letter is who wrote it.
    expect(await read(`${long}\n\nS.\n\n${long}`)).toEqual([{ path: '', texts: [long, 'S.', long] }]);
    expect(await read(`I.\n\n${long}\n\nV.\n\n${long}`)).toEqual([
      { path: 'I.', texts: [long] },
      { path: 'V.', texts: [long] },
    ]);
    expect(await read(`${long}\n\nThe End`)).toEqual([{ path: '', texts: [long, 'The End'] }]);
  });

  it('joins words that a line end divides, where the text has them elsewhere', async () => {
    const text = (last: string) =>
      `The board decided in May that the imple-\nmentation, which all members of the club wait for, takes a well-\nknown way, with pre-\nand post-war engines of the co-\n${last}\n\nImplementation begins with what is well-known.`;
    expect(await read(text('op.'))).toEqual([
      {
        path: '',
        texts: [
          'The board decided in May that the implementation, which all members of the club wait for, takes a well-known way, with pre-\nand post-war engines of the co-\nop.',
          'Implementation begins with what is well-known.',
        ],
      },
    ]);
    const [section] = await read(`- the imple-\n  mentation\n- the imple-\nmentation\n\n${long} Implementation.`);
    expect(section?.texts.slice(0, 2)).toEqual(['- the implementation', '- the implementation']);
  });

  it('divides a paragraph of very many short lines, so that none takes long', () => {
    const parts = [...textParts('a\n'.repeat(20_000))];
    expect(parts.flatMap(({ text }) => text.split('\n'))).toHaveLength(20_000);
    for (const { text } of parts) expect(text.length).toBeLessThan(5000);
  });

  it('looks for divided words in linear time', async () => {
    for (const piece of ['ab-\n', 'a', 'ab-\nab ', '-\n', 'ab-\n ', 'a-']) {
      const spent = await processorTime(() =>
        expect(withWholeWords(piece.repeat(1_000_000 / piece.length))).toContain(piece.trim()),
      );
      expect(spent).toBeLessThan(3000);
    }
  });

  it('joins wrapped lines and keeps items apart', async () => {
    const wrapped = `${long}\n${long}\n- first item\n  goes on\n- second item`;
    expect(await read(wrapped)).toEqual([
      { path: '', texts: [`${long} ${long}`, '- first item goes on', '- second item'] },
    ]);
  });

  it('keeps the lines under a numbered title apart from it, and joins those that go on with an item', async () => {
    expect(await read(`1. Safety\n${long}\nNobody objected.`)).toEqual([
      { path: '', texts: [`1. Safety\n${long} Nobody objected.`] },
    ]);
    expect(await read('1) rinse the bottle\nwith sample,\nTwice\n2) Filter')).toEqual([
      { path: '', texts: ['1) rinse the bottle with sample, Twice', '2) Filter'] },
    ]);
  });

  it.each([
    ['a title in capitals', '8. PAINT', 'The tenant asks\n   before.', '8. PAINT\nThe tenant asks before.'],
    ['a short title', '8. Paint', `The tenant asks.\n   ${long}`, `8. Paint\nThe tenant asks. ${long}`],
    ['no end of a sentence', '8. Ask Ada.', `The tenant asks.\n   ${long}`, `8. Ask Ada. The tenant asks. ${long}`],
    ['no line that goes on', '8. Paint', `and ask.\n   ${long}`, `8. Paint and ask. ${long}`],
    ['no line below that one', '8. Paint', `and\n   The walls.\n   ${long}`, `8. Paint and The walls. ${long}`],
    ['no capitals throughout', '8. PAINT', 'THE WALLS', '8. PAINT THE WALLS'],
    ['no line that is as long as the others', '1. Greet Ada', 'Harlan on Monday', '1. Greet Ada Harlan on Monday'],
    ['no line without room', `1. ${long.slice(0, 60)}`, `Ada.\n   ${long}`, `1. ${long.slice(0, 60)} Ada. ${long}`],
  ])('tells a numbered title above an indented text from a line that goes on: %s', async (_, first, text, expected) => {
    expect(await read(`${first}\n   ${text}`)).toEqual([{ path: '', texts: [expected] }]);
  });

  it('joins the lines of a quote or a comment without their marks, and not with what is none', async () => {
    expect(await read(`> ${long}\n> It is old.`)).toEqual([{ path: '', texts: [`> ${long} It is old.`] }]);
    expect(await read(`>> ${long}\n> It is old.`)).toEqual([{ path: '', texts: [`>> ${long}\n> It is old.`] }]);
    expect(await read(`# ${long}\n# It is old.\nset -eu`)).toEqual([
      { path: '', texts: [`# ${long} It is old.\nset -eu`] },
    ]);
  });

  it.each([
    '2024-06-17T21:03:11.004Z Compiling the core of the program, version 1.9.2',
    '[2024-06-17 21:03:11] Compiling the core of the program, version 1.9.2',
    'Jun 17 21:03:11 heron Compiling the core of the program, version 1.9.2',
  ])('keeps the lines of a log apart, and takes none as a title: %s', async (line) => {
    const written = `${line}\n${line} and all that it is linked with, which takes a while\n${line}`;
    expect(await read(written)).toEqual([{ path: '', texts: [written] }]);
  });

  it('keeps the lines of columns apart', async () => {
    const columns =
      'zstd      BSD-3-Clause    Copyright (c) Ada Bly and others\nfuser     MIT             Copyright (c) Bo';
    expect(await read(`${columns}.`)).toEqual([{ path: '', texts: [`${columns}.`] }]);
  });

  it('keeps lines apart that begin with a label each, however long they are', async () => {
    const minutes = `Present: Ada, Tom, Jana Kovac, Olumide (online), Elke Peeters, Tiemen\nExcused: Priya`;
    expect(await read(minutes)).toEqual([{ path: '', texts: [minutes] }]);
    expect(await read(`Alice: ${long}\nBob: yes.`)).toEqual([{ path: '', texts: [`Alice: ${long}\nBob: yes.`] }]);
  });

  it('takes no heading from a line with figures in a column of their own', async () => {
    const total = 'Total for the year     £2,118.44';
    expect(await read(`${total}\n${long}`)).toEqual([{ path: '', texts: [expect.stringContaining(total)] }]);
    expect((await read(`Chapter 2   The Orchard\n${long}`))[0]?.path).toBe('Chapter 2   The Orchard');
  });
});
