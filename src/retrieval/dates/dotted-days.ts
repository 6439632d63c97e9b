/** Returns the ways to write a day with dots, from the day up, the likeliest first: each is one word of a text. `day` and `month` have two digits. */
export function dottedDays(year: string, month: string, day: string): string[] {
  const [shortDay, shortMonth] = [day, month].map((number) => number.replace(/^0/u, ''));
  return [
    ...new Set([
      `${day}.${month}.${year}`,
      `${shortDay}.${shortMonth}.${year}`,
      `${shortDay}.${month}.${year}`,
      `${day}.${shortMonth}.${year}`,
    ]),
  ];
}
