import ICAL from 'ical.js';
import { ENGLISH_MONTHS } from '../../../core/wording/months.js';
import { PLACES, WEEKDAYS } from '../../../core/wording/recurrence-words.js';

/** @typedef {import('./times.js').Moment} Moment */
/** A rule by which an event comes again, as ical.js reads it. @typedef {Record<string, any>} Rule */
/** A day of the week in a rule; 0 is every one. @typedef {{ place: number, name: string }} Day */

/** How a calendar writes the days of the week. */
const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const UNITS = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
  HOURLY: 'hour',
  MINUTELY: 'minute',
  SECONDLY: 'second',
};
const SINGLE = { MONTHLY: 'monthly', YEARLY: 'yearly' };
const DAY_CODE = new RegExp(`^([+-]?\\d{1,2})?(${CODES.join('|')})$`, 'u');
/** What a rule says of which only a calendar program can tell the days: weeks by their number, the 13th if it is a Friday. */
const CERTAIN = 'certain days';
/** Times that are counted to the last one, and years in which they lie. */
const MOST_COUNTED = 2000;
const MOST_YEARS = 100;
/** Longer steps lead beyond all calendars. */
const LONGEST_STEP = 1000;
/** Days of each month in a year without a leap day. */
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const SHORTEST_MONTH = Math.min(...MONTH_LENGTHS);

/**
 * Returns a rule in words that a person reads: "every second Tuesday", "monthly on the first Monday", "yearly on 5 November", with how many times where the rule says so. The
 * retrieval reads these words, too.
 * @param {Rule} rule @param {Moment} start
 */
export function ruleInWords(rule, start) {
  const times = rule.count > 0 ? `, ${rule.count} times` : '';
  return `${oftenOf(rule, start)}${times}`;
}

/** @param {Rule} rule @param {Moment} start @returns {string} */
function oftenOf(rule, start) {
  const { freq, interval = 1 } = rule;
  const often =
    interval === 1 ? (SINGLE[freq] ?? `every ${unitOf(rule)}`) : `every ${ordinal(interval)} ${unitOf(rule)}`;
  const months = monthsOf(rule);
  const days = daysOf(rule);
  const inMonths = freq === 'YEARLY' || months.length === 0 ? '' : ` in ${listOf(months)}`;
  const same = sameRule(rule);
  if (same !== undefined) return oftenOf(same, start);
  if (isUncertain(rule)) return `${often} on ${CERTAIN}`;
  if (freq === 'WEEKLY') return `${weekly(days, { start, interval, weekStart: rule.wkst })}${inMonths}`;
  if (freq === 'MONTHLY') return `${often} on ${listOf(daysOfMonth(rule, start))}${inMonths}`;
  if (freq === 'YEARLY') return `${often} on ${listOf(daysOfYear(rule, start))}`;
  return `${often}${inMonths}`;
}

/** @param {Rule} rule */
function unitOf({ freq }) {
  return UNITS[freq] ?? 'time';
}

/** Returns the rule by weeks or months that says the same as one by days or years; undefined for another rule. @param {Rule} rule @returns {Rule | undefined} */
function sameRule({ freq, interval = 1, ...rule }) {
  const hasDays = daysOf(rule).some(({ place }) => place === 0) && !daysOf(rule).some(({ place }) => place !== 0);
  const hasNumbers = numbersIn(rule.bymonthday).length > 0;
  if (interval !== 1 || hasDays === hasNumbers || numbersIn(rule.bysetpos).length > 0) return undefined;
  const isYearly = freq === 'YEARLY' && monthsOf(rule).length === 0 && !isNumbered(rule);
  if (freq !== 'DAILY' && !isYearly) return undefined;
  return { ...rule, freq: hasDays ? 'WEEKLY' : 'MONTHLY' };
}

/** Returns whether words cannot say on which days a rule falls. @param {Rule} rule */
function isUncertain(rule) {
  const { freq } = rule;
  const [days, numbers] = [daysOf(rule), numbersIn(rule.bymonthday)];
  if (isNumbered(rule) || (days.length > 0 && numbers.length > 0)) return true;
  // A place is one among several days.
  const places = days.length + numbers.length === 0 ? [] : numbersIn(rule.bysetpos);
  if (freq === 'WEEKLY') return numbers.length > 0 || places.length > 0;
  if (freq === 'MONTHLY' || freq === 'YEARLY') {
    const areOfOne = freq === 'MONTHLY' || monthsOf(rule).length < 2;
    if (places.length > 0 && (days.length === 0 || !areOfOne || days.some(({ place }) => place !== 0))) return true;
    return freq === 'YEARLY' && monthsOf(rule).length === 0 && numbers.length > 0;
  }
  return days.length > 0 || numbers.length > 0 || places.length > 0;
}

/** Returns whether a rule counts the days or the weeks of a year. @param {Rule} rule */
function isNumbered({ byyearday, byweekno }) {
  return numbersIn(byyearday).length > 0 || numbersIn(byweekno).length > 0;
}

/**
 * Returns a rule by weeks. Of several days the first is the one with which a week of the calendar begins, or the next one: "on Sunday and Tuesday".
 * @param {Day[]} days @param {{ start: Moment, interval: number, weekStart: number | undefined }} of The first day of the week as ical.js counts it: 1 is Sunday.
 */
function weekly(days, { start, interval, weekStart = 2 }) {
  const first = interval === 1 ? 0 : (weekStart + 5) % 7;
  const inWeek = (/** @type {string} */ name) => (WEEKDAYS.indexOf(name) - first + 7) % 7;
  const written = days.length > 0 ? days.map(({ name }) => name) : [weekdayOf(start)];
  const names = [...new Set(written)].sort((a, b) => inWeek(a) - inWeek(b));
  if (interval === 1) return `every ${listOf(names)}`;
  if (names.length === 1) return `every ${ordinal(interval)} ${names[0]}`;
  return `every ${ordinal(interval)} week on ${listOf(names)}`;
}

/** @param {Rule} rule @param {Moment} start */
function daysOfMonth(rule, start) {
  const days = daysOf(rule);
  if (days.length > 0) return placed(days, rule);
  const numbers = numbersIn(rule.bymonthday);
  return numbers.length === 0 ? [`the ${nth(Number(start.date.slice(8)))}`] : numbers.map(dayOfMonth);
}

/** @param {Rule} rule @param {Moment} start */
function daysOfYear(rule, start) {
  const days = daysOf(rule);
  const months = monthsOf(rule);
  if (days.length > 0 && months.length === 0) return placed(days, rule).map((day) => `${day} of the year`);
  const ofMonths = months.length === 0 ? [ENGLISH_MONTHS[Number(start.date.slice(5, 7)) - 1]] : months;
  if (days.length > 0) return ofMonths.flatMap((month) => placed(days, rule).map((day) => `${day} of ${month}`));
  const numbers = numbersIn(rule.bymonthday);
  const ofMonth = numbers.length === 0 ? [Number(start.date.slice(8))] : numbers;
  return ofMonths.flatMap((month) =>
    ofMonth.map((day) => (day > 0 ? `${day} ${month}` : `${dayOfMonth(day)} of ${month}`)),
  );
}

/** Returns days of the week with their place in a month or year: "the first Monday", "every Monday". @param {Day[]} days @param {Rule} rule */
function placed(days, rule) {
  const places = numbersIn(rule.bysetpos);
  if (places.length === 0)
    return days.map(({ place, name }) => (place === 0 ? `every ${name}` : `the ${placeOf(place)} ${name}`));
  const names = WEEKDAYS.filter((name) => days.some((day) => day.name === name));
  const isWorkingWeek = names.length === 5 && !names.some((name) => name.startsWith('S'));
  const named = names.length === 7 ? 'day' : isWorkingWeek ? 'working day' : listOf(names, 'or');
  return places.map((place) => `the ${placeOf(place)} ${named}`);
}

/** Returns the days of the week in a rule, each once. @param {Rule} rule @returns {Day[]} */
function daysOf({ byday }) {
  return [...new Set(listIn(byday).map(String))].flatMap((code) => {
    const [, place = '0', day] = DAY_CODE.exec(code) ?? [];
    return day === undefined ? [] : [{ place: Number(place), name: WEEKDAYS[CODES.indexOf(day)] ?? '' }];
  });
}

/** @param {Rule} rule @returns {string[]} */
function monthsOf({ bymonth }) {
  return numbersIn(bymonth)
    .sort((a, b) => a - b)
    .flatMap((month) => ENGLISH_MONTHS[month - 1] ?? []);
}

/** Returns the numbers of a part, each once. @param {unknown} value @returns {number[]} */
function numbersIn(value) {
  return [...new Set(listIn(value).filter((number) => Number.isInteger(number) && number !== 0))];
}

/** @param {unknown} value @returns {any[]} */
function listIn(value) {
  return value === undefined ? [] : [value].flat();
}

/** @param {number} number */
function dayOfMonth(number) {
  if (number > 0) return `the ${nth(number)}`;
  return number === -1 ? 'the last day' : `the ${nth(-number)} day from the end`;
}

/** @param {number} place */
function placeOf(place) {
  if (place === -1) return 'last';
  return place > 0 ? ordinal(place) : `${ordinal(-place)} to last`;
}

/** @param {number} number */
function ordinal(number) {
  return PLACES[number - 1] ?? nth(number);
}

/** @param {number} number */
function nth(number) {
  const isTeen = number % 100 > 10 && number % 100 < 20;
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}

/** @param {Moment} start */
function weekdayOf(start) {
  return WEEKDAYS[(new Date(start.date).getUTCDay() + 6) % 7];
}

/** @param {string[]} words @param {string} [word] */
function listOf(words, word = 'and') {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
}

/**
 * Returns the last day of a rule that counts its times; undefined where that is not known.
 * @param {Rule} rule @param {Moment} start @returns {string | undefined}
 */
export function lastCounted(rule, start) {
  const counted = sameRule(rule) ?? rule;
  if (!isCountable(counted, start)) return undefined;
  try {
    const days = ICAL.Recur.fromData(counted).iterator(ICAL.Time.fromDateString(start.date));
    const end = Number(start.date.slice(0, 4)) + MOST_YEARS;
    let day = days.next();
    for (let i = 1; i < counted.count && day && day.year <= end; i += 1) day = days.next();
    return day && day.year <= end ? day.toString() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether ical.js finds the times of a rule as the standard has them, and in a time that is short.
 * @param {Rule} rule @param {Moment} start
 */
function isCountable(rule, start) {
  const { freq, interval = 1, count, byhour, byminute } = rule;
  const isOfDays = freq === 'DAILY' || freq === 'WEEKLY' || freq === 'MONTHLY' || freq === 'YEARLY';
  if (!isOfDays || isUncertain(rule) || byhour !== undefined || byminute !== undefined) return false;
  if (!(count > 0 && count <= MOST_COUNTED) || interval > LONGEST_STEP) return false;
  const months = monthsOf(rule);
  // What falls in certain months may never come.
  if (freq !== 'YEARLY') return months.length === 0;
  if (months.length === 0 && daysOf(rule).length > 0) return false;
  const written = numbersIn(rule.bymonthday);
  if (written.length > 0) return written.every((day) => Math.abs(day) <= SHORTEST_MONTH);
  // A rule of months alone is of the day on which it begins.
  const isOfStart = months.length > 0 && daysOf(rule).length === 0;
  const day = Number(start.date.slice(8, 10));
  return !isOfStart || numbersIn(rule.bymonth).every((month) => day <= (MONTH_LENGTHS[month - 1] ?? 0));
}
