import ICAL from 'ical.js';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { LIMITS, LimitExceeded } from '../limits.js';
import { BrokenRecord } from '../table/record-table.js';
import { rowParts } from '../table/rows.js';
import { first, noticeOf, readComponents, textOf } from './content-lines.js';
import { lastCounted, ruleInWords } from './recurrence.js';
import { after, atHome, momentOf, momentsOf, whenOf } from './times.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./content-lines.js').Component} Component */
/** @typedef {import('./times.js').Moment} Moment */

/** The columns of the table that a calendar is, in the order in which a person reads them. */
const COLUMNS =
  'title,kind,status,date,due,from,to,time,repeats,until,also on,not on,instead of,completed,location,description,organizer,attendees,contact,categories,url,comment'.split(
    ',',
  );
const ENTRIES = { vevent: '', vtodo: 'to-do', vjournal: 'journal' };
const READ = new Set(
  'x-wr-calname name x-wr-timezone summary description location organizer attendee contact categories url comment status dtstart dtend duration due completed rrule rdate exdate recurrence-id uid x-google-conference'.split(
    ' ',
  ),
);
const STATUS = {
  TENTATIVE: 'tentative',
  CANCELLED: 'cancelled',
  'NEEDS-ACTION': 'not done',
  'IN-PROCESS': 'in progress',
  COMPLETED: 'done',
  DRAFT: 'draft',
};
const ANSWERS = { DECLINED: 'declined', TENTATIVE: 'tentative' };
/** People and days that a row names; of more it says how many. */
const MOST_NAMED = 60;
/** Instances of one entry that are looked at. */
const MOST_MOVED = 1000;
const HTML = /<(?:p|br|b|i|u|a|ul|ol|li|div|span|html|h\d)\b[^<>]{0,500}>/iu;

/**
 * Returns the entries of a calendar as the rows of a table: "Family > Dentist" with the text "date: 2026-06-13; time: 10:00 to 10:30; location: …". What comes again says its rule in words and is one row; an
 * instance that was moved is a row of its own, a cancelled one none. Alarms, identifiers and time stamps are left out. Throws `BrokenRecord` for a text that is none, `LimitExceeded`.
 * @param {string} written
 * @returns {{ title?: string, notice?: string, parts: Iterable<Part> }}
 */
export function calendarParts(written) {
  const text = cleanText(written);
  if (!/^\s*BEGIN:VCALENDAR\b/iu.test(text))
    throw new BrokenRecord('holds no calendar; export the calendar anew as iCalendar (.ics)');
  const read = readComponents(text, { design: ICAL.design.icalendar, isWanted: (name) => READ.has(name) });
  const entries = read.components.filter(({ name }) => Object.hasOwn(ENTRIES, name));
  const calendars = read.components.filter(({ name }) => name === 'vcalendar');
  if (entries.length * COLUMNS.length > LIMITS.cells)
    throw new LimitExceeded('cells', `would be a table of more than ${LIMITS.cells} cells; split it by year`);
  const home = homeOf(calendars, entries);
  const moved = movedIn(entries);
  const rows = entries.flatMap((entry) => {
    const row = rowOf(entry, { home, moved: moved.get(uidOf(entry)) ?? [] });
    return row === undefined ? [] : [COLUMNS.map((column) => row[column] ?? '')];
  });
  const title = titleOf(calendars);
  return { ...(title === '' ? {} : { title }), ...noticeOf(read), parts: rowParts({ head: COLUMNS, rows }) };
}

/** Returns the name of a calendar; an address, as Google calls the calendar of its owner, says less than the name of the file. @param {Component[]} calendars */
function titleOf(calendars) {
  const names = calendars.map((one) => textOf(first(one, 'x-wr-calname')) || textOf(first(one, 'name')));
  return names.find((name) => name !== '' && !/@|:\/\//u.test(name)) ?? '';
}

/** Returns the zone in which the owner of a calendar lives: the one that it names, else that of most entries. @param {Component[]} calendars @param {Component[]} entries @returns {string | undefined} */
function homeOf(calendars, entries) {
  const said = calendars.map((one) => textOf(first(one, 'x-wr-timezone'))).find(Boolean);
  if (said !== undefined) return said;
  const counts = new Map();
  for (const entry of entries) {
    const zone = momentOf(first(entry, 'dtstart'))?.zone;
    if (zone !== undefined && zone !== 'UTC') counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [undefined, 0])[0];
}

/** Returns the times at which instances of what comes again were moved or changed, by its identifier. @param {Component[]} entries @returns {Map<string, Moment[]>} */
function movedIn(entries) {
  const moved = new Map();
  for (const entry of entries) {
    const at = momentOf(first(entry, 'recurrence-id'));
    const uid = uidOf(entry);
    if (at === undefined || uid === '') continue;
    const known = moved.get(uid);
    if (known === undefined) moved.set(uid, [at]);
    else if (known.length < MOST_MOVED) known.push(at);
  }
  return moved;
}

/** @param {Component} entry */
function uidOf(entry) {
  return textOf(first(entry, 'uid'));
}

/**
 * Returns the cells of an entry by their columns; undefined for a cancelled instance of what comes again.
 * @param {Component} entry @param {{ home: string | undefined, moved: Moment[] }} of @returns {Record<string, string> | undefined}
 */
function rowOf(entry, { home, moved }) {
  const text = (/** @type {string} */ name) => textOf(first(entry, name));
  const instance = momentOf(first(entry, 'recurrence-id'));
  const status = STATUS[text('status').toUpperCase()] ?? '';
  if (instance !== undefined && status === 'cancelled') return undefined;
  const when = whenIn(entry, { home, moved: instance === undefined ? moved : [] });
  const was = instance === undefined ? undefined : atHome(instance, home).date;
  return {
    ...when,
    title: text('summary'),
    kind: ENTRIES[entry.name],
    status,
    'instead of': was === undefined || was === (when.date ?? when.from?.slice(0, 10)) ? '' : was,
    location: text('location'),
    description: plain(text('description')),
    organizer: namesOf(entry, 'organizer'),
    attendees: namesOf(entry, 'attendee'),
    contact: text('contact'),
    categories: text('categories').replaceAll(',', ', '),
    url: [text('url'), text('x-google-conference')].filter(Boolean).join(', '),
    comment: text('comment'),
  };
}

/**
 * Returns when an entry is: a day or a time, and the rule by which it comes again.
 * @param {Component} entry @param {{ home: string | undefined, moved: Moment[] }} of @returns {Record<string, string>}
 */
function whenIn(entry, { home: owner, moved }) {
  const rule = first(entry, 'rrule')?.values[0];
  const home = isOfOtherDay(entry, rule, owner) ? undefined : owner;
  const [start, due, completed] = ['dtstart', 'due', 'completed'].map((name) => {
    const moment = momentOf(first(entry, name));
    return moment === undefined ? undefined : atHome(moment, home);
  });
  const onDay = (/** @type {Moment} */ { date, time }) => (time === undefined ? date : `${date} ${time}`);
  const task = { due: due === undefined ? '' : onDay(due), completed: completed?.date ?? '' };
  if (start === undefined) return task;
  const others = daysIn(entry, 'rdate', home);
  const single = whenOf(start, endOf(entry, start, home), home);
  if (typeof rule !== 'object' || rule === null || rule.count === 1)
    return { ...task, ...single, 'also on': listed(others), 'not on': '' };
  const [end] = momentsOf({ name: 'until', params: {}, values: [rule.until ?? ''] });
  const until =
    end === undefined ? lastCounted(rule, start) : (start.time === undefined ? end : atHome(end, home)).date;
  const excluded = [...daysIn(entry, 'exdate', home), ...moved.map((moment) => atHome(moment, home).date)];
  return {
    ...task,
    from: start.date,
    time: single.time ?? timeOfSeveral(single),
    repeats: ruleInWords(rule, start),
    until: until ?? '',
    'also on': listed(others),
    'not on': listed(excluded),
  };
}

/** Returns whether a rule names days of UTC on which an entry is not where its owner lives: 23:30 there is the next day. @param {Component} entry @param {unknown} rule @param {string | undefined} home */
function isOfOtherDay(entry, rule, home) {
  const start = momentOf(first(entry, 'dtstart'));
  const namesDays = typeof rule === 'object' && rule !== null && ('byday' in rule || 'bymonthday' in rule);
  return namesDays && start !== undefined && atHome(start, home).date !== start.date;
}

/** Returns the time of what lasts several days and comes again. @param {{ from?: string, to?: string }} when */
function timeOfSeveral({ from, to }) {
  if (from === undefined || to === undefined) return '';
  const [first = 0, last = 0] = [from, to].map((one) => Date.parse(one.slice(0, 10)));
  const [start = '', end = ''] = [from, to].map((one) => one.slice(11));
  const days = (last - first) / 86_400_000;
  if (start !== '') return `${start} to ${end} ${days === 1 ? 'the next day' : `${days} days later`}`;
  return `${days + 1} days`;
}

/** @param {Component} entry @param {Moment} start @param {string | undefined} home @returns {Moment | undefined} */
function endOf(entry, start, home) {
  const end = momentOf(first(entry, 'dtend'));
  if (end !== undefined) return atHome(end, home);
  const duration = String(first(entry, 'duration')?.values[0] ?? '');
  return ICAL.Duration.isValueString(duration)
    ? after(start, ICAL.Duration.fromString(duration).toSeconds() / 60)
    : undefined;
}

/** @param {Component} entry @param {string} name @param {string | undefined} home */
function daysIn({ properties }, name, home) {
  return properties
    .filter((property) => property.name === name)
    .flatMap(momentsOf)
    .map((moment) => atHome(moment, home).date);
}

/** Returns days in order, of many the last ones. @param {string[]} days */
function listed(days) {
  const sorted = [...new Set(days)].sort();
  const others = sorted.length - MOST_NAMED;
  return [...(others > 0 ? [`${others} earlier`] : []), ...sorted.slice(-MOST_NAMED)].join(', ');
}

/** @param {string[]} names */
function shortened(names) {
  const others = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/** Returns people by their names, else by their addresses, and those who do not come as such. @param {Component} entry @param {string} name */
function namesOf({ properties }, name) {
  const people = properties
    .filter((property) => property.name === name)
    .map(({ params, values }) => {
      const called = typeof params.cn === 'string' ? params.cn : String(values[0] ?? '');
      const answer = ANSWERS[String(params.partstat).toUpperCase()];
      const person = called
        .replace(/^mailto:/iu, '')
        .replace(/\s+/gu, ' ')
        .trim();
      return answer === undefined || person === '' ? person : `${person} (${answer})`;
    });
  return shortened([...new Set(people.filter(Boolean))]);
}

/** Returns a description without the tags that some programs write it with. @param {string} written */
function plain(written) {
  const text = HTML.test(written)
    ? htmlParts(written.replace(/\n/gu, '<br>'))
        .parts.map((part) => part.text)
        .join('\n')
    : written;
  return text.replace(/\n{2,}/gu, '\n').trim();
}
