import { isMonth } from '../../../core/wording/months.js';

/** Where and when a letter was written: "Kiel, den 18. Mai 2026", "Boulogne, le 2 juin 2026". */
const DATELINE =
  /^(?<place>\p{Lu}[\p{L} ()/.'’-]{1,50}),\s(?:den|am|le|li|il|el|em|a)\s\d{1,2}(?:er|re|º|°|\.)?[\s.](?:de\s)?(?:(?<month>\p{L}{3,10})\.?|\d{1,2}\.)\s?(?:de\s|del\s)?\d{4}$/u;
/** A day of the week: such a line opens an entry of a diary. */
const WEEKDAY =
  /^(?:\p{L}{2,10}(?:tag|di|dì)|mittwoch|sonnabend|dimanche|sabato|domenica|lunes|martes|miércoles|jueves|viernes|sábado|domingo)$/iu;

/** Returns whether a line says where and when a letter was written. @param {string} line */
export function isDateline(line) {
  const { place = '', month } = DATELINE.exec(line)?.groups ?? {};
  return place !== '' && !WEEKDAY.test(place) && (month === undefined || isMonth(month));
}
