/** The words in which a table says how an event of a calendar comes again: what reads calendars writes them, and what answers questions reads them. */

/** The days of a week, from Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Places that are written as words: "every second Tuesday", "the first Monday". Later ones are numbers: "10th". */
export const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];
