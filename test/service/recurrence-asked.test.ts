import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import type { Operation } from '../../src/operations/operation.js';
import { withService } from './harness.js';

const event = (summary: string, ...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', `SUMMARY:${summary}`, ...lines, 'END:VEVENT'].join('\n');
const CALENDAR = [
  'BEGIN:VCALENDAR',
  event('Payroll', 'DTSTART;VALUE=DATE:20260130', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
  event(
    'Canoe camp',
    'DTSTART;VALUE=DATE:20260109',
    'DTEND;VALUE=DATE:20260112',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR',
  ),
  event('Choir', 'DTSTART:20260106T190000', 'DTEND:20260106T210000', 'RRULE:FREQ=WEEKLY;BYDAY=TU'),
  event('Audit', 'DTSTART;VALUE=DATE:20260615', 'DTEND;VALUE=DATE:20260619', 'RRULE:FREQ=YEARLY'),
  event('Dentist', 'DTSTART:20260414T100000', 'DTEND:20260414T103000'),
  'END:VCALENDAR',
].join('\n');

it('finds what comes again on the last working day, and on each of the days that it lasts', async () => {
  await withService({ SVC_EMBEDDING: 'none' }, async ({ service, files }) => {
    const path = join(files, 'club.ics');
    writeFileSync(path, CALENDAR);
    const context = { surface: 'cli', authenticated: true } as const;
    await invoke(service, operations.ingest, { source_path: path, domain: 'club' }, context);
    const first = async (day: string) => {
      const answer = await invoke(service, operations.query as Operation, { context: `What is on ${day}?` }, context);
      return (answer as { items: Array<{ metadata: { name: string } }> }).items[0]?.metadata.name;
    };
    expect(await first('30 June 2026')).toContain('Payroll');
    expect(await first('29 May 2026')).toContain('Payroll');
    expect(await first('25 January 2026')).toContain('Canoe camp');
    expect(await first('18 June 2027')).toContain('Audit');
    expect(await first('19 May 2026')).toContain('Choir');
  });
});
