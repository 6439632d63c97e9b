import { analyse } from '../../core/text/words.js';
import { excerptStart } from '../../core/wording/excerpt.js';
import { shortened } from './output.js';

/** A title, and the lines at the head of a mail. */
const TITLE = /^[^\n]{0,200}?: (?=(?:From|Von|De|Da): )/u;
const HEADER =
  /^(?:From|To|Cc|Bcc|Reply-To|Sent|Date|Subject|Von|An|Gesendet|Datum|Betreff|De|À|Envoyé|Objet|Para|Enviado|Fecha|Asunto|Da|A|Inviato|Data|Oggetto|Assunto|Aan|Verzonden|Onderwerp): .*\n/u;
/** Lines of a head at least: one alone is how a sentence may begin. */
const LEAST_HEAD = 3;

/** Returns a text without the head of a mail, which tells less than what the mail says; where only the head holds one of these words, with its lines that do. */
export function withoutHead(text: string, terms: readonly string[]): string {
  const title = TITLE.exec(text)?.[0] ?? '';
  let body = text.slice(title.length);
  const lines: string[] = [];
  for (let line = HEADER.exec(body); line !== null; line = HEADER.exec(body)) {
    body = body.slice(line[0].length);
    lines.push(line[0]);
  }
  if (lines.length < LEAST_HEAD || body.trim() === '') return text;
  const wanted = new Set(terms.flatMap((term) => analyse(term)));
  const holds = (part: string): boolean => analyse(part).some((word) => wanted.has(word));
  const shown = wanted.size === 0 || holds(body) ? [] : lines.filter(holds);
  return `${title}${shown.join('')}${body.trimStart()}`;
}

/** Share of an excerpt that shows the rarest word, where the rest of it lacks that. */
const SHARE = 0.4;

/**
 * Returns the part of a text that holds most of these words, rarest first, on one line of at most `limit` characters; a short text whole.
 * The rarest is what is asked ("pets" of "flat 3A"): where it stands elsewhere, the line holds both places.
 */
export function excerpt(text: string, terms: readonly string[], limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const from = excerptStart(line, terms, limit);
  const one = from === 0 ? shortened(line, limit) : `…${shortened(line.slice(from), limit - 1)}`;
  return twoPlaces(line, one, { terms, limit }) ?? one;
}

/** Characters of a title before an excerpt that begins further down. */
const LONGEST_TITLE = 80;

/**
 * Returns an excerpt of "Title: text" as `excerpt` does; one that begins further down has the title before it. Words that the title holds are shown anyway:
 * where the text holds others of the question, these decide what of it is shown.
 */
export function titledExcerpt(title: string, text: string, asked: readonly string[], limit: number): string {
  const shown = title.slice(0, LONGEST_TITLE);
  const others = asked.filter((term) => !holds(shown, term) && holds(text, term));
  const terms = others.length > 0 ? others : asked;
  const whole = excerpt(title === '' ? text : `${title}: ${text}`, terms, limit);
  if (title === '' || !whole.startsWith('…')) return whole;
  const head = `${shortened(title, LONGEST_TITLE)}: `;
  return `${head}${excerpt(text, terms, limit - head.length)}`;
}

/** Returns the place of the rarest word and the one of the other words; undefined where `one` place holds them, or both are one. */
function twoPlaces(
  line: string,
  one: string,
  { terms, limit }: { readonly terms: readonly string[]; readonly limit: number },
): string | undefined {
  const [rarest, ...others] = terms;
  if (rarest === undefined || others.length === 0 || holds(one, rarest) || !holds(line, rarest)) return undefined;
  const size = Math.floor(limit * SHARE);
  const places = [place(line, [rarest], size), place(line, others, limit - size - BETWEEN.length)];
  const [first, second] = places.sort((a, b) => a.from - b.from) as [Place, Place];
  if (second.from <= first.to) return undefined;
  return `${first.from === 0 ? '' : '…'}${first.text}${BETWEEN}${second.text}${second.to === line.length ? '' : '…'}`;
}

/** What stands between two places; as many characters are left for the dots at both ends. */
const BETWEEN = ' … ';

interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the part of a line that holds most of these words, up to its last whole word. */
function place(line: string, terms: readonly string[], limit: number): Place {
  const from = excerptStart(line, terms, limit);
  const end = from + limit - 2;
  const space = line.lastIndexOf(' ', end);
  const to = end >= line.length ? line.length : space > from ? space : end;
  return { from, to, text: line.slice(from, to) };
}

/** Returns true where a text has the words of a term. */
function holds(text: string, term: string): boolean {
  const words = new Set(analyse(text));
  return analyse(term).every((word) => words.has(word));
}
