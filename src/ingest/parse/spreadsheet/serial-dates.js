/** Days from the first day of serial dates to that of Unix, and from the other first day that workbooks of old Macs have. */
const TO_UNIX = 25_569;
const TO_1904 = 1462;
/** The day after 28 February 1900 that spreadsheets count though it never was. */
const NO_DAY = 60;
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465;
const SECONDS = 86_400;
/** A longer format is taken for none of dates. In characters. */
const LONGEST_FORMAT = 200;

/** What the format of a date shows. @typedef {{ year: boolean, month: boolean, day: boolean, time: boolean }} Shown */

/** @type {Map<string, Shown | undefined>} */
const known = new Map();
const MOST_KNOWN = 1000;

/**
 * Returns a number as the date or time that its format makes of it: "2026-06-13", "2026-06-13 14:30", "14:30:05", "2026-06" where it shows no day.
 * Undefined where it makes none, or one that only the format can write: "Saturday", "26:30" hours, "05:30" minutes.
 * @param {number} value @param {string} format @param {boolean} from1904
 */
export function dateOf(value, format, from1904) {
  const shown = shownBy(format);
  const serial = value + (from1904 ? TO_1904 : 0);
  if (shown === undefined || value < 0 || serial >= LAST_DAY + 1) return undefined;
  const days = serial < NO_DAY ? serial + 1 : serial;
  const iso = new Date(Math.round((days - TO_UNIX) * SECONDS) * 1000).toISOString();
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19).replace(/:00$/u, '')];
  if (shown.day) return shown.time && clock !== '00:00' ? `${date} ${clock}` : date;
  if (shown.time) return clock;
  if (shown.year) return shown.month ? date.slice(0, 7) : date.slice(0, 4);
  return undefined;
}

/** @param {string} format */
function shownBy(format) {
  if (format.length > LONGEST_FORMAT) return undefined;
  if (!known.has(format)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(format, read(format));
  }
  return known.get(format);
}

/** @param {string} format @returns {Shown | undefined} */
function read(format) {
  if (format === 'General') return undefined;
  // What is written as it stands: texts, single signs, blanks of a width, colours and languages.
  const bare = format.replace(/"[^"]*"|[\\_*]./gu, ' ');
  if (/\[(?:h+|m+|s+)\]/iu.test(bare)) return undefined;
  const [codes = ''] = bare
    .replace(/\[[^\][]*\]/gu, '')
    .toLowerCase()
    .replace(/am\/pm|a\/p/u, '')
    .replace(/s[.,]0+/u, 's')
    .split(';');
  if (/[#?@0]/u.test(codes)) return undefined;
  const time = codes.includes('h');
  // Minutes and seconds alone are how long something took.
  if (!time && codes.includes('s')) return undefined;
  const dates = codes.replace(/h[^a-z]*m+/gu, '').replace(/m+[^a-z]*s/gu, '');
  const year = /[ye]/u.test(dates);
  const month = dates.includes('m');
  const day = /(?<!d)d{1,2}(?!d)/u.test(dates);
  return year || month || day || time ? { year, month, day, time } : undefined;
}
