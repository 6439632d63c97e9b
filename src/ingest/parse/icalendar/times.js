/** A time as a calendar writes it: a day in ISO 8601, and where it is no whole day a time and its zone. @typedef {{ date: string, time?: string, zone?: string }} Moment */

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?(Z)?)?/u;
const UTC = 'UTC';
const MINUTE = 60_000;
const DAY = 86_400_000;
const MIDNIGHT = '00:00';
/** A longer name is that of no zone. In characters. */
const LONGEST_ZONE = 100;
const MOST_FORMATS = 100;
/** @type {Map<string, Intl.DateTimeFormat | undefined>} */
const formats = new Map();

/** Returns a time as a property of a calendar says it; undefined for what is none. @param {import('./content-lines.js').Property | undefined} property */
export function momentOf(property) {
  return property === undefined ? undefined : momentsOf(property)[0];
}

/** Returns the times of a property. @param {import('./content-lines.js').Property} property @returns {Moment[]} */
export function momentsOf({ values, params }) {
  return values.flatMap((value) => {
    // A period is its beginning and its end.
    const [, date, time, isUtc] = WRITTEN.exec(String(Array.isArray(value) ? value[0] : value)) ?? [];
    if (date === undefined || Number.isNaN(Date.parse(date))) return [];
    if (time === undefined) return [{ date }];
    const zone = isUtc ? UTC : typeof params.tzid === 'string' ? zoneName(params.tzid) : undefined;
    return [{ date, time, ...(zone === undefined ? {} : { zone }) }];
  });
}

/** Returns the name of a zone without what a program writes before it: "/mozilla.org/20050126_1/Europe/Berlin". @param {string} tzid */
function zoneName(tzid) {
  return tzid.startsWith('/') ? tzid.split('/').slice(-2).join('/') : tzid;
}

/** Returns a time of UTC as one of the zone in which its owner lives, where that is known; any other as it is. @param {Moment} moment @param {string | undefined} home @returns {Moment} */
export function atHome(moment, home) {
  const format = moment.zone === UTC && home !== undefined ? formatOf(home) : undefined;
  if (format === undefined) return moment;
  const [date = '', time = ''] = format.format(millisOf(moment)).split(' ');
  return { date, time, zone: home };
}

/** Returns what writes a time as in a zone: "2026-06-13 10:00"; undefined for a zone that only its calendar knows. @param {string} zone */
function formatOf(zone) {
  if (zone.length > LONGEST_ZONE) return undefined;
  // A parser reads the files of many.
  if (formats.size >= MOST_FORMATS) formats.clear();
  if (!formats.has(zone)) formats.set(zone, madeFormat(zone));
  return formats.get(zone);
}

/** @param {string} timeZone */
function madeFormat(timeZone) {
  const two = '2-digit';
  try {
    // Sweden writes times in ISO 8601.
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      hourCycle: 'h23',
    });
  } catch {
    return undefined;
  }
}

/** @param {Moment} moment */
function millisOf({ date, time = MIDNIGHT }) {
  return Date.parse(`${date}T${time}Z`);
}

/** Returns the day number of a time, in days since 1970. @param {Moment} moment */
function dayNumber({ date }) {
  return Date.parse(date) / DAY;
}

/** Returns a day in ISO 8601. @param {number} day */
function isoDay(day) {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** Returns the time that lies some minutes after another one; undefined for one beyond all calendars. @param {Moment} moment @param {number} minutes @returns {Moment | undefined} */
export function after(moment, minutes) {
  const end = new Date(millisOf(moment) + minutes * MINUTE);
  if (Number.isNaN(end.getTime()) || end.getUTCFullYear() > 9999 || end.getUTCFullYear() < 0) return undefined;
  const [date = '', time = ''] = end.toISOString().slice(0, 16).split('T');
  return { ...moment, date, ...(moment.time === undefined ? {} : { time }) };
}

/**
 * Returns when something is, as cells of a row: `date`, with `time` where it is no whole day, or `from` and `to`, both included. A zone is named unless it is `home`.
 * @param {Moment} start @param {Moment | undefined} end An end of whole days is the day after the last. @param {string | undefined} home
 * @returns {{ date?: string, from?: string, to?: string, time?: string }}
 */
export function whenOf(start, end, home) {
  if (start.time === undefined) {
    const last = end === undefined ? undefined : dayNumber(end) - (end.time === undefined ? 1 : 0);
    return last === undefined || last <= dayNumber(start)
      ? { date: start.date }
      : { from: start.date, to: isoDay(last) };
  }
  const zone = start.zone === undefined || start.zone === home ? '' : ` (${start.zone})`;
  if (end?.time === undefined || millisOf(end) <= millisOf(start))
    return { date: start.date, time: `${start.time}${zone}` };
  // Midnight is the end of a day, too.
  const isUntilMidnight = end.time === MIDNIGHT && dayNumber(end) === dayNumber(start) + 1;
  if (end.date === start.date || isUntilMidnight)
    return { date: start.date, time: `${start.time} to ${isUntilMidnight ? '24:00' : end.time}${zone}` };
  return { from: `${start.date} ${start.time}${zone}`, to: `${end.date} ${end.time}${zone}` };
}
