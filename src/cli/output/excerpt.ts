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

/** Returns the part of a text that holds most of these words, on one line of at most `limit` characters; a short text whole. */
export function excerpt(text: string, terms: readonly string[], limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const from = excerptStart(line, terms, limit);
  return from === 0 ? shortened(line, limit) : `…${shortened(line.slice(from), limit - 1)}`;
}
