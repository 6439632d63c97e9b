/** A line that a mailing list puts above its own words at the end of a mail, and how many lines these have at most. */
const FOOTER_LINE = /^(?:_{10,}|--)$/u;
const LONGEST_FOOTER = 10;
const OF_LIST =
  /(?:^|\n)\S{1,80} mailing list(?: -- \S{1,200})?\s*(?:\n|$)|\/listinfo\/|unsubscribe[^\n]{0,200}(?:\n[^\n]{0,200})?(?::\/\/|@)|You received this message because you are subscribed/iu;
/** The line above a mail that is answered, as Outlook writes it. */
const ORIGINAL =
  /^\s*-{2,}\s?(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d['’]origine|Mensaje original|Messaggio originale|Mensagem original)\s?-{2,}\s*$/iu;
const HEADER = /^(?:[\p{L}-]{1,20}(?: [\p{L}-]{1,20})?):\s/u;
const QUOTED = /^\s{0,3}>/u;
/** The line or lines that name whoever is quoted: a day and a time or a year, or a few words, and that somebody wrote. */
const WROTE = '(?<!\\p{L})(?:wrote|writes|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev)(?!\\p{L})';
const ATTRIBUTION = new RegExp(
  `^(?:(?:On|Am|Le|El|Il|Em|Op|Den)\\s|\\d{1,4}[-./])(?=.*(?:20\\d\\d|\\d:\\d\\d)).*(?:${WROTE}|@).*:$|^(?:[^\\s.:]+\\s){1,4}${WROTE}(?:\\s[^\\s.:]+){0,4}\\s?:$`,
  'u',
);
const LONGEST_ATTRIBUTION = 3;
/** A longer line names nobody. In characters. */
const LONGEST_LINE = 300;

/** The headers above a mail that is answered, as newer programs write them without a line. */
const ANSWERED =
  /^(?:From|Von|De|Da|Van|Från|Fra): [^\n]{1,300}\n(?:Sent|Date|To|Gesendet|Datum|An|Envoyé|À|Enviado|Para|Inviato|Data|A|Verzonden|Aan)\s?: /iu;

/** Returns whether a paragraph begins a quote of a mail: with its marks, with who wrote it, or with its headers. @param {string} text */
export function beginsQuote(text) {
  const [first = '', ...others] = text.slice(0, LONGEST_LINE * LONGEST_ATTRIBUTION).split('\n');
  if (QUOTED.test(first) || ORIGINAL.test(first) || ANSWERED.test(text.slice(0, 2 * LONGEST_LINE))) return true;
  const mark = others.findIndex((line) => QUOTED.test(line));
  if (mark < 0 && others.length >= LONGEST_ATTRIBUTION) return false;
  const words = [first, ...(mark < 0 ? others : others.slice(0, mark))].map((line) => line.trim()).join(' ');
  return words.length <= LONGEST_LINE && ATTRIBUTION.test(words);
}

/** Returns the text of a mail without the words that a mailing list puts below it. @param {string} text */
export function withoutListFooter(text) {
  const lines = text.trimEnd().split('\n');
  const from = Math.max(0, lines.length - LONGEST_FOOTER - 1);
  // A signature stands below such a line too, above the words of the list.
  const isFooter = (/** @type {string} */ one, /** @type {number} */ i) =>
    i >= from && FOOTER_LINE.test(one.trim()) && OF_LIST.test(lines.slice(i + 1).join('\n'));
  const line = lines.findLastIndex(isFooter);
  if (line <= 0) return text;
  return lines.slice(0, line).join('\n').trimEnd();
}

/** Leaves out of the mails of a mail box what they quote at their end of a mail before them. A quote that an answer stands below stays: it says what is answered. */
export class EarlierMails {
  /** The lines of all mails so far, and each with the one before it. @type {Set<string>} */
  lines = new Set();

  /** Returns a text without its quote where each line of that is known, and keeps its lines. @param {string} text */
  withoutQuote(text) {
    const lines = text.trimEnd().split('\n');
    const start = quoteStart(lines);
    const end = attributionStart(lines, start);
    const quote = said(lines.slice(textStart(lines, start)));
    const repeats = start > 0 && end !== undefined && quote.length > 0 && quote.every((line) => this.isKnown(line));
    for (const { text: line, pair } of said(lines)) this.lines.add(line).add(pair);
    return repeats ? lines.slice(0, end).join('\n').trimEnd() : text;
  }

  /** A line without a mark of quotes may be an answer below the quote, such as "Agreed.": it is known below the line that it stands below. @param {Said} line */
  isKnown({ text, pair, isMarked, isFirst }) {
    return this.lines.has(isMarked || isFirst ? text : pair);
  }
}

/** Returns where the text of a quote begins: below the headers, where Outlook wrote these. @param {string[]} lines @param {number} start */
function textStart(lines, start) {
  if (!ORIGINAL.test(lines[start] ?? '')) return start;
  let line = start + 1;
  while (HEADER.test(lines[line] ?? '')) line += 1;
  return line;
}

/** Returns the line with which the quote at the end of a mail begins; the number of lines where it ends in none. @param {string[]} lines */
function quoteStart(lines) {
  const original = lines.findIndex((line) => ORIGINAL.test(line));
  if (original >= 0) return original;
  let start = lines.length;
  while (start > 0 && (QUOTED.test(lines[start - 1] ?? '') || lines[start - 1]?.trim() === '')) start -= 1;
  while (start < lines.length && lines[start]?.trim() === '') start += 1;
  return start;
}

/**
 * Returns the line with which the words begin that say whom a quote is of; `start` where there are none, and undefined where other words lead
 * to the quote, which say nothing without it: "The rule is:".
 * @param {string[]} lines @param {number} start
 */
function attributionStart(lines, start) {
  let last = start - 1;
  while (last >= 0 && lines[last]?.trim() === '') last -= 1;
  if (ORIGINAL.test(lines[start] ?? '')) return start;
  if (!(lines[last] ?? '').trimEnd().endsWith(':')) return start;
  let words = '';
  for (let line = last; line > last - LONGEST_ATTRIBUTION; line -= 1) {
    const written = (lines[line] ?? '').trim();
    if (written === '' || written.length > LONGEST_LINE) return undefined;
    words = `${written} ${words}`.trim();
    if (ATTRIBUTION.test(words)) return line;
  }
  return undefined;
}

/** @typedef {{ text: string, pair: string, isMarked: boolean, isFirst: boolean }} Said */

/** Returns what lines say that are not empty, each alone and with the one before it. @param {string[]} lines @returns {Said[]} */
function said(lines) {
  let before = '';
  return lines.flatMap((line) => {
    const text = bare(line);
    if (text === '') return [];
    const one = { text, pair: `${before}\n${text}`, isMarked: QUOTED.test(line), isFirst: before === '' };
    before = text;
    return [one];
  });
}

/** Returns a line without the marks of quotes, and without double spaces. @param {string} line */
function bare(line) {
  return line
    .replace(/^[>\s]+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
