import { describe, expect, it } from '@jest/globals';
import { textParts } from '../../src/ingest/parse/plain-text.js';
import { processorTime } from '../support/processor-time.js';

const texts = (text: string) => [...textParts(text)].map((part) => `${part.kind}: ${part.text}`);

describe('numbered clauses of a plain text', () => {
  it('are items of their own, below the titles of their sections', () => {
    const text =
      '1. NAME\n1.1 The Club is called "Weirside".\n1.2 It promotes rowing on the Tarne and\n    provides boats.\n\n' +
      '2 Membership\n\n2.1 Members are:\n    (a) seniors;\n    (b) juniors.\n2.2 Applications need a proposer.\n\n' +
      '§ 3 Funds\n(1) Fees are due in May.\n(2) Gifts are kept apart.';
    expect(texts(text)).toEqual([
      'heading: 1. NAME',
      'list: 1.1 The Club is called "Weirside".',
      'list: 1.2 It promotes rowing on the Tarne and provides boats.',
      'heading: 2 Membership',
      'list: 2.1 Members are:',
      'list:     (a) seniors;',
      'list:     (b) juniors.',
      'list: 2.2 Applications need a proposer.',
      'prose: § 3 Funds',
      'list: (1) Fees are due in May.',
      'list: (2) Gifts are kept apart.',
    ]);
  });

  it('go on where one is missing, or with the next section', () => {
    expect(texts('1.0 First release\n1.1 Fixes a crash\n1.3 Fixes another\n2.0 New\n4.5 Litres')).toEqual([
      'list: 1.0 First release',
      'list: 1.1 Fixes a crash',
      'list: 1.3 Fixes another',
      'list: 2.0 New 4.5 Litres',
    ]);
  });

  it('are not told by a number that begins a line', () => {
    for (const text of [
      'No outings when the gauge at the bridge shows\n1.80 m or more.',
      'The gauge shows more than\n1.8 Metres in the morning and\n2.4 Metres in the evening.',
      'It is forbidden by section 3\n(b) of the act.',
    ])
      expect(texts(text)).toEqual([`prose: ${text}`]);
    expect(texts('2. Apples\n\nRed ones.')).toEqual(['list: 2. Apples', 'prose: Red ones.']);
  });

  it('are read in linear time', async () => {
    for (const line of ['1.1 A', '(a) b', `${'1.'.repeat(40)}1 A`, `1 A${'.'.repeat(90)}`])
      expect(await processorTime(() => texts(`${line}\n`.repeat(50_000)))).toBeLessThan(8000);
  }, 60_000);
});

describe('a line that opens a part', () => {
  it('stands with the underlined title below it', () => {
    const text = 'PART 1\n\nON LAND\n-------\n\nCarry boats low.\n\nCHAPTER TWO\n\nRacks\n=====\n\nThe fee is 85.';
    expect(texts(text)).toEqual([
      'heading: PART 1: ON LAND',
      'prose: Carry boats low.',
      'heading: CHAPTER TWO: Racks',
      'prose: The fee is 85.',
    ]);
  });

  it('leaves a title above another title a heading', () => {
    expect(texts('PART 1\n\nLand\n====\n\nRacks\n-----\n\nLow.')).toEqual([
      'heading: PART 1: Land',
      'heading: Racks',
      'prose: Low.',
    ]);
  });
});

it.each(['Kiel, den 18. Mai 2026', 'Kiel, den 18.05.2026', 'Boulogne, le 1er juin 2026', 'Cádiz, a 3 de mayo de 2026'])(
  'the line of a letter that says where and when it was written is no heading: %s',
  (line) => {
    const text = 'The family moves to England on the first of July, and asks you to take over the dog.';
    expect(texts(`${line}\n\n${text}`)).toEqual([`prose: ${line}`, `prose: ${text}`]);
  },
);

it.each(['Montag, den 3. Juni 2026', 'Monday, 3 June 2026', 'Minutes, 3 June 2026', 'Kiel, den alten Hafen'])(
  'the line that opens an entry stays a heading: %s',
  (line) => {
    const text = 'The family moves to England on the first of July, and asks you to take over the dog.';
    expect(texts(`${line}\n\n${text}`)[0]).toBe(`heading: ${line}`);
  },
);
