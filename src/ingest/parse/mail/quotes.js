/** A line that a mailing list puts above its own words at the end of a mail, and how many lines these have at most. */
const FOOTER_LINE = /^(?:_{10,}|--)$/u;
const LONGEST_FOOTER = 10;
const OF_LIST =
  /(?:^|\n)\S{1,80} mailing list(?: -- \S{1,200})?\s*(?:\n|$)|\/listinfo\/|unsubscribe|You received this message because you are subscribed/iu;
/** The line above a mail that is answered, as Outlook writes it. */
const ORIGINAL =
  /^\s*-{2,}\s?(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d['’]origine|Mensaje original|Messaggio originale|Mensagem original)\s?-{2,}\s*$/iu;
const HEADER = /^(?:[\p{L}-]{1,20}(?: [\p{L}-]{1,20})?):\s/u;
const QUOTED = /^\s{0,3}>/u;
/** How the line or lines begin that name whoever is quoted; the last ends with a colon. */
const ATTRIBUTION = /^(?:On|Am|Le|El|Il|Em|Op|Den)\s/u;
const LONGEST_ATTRIBUTION = 3;

/** Returns the text of a mail without the words that a mailing list puts below it. @param {string} text */
export function withoutListFooter(text) {
  const lines = text.trimEnd().split('\n');
  const from = Math.max(0, lines.length - LONGEST_FOOTER - 1);
  const line = lines.findIndex((one, i) => i >= from && FOOTER_LINE.test(one.trim()));
  if (line <= 0 || !OF_LIST.test(lines.slice(line + 1).join('\n'))) return text;
  return lines.slice(0, line).join('\n').trimEnd();
}

/** Leaves out of the mails of a mail box what they quote at their end of a mail before them. A quote that an answer stands below stays: it says what is answered. */
export class EarlierMails {
  /** @type {Set<string>} */
  lines = new Set();

  /** Returns a text without its quote, and keeps its lines. @param {string} text */
  withoutQuote(text) {
    const lines = text.trimEnd().split('\n');
    const start = quoteStart(lines);
    const quote = lines.slice(textStart(lines, start));
    const repeats = start > 0 && quote.length > 0 && quote.every((line) => this.isKnown(line));
    for (const line of lines) this.lines.add(bare(line));
    return repeats ? lines.slice(0, attributionStart(lines, start)).join('\n').trimEnd() : text;
  }

  /** @param {string} line */
  isKnown(line) {
    const text = bare(line);
    return text === '' || this.lines.has(text);
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

/** Returns the line with which the words begin that say whom a quote is of; `start` where there are none. @param {string[]} lines @param {number} start */
function attributionStart(lines, start) {
  let last = start - 1;
  while (last >= 0 && lines[last]?.trim() === '') last -= 1;
  if (!(lines[last] ?? '').trimEnd().endsWith(':')) return start;
  for (let line = last; line >= 0 && line > last - LONGEST_ATTRIBUTION; line -= 1)
    if (ATTRIBUTION.test(lines[line] ?? '')) return line;
  return start;
}

/** Returns a line without the marks of quotes, and without double spaces. @param {string} line */
function bare(line) {
  return line
    .replace(/^[>\s]+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
