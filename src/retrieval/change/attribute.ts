import { bounded } from '../dates/dates.js';

/** Something that a person has one of at a time, as seven languages say it. Patterns match text in small letters. */
export interface Attribute {
  /** A question for it holds one of these. */
  readonly asks: RegExp;
  /** Statements of what it is, or that it is over. The group `who` is its subject, without one the speaker; `what` is its kind. */
  readonly states: readonly RegExp[];
  /** Statements that only an earlier turn makes: what is said in passing is no news. */
  readonly mentions: readonly RegExp[];
  /** Statements without a subject, as notes have them. */
  readonly notes?: Notes;
}

/** Short of a subject a sentence may be about anything: "Moved to Slack." */
export interface Notes {
  /** The group `from` is what it was before: the statement holds where an earlier one tells that. */
  readonly states: readonly RegExp[];
  /** Without `from`, a message holds one of these as well. */
  readonly cues: RegExp;
}

/** Between a subject and its verb. Few, so that a text full of them is read in one go. */
const ADVERBS =
  'now|still|both|currently|just|recently|finally|then|already|also|actually|have|has|am|is|are' +
  '|jetzt|nun|inzwischen|gerade|wieder|maintenant|désormais|toujours|nu|inmiddels';
/** Whom a statement is about stands before the verb. */
const WHO = `(?<who>\\p{L}+)(?:['’]\\p{L}+)?(?: (?:${ADVERBS})){0,3} `;
/** "a new", "our", "einen" and at most three words more before a noun. */
export const A =
  '(?:an?|the|my|our|his|her|their|eine?[nmr]?|meine?[nmr]?|unsere?[nmr]?|den|die|une?|ma|mon|la|le|un[oa]?|uma?|een|mijn) (?:\\S+ ){0,3}?';

/** `WHO` opens a pattern that names its subject. */
export function patterns(...sources: string[]): RegExp[] {
  return sources.map((source) => bounded(source.replace(/^WHO /u, WHO), 'u'));
}

/** `asks`: parts of a pattern. `states` and `mentions`: as `patterns` reads them. */
export function attribute(
  asks: readonly string[],
  states: readonly string[],
  mentions: readonly string[] = [],
): Attribute {
  return { asks: bounded(asks.join('|'), 'u'), states: patterns(...states), mentions: patterns(...mentions) };
}

/** Something one buys: `nouns` are kinds and makes of it. */
export function owned(asks: readonly string[], nouns: string, verbs: readonly string[] = []): Attribute {
  return attribute(asks, [
    `WHO (?:have|has|own|owns|use|uses|drives?|rides?|bought|got|picked up|ordered|leased?|traded|switched to) (?:me |us |myself )?${A}(?:${nouns})`,
    `gave (?:me|us) ${A}(?:${nouns})`,
    `WHO (?:sold|scrapped|crashed|lost|broke) ${A}(?:${nouns})`,
    `my (?:new )?(?:${nouns}) is (?:now )?an?`,
    `WHO (?:habe|hat|haben|besitze|besitzt|nutze|nutzt) (?:\\S+ ){0,3}?${A}(?:${nouns})`,
    `(?:habe|haben) (?:ich|wir) (?:\\S+ ){0,8}?(?:${nouns}) (?:gekauft|geholt|geleast|bestellt|verkauft)`,
    `WHO (?:ai |as? |avons )?(?:achet(?:é|e)|vendu|pris|command(?:é|e)) ${A}(?:${nouns})`,
    `j['’]ai ${A}(?:${nouns})`,
    `(?:compr(?:é|ei|amos|ámos)|teng?o|tenemos|temos|ho|abbiamo)(?: comprato| venduto)? ${A}(?:${nouns})`,
    `(?:comprato|preso|venduto) ${A}(?:${nouns})`,
    `WHO (?:heb|heeft|hebben) (?:\\S+ ){0,3}?${A}(?:${nouns})`,
    ...verbs,
  ]);
}
