const ONE =
  '[<[]\\d{4}-\\d\\d-\\d\\d(?: +[^\\s\\d<>\\[\\]+.-][^\\s<>\\[\\]]{0,12})?(?: +\\d{1,2}:\\d\\d(?:-{1,2}\\d{1,2}:\\d\\d)?)?(?: +[.+-]{1,2}\\d{1,4}[hdwmy](?:\\/\\d{1,4}[hdwmy])?){0,3} *[>\\]]';

/** A day, with a time or not, or the first and the last of several: `<2026-03-04 Wed 10:00 +1w>--<2026-03-06 Fri>`. */
export const STAMP = new RegExp(`${ONE}(?:--${ONE})?`, 'gu');

const PARTS =
  /(?<day>\d{4}-\d\d-\d\d)(?:[^\d<>[\]]{0,20}?(?<from>\d{1,2}:\d\d)(?:-{1,2}(?<to>\d{1,2}:\d\d))?)?[^>\]]*?(?: [.+]?\+(?<count>\d{1,4})(?<unit>[hdwmy])[^>\]]*)?[>\]]/gu;
const UNITS = /** @type {Record<string, string>} */ ({ h: 'hour', d: 'day', w: 'week', m: 'month', y: 'year' });

/** Returns a stamp in words: "2026-03-04 10:00 to 11:00, repeats every week". @param {string} stamp */
export function dayText(stamp) {
  /** @type {string[]} */
  const days = [];
  let repeats = '';
  for (const { groups } of stamp.matchAll(PARTS)) {
    const { day, from, to, count, unit } = /** @type {Record<string, string | undefined>} */ (groups);
    days.push(`${day}${from === undefined ? '' : ` ${from}`}${to === undefined ? '' : ` to ${to}`}`);
    if (count !== undefined && unit !== undefined && Number(count) > 0)
      repeats = `, repeats every ${count === '1' ? UNITS[unit] : `${Number(count)} ${UNITS[unit]}s`}`;
  }
  return days.join(' to ') + repeats;
}
