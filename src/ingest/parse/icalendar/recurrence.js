import { dayNumber, isoDay } from './times.js';

/** @typedef {import('./times.js').Moment} Moment */
/** A rule by which an event comes again, as ical.js reads it. @typedef {Record<string, any>} Rule */

const WEEKDAYS = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const CODES = Object.keys(WEEKDAYS);
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
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
const DAY_CODE = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/u;

/**
 * Returns a rule in words that a person reads: "every second Tuesday", "monthly on the first Monday", "yearly on 5 November", with how many times where the rule says so. The
 * retrieval reads these words, too.
 * @param {Rule} rule @param {Moment} start
 */
export function ruleInWords(rule, start) {
  const times = rule.count > 0 ? `, ${rule.count} times` : '';
  return `${oftenOf(rule, start)}${times}`;
}

/** @param {Rule} rule @param {Moment} start */
function oftenOf(rule, start) {
  const { freq, interval = 1 } = rule;
  const unit = UNITS[freq] ?? 'time';
  const days = daysOf(rule);
  if (freq === 'WEEKLY' || (freq === 'DAILY' && days.length > 0)) return weekly(days, start, interval);
  const often = interval === 1 ? (SINGLE[freq] ?? `every ${unit}`) : `every ${ordinal(interval)} ${unit}`;
  if (freq === 'MONTHLY') return `${often} on ${listOf(daysOfMonth(rule, start))}`;
  if (freq === 'YEARLY') return `${often} on ${listOf(daysOfYear(rule, start))}`;
  return often;
}

/** @param {{ place: number, name: string }[]} days @param {Moment} start @param {number} interval */
function weekly(days, start, interval) {
  const names = days.length > 0 ? days.map(({ name }) => name) : [weekdayOf(start)];
  if (interval === 1) return `every ${listOf(names)}`;
  if (names.length === 1) return `every ${ordinal(interval)} ${names[0]}`;
  return `every ${ordinal(interval)} week on ${listOf(names)}`;
}

/** @param {Rule} rule @param {Moment} start */
function daysOfMonth(rule, start) {
  const days = daysOf(rule);
  if (days.length > 0) return placed(days, rule);
  const numbers = listIn(rule.bymonthday).filter(Number.isInteger);
  return numbers.length === 0 ? [`the ${nth(Number(start.date.slice(8)))}`] : numbers.map(dayOfMonth);
}

/** @param {Rule} rule @param {Moment} start */
function daysOfYear(rule, start) {
  const months = listIn(rule.bymonth)
    .map((month) => MONTHS[month - 1])
    .filter(Boolean);
  const ofMonths = months.length === 0 ? [MONTHS[Number(start.date.slice(5, 7)) - 1]] : months;
  const days = daysOf(rule);
  if (days.length > 0) return placed(days, rule).map((day) => `${day} of ${listOf(ofMonths)}`);
  const numbers = listIn(rule.bymonthday).filter((number) => Number.isInteger(number) && number > 0);
  const ofMonth = numbers.length === 0 ? [Number(start.date.slice(8))] : numbers;
  return ofMonths.flatMap((month) => ofMonth.map((day) => `${day} ${month}`));
}

/** Returns days of the week with their place in a month or year: "the first Monday", "every Monday". @param {{ place: number, name: string }[]} days @param {Rule} rule */
function placed(days, rule) {
  const places = listIn(rule.bysetpos).filter(Number.isInteger);
  if (places.length > 0 && days.every(({ place }) => place === 0)) {
    const named =
      days.length === 7
        ? 'day'
        : days.length === 5 && isWorkingWeek(days)
          ? 'working day'
          : listOf(
              days.map(({ name }) => name),
              'or',
            );
    return places.map((place) => `the ${placeOf(place)} ${named}`);
  }
  return days.map(({ place, name }) => (place === 0 ? `every ${name}` : `the ${placeOf(place)} ${name}`));
}

/** @param {{ name: string }[]} days */
function isWorkingWeek(days) {
  return !days.some(({ name }) => name.startsWith('S'));
}

/** @param {Rule} rule @returns {{ place: number, name: string }[]} */
function daysOf({ byday }) {
  return listIn(byday).flatMap((code) => {
    const [, place = '0', day] = DAY_CODE.exec(String(code)) ?? [];
    return day === undefined ? [] : [{ place: Number(place), name: WEEKDAYS[day] }];
  });
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
  return ORDINALS[number] || nth(number);
}

/** @param {number} number */
function nth(number) {
  const isTeen = number % 100 > 10 && number % 100 < 20;
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}

/** @param {Moment} start */
function weekdayOf(start) {
  return WEEKDAYS[CODES[(new Date(start.date).getUTCDay() + 6) % 7]];
}

/** @param {string[]} words @param {string} [word] */
function listOf(words, word = 'and') {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
}

/** Returns the last day of a rule that counts its times, where days or weeks alone tell it. @param {Rule} rule @param {Moment} start @returns {string | undefined} */
export function lastCounted({ freq, count, interval = 1, ...rule }, start) {
  const isSimple = !listIn(rule.bymonth).length && !listIn(rule.bysetpos).length && listIn(rule.byday).length < 2;
  const step = freq === 'WEEKLY' ? 7 : freq === 'DAILY' && rule.byday === undefined ? 1 : 0;
  const last = dayNumber(start) + (count - 1) * interval * step;
  return count > 0 && isSimple && step > 0 && last < 2_900_000 ? isoDay(last) : undefined;
}
