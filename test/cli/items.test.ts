import { describe, expect, it } from '@jest/globals';
import { countingNote } from '../../src/cli/output/counts.js';
import { excerpt } from '../../src/cli/output/excerpt.js';
import { applyingRules, itemList, itemTable, meantTime, relevantItems } from '../../src/cli/output/items.js';
import { facts, table } from '../../src/cli/output/output.js';

const item = (id: string, score: number) => ({ id, content: id, score, domain: 'd' });

describe('the items of an answer', () => {
  it('leave out those far below the best', () => {
    const items = [item('a', 0.9), item('b', 0.3), item('c', 0.01), item('d', 0)];
    expect(relevantItems(items).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are all there where even the best is weak', () => {
    const items = [item('a', 0.02), item('b', 0.01)];
    expect(relevantItems(items)).toEqual(items);
    expect(relevantItems([])).toEqual([]);
  });

  it('say what a row lacks of what is asked', () => {
    const metadata = { kind: 'passage', why: { terms: ['Corvid', 'Pup'], lacks: 'weight kg' } };
    expect(itemList([{ ...item('a', 0.07), metadata }])).toContain('why: holds Corvid, Pup; tells no weight kg');
  });

  it('say what they bring up to date, and not that it holds since then', () => {
    const path = { from: 'd:old', name: '1 October 2026', via: 'updates' };
    const listed = itemList([{ ...item('a', 0.9), metadata: { why: { terms: ['boss'], path } } }]);
    expect(listed).toContain('why: holds boss; says what changed since 1 October 2026');
  });

  it('bring the rules along that touch one not far below the best', () => {
    const rule = (id: string, relevance: number) => ({
      id,
      text: id,
      domain: 'd',
      category: 'general',
      confidence: 1,
      relevance,
      derivation: 'explicit',
    });
    const rules = [rule('of the best', 0.9), rule('of a good one', 0.3), rule('of a far one', 0.1)];
    const ids = (scores: number[], question = 'Which is the best, a good or a far one?') =>
      applyingRules(
        rules,
        scores.map((score) => item('i', score)),
        question,
      ).map(({ id }) => id);
    expect(ids([0.9, 0.3, 0.1])).toEqual(['of the best', 'of a good one']);
    expect(ids([0.9])).toEqual(['of the best']);
    expect(ids([0.3, 0.1])).toHaveLength(3);
    // Of these the ones that hold a word of the question; the first where none does.
    expect(ids([0.9, 0.3], 'Is it good?')).toEqual(['of a good one']);
    expect(ids([0.9, 0.3], 'Is smoking allowed?')).toEqual(['of the best']);
    // A passage that says much else is not found by the rule.
    const passage = { ...item('i', 0.9), content: 'of the best, and of much else' };
    expect(applyingRules(rules, [passage], 'Is smoking allowed?')).toEqual([]);
    expect(applyingRules(rules, [passage], 'Which is best?')).toEqual([rules[0]]);
  });

  it('bring the rule of a German question alone, of all that a passage states', () => {
    const texts = ['Bei Gewitter ist das Rudern verboten.', 'Rauchen ist im Bootshaus verboten.'];
    const rules = texts.map((text) => {
      const known = { domain: 'd', category: 'general', confidence: 1, relevance: 0.9, derivation: 'explicit' };
      return { id: text, text, ...known };
    });
    expect(applyingRules(rules, [item('i', 0.9)], 'Ist Rauchen erlaubt?')).toEqual([rules[1]]);
    expect(applyingRules(rules, [item('i', 0.9)], 'Was gilt, wenn es gewittert?')).toEqual([rules[0]]);
  });
});

describe('a question that counts or wants a list', () => {
  it.each(['How many tickets are open?', 'Which tickets are open?', 'List all suppliers.', 'Wie viele Boote gibt es?'])(
    'is told that passages are found: %s',
    (question) => {
      expect(countingNote(question)).toMatch(/does not count/);
    },
  );

  it.each([
    'How much is it?',
    'Which ticket is about labels?',
    'Which class has a test?',
    'Welche Farbe hat das Boot?',
  ])('is none: %s', (question) => {
    expect(countingNote(question)).toBeUndefined();
  });
});

describe('a time that counts from another day', () => {
  const asked = (by: string) => [
    { ...item('a', 0.9) },
    {
      ...item('b', 0.8),
      metadata: { why: { meant: { words: 'last week', days: '2026-03-09/2026-03-15', from: '2026-03-16', by } } },
    },
  ];

  it('is named with the days it is taken as', () => {
    expect(meantTime(asked('newest_message'))).toBe(
      '"last week" is 2026-03-09 to 2026-03-15 here, counted from 2026-03-16, the day of the newest message.',
    );
    expect(meantTime(asked('today'))).toMatch(/counted from 2026-03-16, today\.$/);
    expect(meantTime([item('a', 0.9)])).toBeUndefined();
  });
});

describe('the excerpt of an item', () => {
  const faq = `${'Q: When are you open? A: On weekdays from eight to five. '.repeat(6)}Q: Who do I call at night? A: The emergency number of Hanna Weiss, 0170 555 01 99.${' Q: May I park? A: In the yard.'.repeat(5)}`;

  it('holds what follows the words of the question, however far down', () => {
    const shown = excerpt(faq, ['call', 'night'], 300);
    expect(shown).toMatch(/^….{0,60}call at night\? A: The emergency number of Hanna Weiss, 0170 555 01 99\./);
    expect(shown.length).toBeLessThanOrEqual(300);
  });

  it('is the beginning where that holds as many of them, or none is known', () => {
    expect(excerpt(faq, ['open'], 300)).toMatch(/^Q: When are you open/);
    expect(excerpt(faq, [], 300)).toMatch(/^Q: When are you open/);
    expect(excerpt(faq, ['zebra'], 300)).toMatch(/^Q: When are you open/);
  });

  it('finds other forms of a word, and leaves a short text as it is', () => {
    const text = `${'Nothing of interest. '.repeat(30)}Exit codes: 3 means that the file is locked.`;
    expect(excerpt(text, ['exit', 'code', '3', 'mean'], 100)).toMatch(
      /^….*Exit codes: 3 means that the file is locked\.$/,
    );
    expect(excerpt('A line\nand another.', ['line'], 100)).toBe('A line and another.');
  });

  it('shows what follows the words, of a list from the entry that holds them', () => {
    const list = Array.from({ length: 40 }, (_, i) => `- item number ${i} costs ${i * 3 + 500} euros`).join('\n');
    expect(excerpt(list, ['number', 'item', '27'], 120)).toMatch(/^…item number 27 costs 581 euros - item number 28/);
  });

  it('holds the word that stands once, where the beginning has those that the text repeats', () => {
    const letter = `To Mr Ahmed Osman, 4 Mill Lane. ${'We write about your case. '.repeat(9)}Dear Mr Osman, we sued in time. The hearing is on 16 May at 10:30. ${'Please wait. '.repeat(20)}Mr Ahmed Osman: a copy.`;
    expect(excerpt(letter, ['hearing', 'mr', 'ahmed', 'osman'], 200)).toContain('The hearing is on 16 May at 10:30.');
  });

  it('shows what follows the last of the words, and not these at its end', () => {
    const chat = `${'Anna: Who drives the van on Saturday? '.repeat(7)}Luca: The caretaker is called Mr Pfeiffer, second door.${' Anna: Thanks.'.repeat(9)}`;
    expect(excerpt(chat, ['caretaker', 'called'], 300)).toContain('The caretaker is called Mr Pfeiffer, second door.');
  });

  const weeks = ['2026-01-12', '2026-01-19', '2026-02-02', '2026-02-09', '2026-02-16', '2026-03-02', '2026-03-09'];
  const row = (day: string, i: number) =>
    `- week start: ${day}; week end: later; primary: person ${'abcdefghij'[i]}; secondary: person z.`;
  const duties = [...weeks, '2026-03-16', '2026-03-23'].map(row).join('\n');

  it('is the row that holds the whole date, from its beginning', () => {
    expect(excerpt(duties, ['primary', '2026', '02', '09'], 300)).toMatch(
      /^…week start: 2026-02-09; week end: later; primary: person d; /,
    );
    expect(excerpt(duties, ['week', 'starting', '2026', '03', '16'], 240)).toContain(
      'week start: 2026-03-16; week end: later; primary: person h; secondary: person z.',
    );
  });

  it('shows the rarer of two words that stand as often', () => {
    const text = `Allbrück writes to us. ${'Nothing of interest. '.repeat(30)}The excess is 250 euros a claim.${' More of it.'.repeat(20)}`;
    expect(excerpt(text, ['excess', 'Allbrück'], 200)).toContain('The excess is 250 euros a claim.');
  });

  it('is of what a mail says, and not of its head', () => {
    const head =
      'Damage: From: Service Allbrück <a@b.example>\nTo: Torben\nSubject: Damage\nDate: Fri, 05 Dec 2025 09:40\n\n';
    const body = `Dear Torben, ${'the break-in falls under the old contract. '.repeat(6)}\nThe excess is 250 euros a claim.\nYours`;
    const shown = (terms: string[], kind = 'passage') =>
      itemList([{ ...item('a', 0.9), content: head + body, metadata: { kind, why: { terms } } }]);
    expect(shown(['excess', 'Allbrück'])).toContain('The excess is 250 euros a claim.');
    expect(shown(['old'])).toContain('1. Damage: Dear Torben, the break-in');
    expect(shown([])).toContain('1. Damage: Dear Torben, the break-in');
    expect(shown(['old'], 'concept')).toContain('1. Damage: From: Service');
    // Of a head that alone holds the words, the lines that do.
    expect(shown(['Allbrück'])).toContain('1. Damage: From: Service Allbrück <a@b.example> Dear Torben, the break-in');
  });

  it('shows the rarest word too, where the others stand elsewhere', () => {
    const lease = `LEASE of the premises known as FLAT 3A, 14 QUARRY STREET. ${'The rent is due. '.repeat(20)}4. PETS No pets are permitted. 5. PARKING ${'The yard is shared. '.repeat(9)}`;
    const shown = excerpt(lease, ['pets', '3A', 'flat'], 300);
    expect(shown).toMatch(/^LEASE of .*FLAT 3A, .* … 4\. PETS No pets are permitted\. .*…$/u);
    expect(shown.length).toBeLessThanOrEqual(300);
    const last = excerpt(`${lease}FLAT 3A has the attic.`, ['pets', 'attic', '3A', 'flat'], 200);
    expect(last).toMatch(/^…4\. PETS No pets are permitted\. .* … .*FLAT 3A has the attic\.$/u);
    expect(last.length).toBeLessThanOrEqual(200);
    expect(excerpt(lease, ['hamster', '3A', 'flat'], 300)).toMatch(/^LEASE (?!.* … )/u);
  });

  it('begins with the row of a table', () => {
    const fees = `Fees: ${'We charge little. '.repeat(20)}| Change of a tenant | 50 | | Early end of the lease | rent | ${'So it is. '.repeat(30)}`;
    expect(excerpt(fees, ['end', 'lease'], 200)).toMatch(/^…\| Early end of the lease \| rent \| So/u);
  });

  it('begins before the first of several places of a word', () => {
    const text = `${'Homework came first. '.repeat(20)}Phones stay in the box from 8:45. Confiscated phones go to parents.${' Dinners cost more.'.repeat(20)}`;
    expect(excerpt(text, ['phones'], 200)).toMatch(/^…Phones stay in the box/u);
    // What follows the last of places that are as many is shown.
    expect(excerpt(text, ['confiscated'], 200)).toMatch(/^…Confiscated phones/u);
  });

  it('begins with a sentence of Chinese, which has no spaces', () => {
    const text = `${'访客必须在前台登记。'.repeat(30)}停车场的密码是四七一一。`;
    expect(excerpt(text, ['密', '码'], 60)).toBe('…停车场的密码是四七一一。');
  });

  it('has the title before it where it begins further down', () => {
    const shown = (metadata: object, title = 'Fees: all of them') =>
      itemList([
        { ...item('a', 0.9), content: `${title}: ${faq}`, metadata: { ...metadata, why: { terms: ['night'] } } },
      ]);
    const [line = ''] = shown({ kind: 'passage', name: 'Fees: all of them' }).split('\n');
    expect(line).toMatch(/^1\. Fees: all of them: ….*call at night\? A: The emergency number/u);
    expect(line.length).toBeLessThanOrEqual(303);
    const title = 'A very long title '.repeat(10).trim();
    expect(shown({ name: title }, title)).toMatch(/^1\. A very long title .{50,70}…: ….*call at night\?/u);
    // An older service tells no name.
    expect(shown({ kind: 'passage' })).toMatch(/^1\. ….*call at night\?/u);
  });

  it('shows the place of a word that the title lacks, where the beginning repeats those of the title', () => {
    const rows = `Trip leader: Dr Nair. ${'The coast trip is long. '.repeat(16)}| Nuts | Two EpiPens in the orange bag, carried by Ada |`;
    const shown = itemList([
      {
        ...item('a', 0.9),
        content: `Trip to the coast: ${rows}`,
        metadata: { kind: 'passage', name: 'Trip to the coast', why: { terms: ['coast', 'EpiPens', 'trip'] } },
      },
    ]);
    expect(shown.split('\n')[0]).toMatch(/^1\. Trip to the coast: ….*Two EpiPens in the orange bag, carried by Ada/u);
  });

  it('begins with dots where the passage goes on with a sentence', () => {
    const passage = (name: string, text: string) => {
      const content = name === '' ? text : `${name}: ${text}`;
      return itemList([
        { ...item('a', 0.9), content, metadata: { kind: 'passage', ...(name === '' ? {} : { name }) } },
      ]);
    };
    expect(passage('log.txt', 'and the pump was mended.')).toContain('1. log.txt: …and the pump was mended.');
    expect(passage('', 'and the pump was mended.')).toContain('1. …and the pump was mended.');
    expect(passage('Log', 'The pump was mended.')).toContain('1. Log: The pump was mended.');
    expect(passage('Usage: bump.py 1.10', 'The script refuses.')).toContain('1. Usage: bump.py 1.10: The script');
    expect(passage('Notes: of the pump', 'and it was mended.')).toContain('1. Notes: of the pump: …and it');
    expect(passage('ADR 3', 'fast-cdc was taken.')).not.toContain('…');
    expect(passage('FAQ: what we do > Returns', 'Anybody may return.')).not.toContain('…');
    expect(passage('stock > Kettle', 'unit price: 39; status: In stock.')).not.toContain('…');
    expect(itemList([{ ...item('a', 0.9), content: 'Kettle: product of copper' }])).not.toContain('…');
  });
});

/** Columns of a terminal: characters of Chinese, Japanese and Korean take two. */
const columns = (line: string): number =>
  [...line].reduce((sum, one) => sum + (/[ᄀ-ᅟ⺀-꓏가-힣豈-﫿＀-｠]/u.test(one) ? 2 : 1), 0);

describe('tables and facts', () => {
  it('stand in line with Chinese, Japanese and Korean text', () => {
    const rows = ['tea', '绿茶', 'お茶を飲む', '녹차'].map((name) => ({ name }));
    const shown = table(rows, [
      { title: 'Name', of: ({ name }) => name },
      { title: 'Next', of: () => 'x' },
    ]).split('\n');
    expect(new Set(shown.map(columns)).size).toBe(1);
    for (const { name } of rows) expect(shown.join()).toContain(name);
    const lines = facts([
      ['绿茶', 'x'],
      ['tea', 'x'],
    ]).split('\n');
    expect(lines.map((line) => columns(line.slice(0, line.indexOf('x'))))).toEqual([6, 6]);
  });

  it('break a text without spaces instead of cutting it off', () => {
    const content = '访客证由田中先生发放。'.repeat(12);
    const shown = itemTable([{ ...item('a', 0.9), content }]);
    expect([...shown.matchAll(/[⺀-꓏]|。/gu)].join('')).toBe(content);
  });

  it('break the name of a file between its words', () => {
    const rows = [{ label: 'Staff-Handbook-2024.md' }, { label: 'abcdefghijklmnopqrstuvwxyz' }];
    const shown = table(rows, [
      { title: 'Label', of: ({ label }) => label, wide: 1 },
      { title: 'About', of: () => 'x'.repeat(90) },
    ]);
    expect(shown).toMatch(/│ Staff-Handbook- +│.*\n│ 2024\.md +│/u);
    expect(shown).toMatch(/│ abcdefghijklmnop │.*\n│ qrstuvwxyz +│/u);
  });
});
