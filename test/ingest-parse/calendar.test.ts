import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

const source = { domain: 'd', kind: 'file', key: 'family.ics', label: 'family.ics' } as const;
const fileOf = (written: string | Buffer, name = 'family.ics') =>
  ({ type: 'calendar', name, bytes: Buffer.from(written as string) }) as const;
const calendar = (lines: string, head = '') =>
  `BEGIN:VCALENDAR\nVERSION:2.0\n${head}${lines.trim()}\nEND:VCALENDAR\n`.replaceAll('\n', '\r\n');
const event = (lines: string) => `BEGIN:VEVENT\nUID:1\nDTSTAMP:20260101T000000Z\n${lines}\nEND:VEVENT\n`;

async function texts(written: string | Buffer): Promise<string[]> {
  const passages = await chunk(await parse(fileOf(written)), { source, title: 'family.ics' });
  return passages.map(({ title, text }) => `${title}: ${text}`);
}
const one = async (lines: string, head?: string) => (await texts(calendar(event(`SUMMARY:X\n${lines}`), head)))[0];

describe('a calendar', () => {
  it('is its entries below its name, without alarms and identifiers', async () => {
    const alarm = 'BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT30M\nDESCRIPTION:Reminder\nEND:VALARM';
    const lines = `SUMMARY:Dentist\\, check-up\nDTSTART;TZID=Europe/London:20261204T093000\nDTEND;TZID=Europe/London:20261204T100000
LOCATION:Harbour Dental\\, 3 Quay Street\nDESCRIPTION:Bring the card.\\nRing 01632 960001 to cance\n l.\nSEQUENCE:2\n${alarm}`;
    expect(await texts(calendar(event(lines), 'X-WR-CALNAME:Family\n'))).toEqual([
      'Family > Dentist, check-up: date: 2026-12-04; time: 09:30 to 10:00; location: Harbour Dental, 3 Quay Street.\n\ndescription: Bring the card.\nRing 01632 960001 to cancel.',
    ]);
  });

  it('is called by its file where its name is an address, as of its owner', async () => {
    expect(await one('DTSTART;VALUE=DATE:20261204', 'X-WR-CALNAME:ada@example.org\n')).toBe(
      'family > X: date: 2026-12-04.',
    );
  });

  it.each([
    ['one day', 'DTSTART;VALUE=DATE:20261204\nDTEND;VALUE=DATE:20261205', 'date: 2026-12-04.'],
    ['days', 'DTSTART;VALUE=DATE:20261219\nDTEND;VALUE=DATE:20270103', 'from: 2026-12-19; to: 2027-01-02.'],
    ['days that it counts', 'DTSTART;VALUE=DATE:20261219\nDURATION:P2D', 'from: 2026-12-19; to: 2026-12-20.'],
    ['a duration', 'DTSTART:20261204T093000\nDURATION:PT1H30M', 'date: 2026-12-04; time: 09:30 to 11:00.'],
    ['a moment', 'DTSTART:20261204T093000', 'date: 2026-12-04; time: 09:30.'],
    ['until midnight', 'DTSTART:20261204T200000\nDTEND:20261205T000000', 'date: 2026-12-04; time: 20:00 to 24:00.'],
    ['over night', 'DTSTART:20261204T220000\nDTEND:20261205T010000', 'from: 2026-12-04 22:00; to: 2026-12-05 01:00.'],
    ['UTC', 'DTSTART:20260604T093000Z\nDTEND:20260604T100000Z', 'date: 2026-06-04; time: 09:30 to 10:00 (UTC).'],
  ])('says when an entry is: %s', async (_what, lines, wanted) => {
    expect(await one(lines)).toBe(`family > X: ${wanted}`);
  });

  it('gives times in the zone of its owner, and names any other', async () => {
    const head = 'X-WR-TIMEZONE:Europe/Berlin\n';
    expect(await one('DTSTART:20260604T230000Z', head)).toBe('family > X: date: 2026-06-05; time: 01:00.');
    expect(await one('DTSTART;TZID=America/New_York:20260604T100000', head)).toBe(
      'family > X: date: 2026-06-04; time: 10:00 (America/New_York).',
    );
    expect(await one('DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260604T100000', head)).toBe(
      'family > X: date: 2026-06-04; time: 10:00.',
    );
  });

  it('gives times in UTC where its rule names days of UTC that are others where the owner lives', async () => {
    const head = 'X-WR-TIMEZONE:Europe/Berlin\n';
    expect(await one('DTSTART:20260106T233000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU', head)).toBe(
      'family > X: from: 2026-01-06; time: 23:30 (UTC); repeats: every Tuesday.',
    );
    expect(await one('DTSTART:20260106T233000Z\nRRULE:FREQ=WEEKLY', head)).toBe(
      'family > X: from: 2026-01-07; time: 00:30; repeats: every Wednesday.',
    );
  });

  it.each([
    'FREQ=SECONDLY;COUNT=2000',
    'FREQ=WEEKLY;COUNT=1000000000',
    'FREQ=WEEKLY;COUNT=2000;INTERVAL=1000000000',
    'FREQ=MONTHLY;COUNT=2000;INTERVAL=12;BYDAY=5MO',
    'FREQ=MONTHLY;COUNT=2000;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;COUNT=2000;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=DAILY;COUNT=2000;BYMONTH=2;BYMONTHDAY=30',
  ])('is read where the last time of an entry lies far away or never comes: %s', async (rule) => {
    const entries = Array.from({ length: 100 }, () => event(`SUMMARY:X\nDTSTART:20260106T100000\nRRULE:${rule}`));
    expect((await texts(calendar(entries.join(''))))[0]).not.toContain('until');
  });

  it.each([
    ['FREQ=WEEKLY', 'every Tuesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'every second Tuesday'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR', 'every Monday, Wednesday and Friday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', 'every second week on Monday and Wednesday'],
    ['FREQ=DAILY', 'every day'],
    ['FREQ=DAILY;INTERVAL=3', 'every third day'],
    ['FREQ=MONTHLY', 'monthly on the 6th'],
    ['FREQ=MONTHLY;BYMONTHDAY=1', 'monthly on the 1st'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'monthly on the last day'],
    ['FREQ=MONTHLY;BYDAY=1MO', 'monthly on the first Monday'],
    ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'monthly on the last Friday'],
    ['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=22', 'every third month on the 22nd'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', 'every second week on Sunday and Tuesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU', 'every second week on Tuesday and Sunday'],
    ['FREQ=WEEKLY;BYMONTH=5,6', 'every Tuesday in May and June'],
    ['FREQ=DAILY;BYDAY=MO,TU', 'every Monday and Tuesday'],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU', 'every second day on certain days'],
    ['FREQ=DAILY;BYMONTHDAY=1', 'monthly on the 1st'],
    ['FREQ=MONTHLY;BYMONTH=1;BYMONTHDAY=6', 'monthly on the 6th in January'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'monthly on certain days'],
    ['FREQ=YEARLY;BYMONTHDAY=13', 'monthly on the 13th'],
    ['FREQ=YEARLY;BYMONTH=5,6;BYMONTHDAY=-1', 'yearly on the last day of May and the last day of June'],
    ['FREQ=YEARLY;BYDAY=20MO', 'yearly on the 20th Monday of the year'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'yearly on certain days'],
    ['FREQ=YEARLY;BYYEARDAY=100', 'yearly on certain days'],
    ['FREQ=YEARLY', 'yearly on 6 January'],
    ['FREQ=YEARLY;BYMONTH=5;BYDAY=2SU', 'yearly on the second Sunday of May'],
  ])('says in words how an entry comes again: %s', async (rule, words) => {
    expect(await one(`DTSTART;VALUE=DATE:20260106\nRRULE:${rule}`)).toBe(
      `family > X: from: 2026-01-06; repeats: ${words}.`,
    );
  });

  it('says until when, how often and on which days not', async () => {
    expect(await one('DTSTART:20260106T180000\nRRULE:FREQ=WEEKLY;UNTIL=20260630T235959Z\nEXDATE:20260113T180000')).toBe(
      'family > X: from: 2026-01-06; time: 18:00; repeats: every Tuesday; until: 2026-06-30; not on: 2026-01-13.',
    );
    expect(await one('DTSTART;VALUE=DATE:20260106\nRRULE:FREQ=WEEKLY;COUNT=3')).toBe(
      'family > X: from: 2026-01-06; repeats: every Tuesday, 3 times; until: 2026-01-20.',
    );
    expect(await one('DTSTART;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3')).toBe(
      'family > X: from: 2026-01-05; repeats: every Monday and Wednesday, 3 times; until: 2026-01-12.',
    );
    expect(await one('DTSTART;VALUE=DATE:20260106\nRRULE:FREQ=MONTHLY;COUNT=3')).toBe(
      'family > X: from: 2026-01-06; repeats: monthly on the 6th, 3 times; until: 2026-03-06.',
    );
    // Google writes birthdays of contacts so.
    expect(await one('DTSTART;VALUE=DATE:20260106\nRRULE:FREQ=DAILY;COUNT=1\nRDATE:20250106Z')).toBe(
      'family > X: date: 2026-01-06; also on: 2025-01-06.',
    );
  });

  it('has a moved instance as a row of its own, and a cancelled one as none', async () => {
    const series = event('SUMMARY:Choir\nDTSTART:20260106T180000\nRRULE:FREQ=WEEKLY');
    const moved = event('SUMMARY:Choir\nRECURRENCE-ID:20260113T180000\nDTSTART:20260115T190000\nLOCATION:Town hall');
    const cancelled = event('SUMMARY:Choir\nRECURRENCE-ID:20260120T180000\nDTSTART:20260120T180000\nSTATUS:CANCELLED');
    expect(await texts(calendar(series + moved + cancelled))).toEqual([
      'family > Choir: from: 2026-01-06; time: 18:00; repeats: every Tuesday; not on: 2026-01-13, 2026-01-20.',
      'family > Choir: date: 2026-01-15; time: 19:00; instead of: 2026-01-13; location: Town hall.',
    ]);
  });

  it('says who is there, what is to be done and what is cancelled', async () => {
    const people =
      'ORGANIZER;CN=Bo Reeve:mailto:bo@example.org\nATTENDEE;CN="Tam; Cy";PARTSTAT=DECLINED:mailto:cy@example.org\nATTENDEE:mailto:dora@example.org';
    expect(await one(`DTSTART;VALUE=DATE:20260106\nSTATUS:CANCELLED\n${people}`)).toBe(
      'family > X: status: cancelled; date: 2026-01-06; organizer: Bo Reeve; attendees: Tam; Cy (declined), dora@example.org.',
    );
    const task = 'BEGIN:VTODO\nSUMMARY:Renew the permit\nDUE;VALUE=DATE:20261215\nSTATUS:NEEDS-ACTION\nEND:VTODO\n';
    const entry =
      'BEGIN:VJOURNAL\nSUMMARY:Harvest\nDTSTART;VALUE=DATE:20260901\nDESCRIPTION:<p>40 kg of <b>pears</b></p>\nEND:VJOURNAL';
    expect(await texts(calendar(task + entry))).toEqual([
      'family > Renew the permit: kind: to-do; status: not done; due: 2026-12-15.',
      'family > Harvest: kind: journal; date: 2026-09-01; description: 40 kg of pears.',
    ]);
  });

  it('is read in the charset of an old program, and in quoted-printable', async () => {
    expect(await texts(Buffer.from(calendar(event('SUMMARY:Caf\xe9\nDTSTART;VALUE=DATE:20260106')), 'latin1'))).toEqual(
      ['family > Café: date: 2026-01-06.'],
    );
    const quoted =
      'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Bes=\nuch in K=C3=B6ln\nDTSTART;VALUE=DATE:20260106';
    expect(await texts(calendar(event(quoted)))).toEqual(['family > Besuch in Köln: date: 2026-01-06.']);
  });

  it('that is cut off or has broken lines is read as far as it can be, with a notice', async () => {
    const whole = event('SUMMARY:A\nDTSTART;VALUE=DATE:20260106\nRRULE:FREQ=NEVER');
    const written = `BEGIN:VCALENDAR\n${whole}BEGIN:VEVENT\nSUMMARY:B\nDTST`;
    const { notice, parts } = await parse(fileOf(written));
    expect(notice).toBe(
      'One line that cannot be read was left out; the file ends before its last entry does: it may be cut off.',
    );
    expect(parts.map(({ text }) => text)).toEqual(['family', 'A', 'date: 2026-01-06.']);
  });

  it.each([
    ['a text', 'Dear Ada,\nsee you.', 'holds no calendar; export the calendar anew as iCalendar (.ics)'],
    ['nothing', '', 'holds no calendar'],
    ['no entry', calendar(''), 'holds no text; there is nothing to ingest'],
  ])('is refused where it is none: %s', async (_what, written, message) => {
    await expect(parse(fileOf(written))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });
});

describe('a hostile calendar', () => {
  it('is refused with the limit where it nests components without end', async () => {
    await expect(parse(fileOf('BEGIN:VCALENDAR\n'.repeat(200_000)))).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'depth' },
    });
  });

  it.each([
    [
      'a rule that never falls',
      event('SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=999999999'),
    ],
    ['a rule of every second', event('SUMMARY:X\nDTSTART:20260106T000000\nRRULE:FREQ=SECONDLY')],
    ['parameters without end', event(`SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nLOCATION${';A=B'.repeat(300_000)}:Y`)],
    [
      'a quotation mark that nothing closes',
      event(`SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nATTENDEE;CN="${'a:'.repeat(300_000)}`),
    ],
    [
      'a line folded a million times',
      event(`SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nLOCATION:${'\n a'.repeat(1_000_000)}`),
    ],
    [
      'quoted-printable of a million lines',
      event(`SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nLOCATION;ENCODING=QUOTED-PRINTABLE:${'a=\n'.repeat(1_000_000)}`),
    ],
    [
      'excluded days without end',
      event(
        `SUMMARY:X\nDTSTART;VALUE=DATE:20260106\nRRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:${'20260107,'.repeat(100_000)}20260108`,
      ),
    ],
    [
      'people without end',
      event(
        `SUMMARY:X\nDTSTART;VALUE=DATE:20260106\n${Array.from({ length: 50_000 }, (_, i) => `ATTENDEE:mailto:${i}@example.org`).join('\n')}`,
      ),
    ],
    [
      'names of prototypes',
      event('SUMMARY:X\nDTSTART;VALUE=DATE:20260106\n__PROTO__:a\nCONSTRUCTOR;__proto__=b:c\nSTATUS:CONSTRUCTOR'),
    ],
  ])(
    'is read: %s',
    async (_what, entry) => {
      const [passage] = await texts(`BEGIN:VCALENDAR\n${entry}END:VCALENDAR\n`);
      expect(passage).toMatch(/^family > X: (?:date|from): 2026-01-06/u);
    },
    60_000,
  );
});

describe('questions to a calendar', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    const entries = [
      'SUMMARY:Dentist\nDTSTART:20261204T093000\nDTEND:20261204T100000\nLOCATION:Quay Street',
      'SUMMARY:On call: Lowri\nDTSTART;VALUE=DATE:20261116\nDTEND;VALUE=DATE:20261123',
      'SUMMARY:On call: Hester\nDTSTART;VALUE=DATE:20261123\nDTEND;VALUE=DATE:20261130',
      'SUMMARY:Choir rehearsal\nDTSTART:20260106T183000\nRRULE:FREQ=WEEKLY\nEXDATE:20261201T183000',
      'SUMMARY:Paper bin\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY;INTERVAL=2',
      'SUMMARY:Allotment committee\nDTSTART:20260205T193000\nRRULE:FREQ=MONTHLY;BYDAY=1TH',
      "SUMMARY:Dora's birthday\nDTSTART;VALUE=DATE:19851105\nRRULE:FREQ=YEARLY",
    ];
    const bytes = Buffer.from(
      calendar(
        entries
          .map((lines) => event(lines))
          .join('')
          .replaceAll('UID:1\n', ''),
      ),
    );
    await world.ingest.uploaded({ name: 'family.ics', bytes }, { domain: 'd' });
  });
  afterAll(() => world.close());

  it.each([
    ['What has the family on next Friday?', 'Dentist'],
    ['When is the dentist?', 'date: 2026-12-04; time: 09:30 to 10:00'],
    ['Who is on call on 18 November?', 'Lowri'],
    ['What has the family on next Tuesday?', 'not on: 2026-12-01'],
    ['What has the family on 8 December?', 'Choir rehearsal'],
    ['What has the family on 21 December 2026?', 'Paper bin'],
    ['What has the family on 7 January 2027?', 'Allotment committee'],
    ['Whose birthday is on 5 November?', 'Dora'],
  ])('find its entries: %s', async (context, words) => {
    const retrieval = new Retrieval({ ...world.parts, clock: () => Date.parse('2026-11-30T09:00:00Z') });
    const { items } = await retrieval.query({ context, domains: ['d'], top_k: 3 });
    expect(items[0]!.content).toContain(words);
  });
});
