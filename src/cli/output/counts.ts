/** Questions that ask how many there are, or for all there is: what finds passages answers neither. */
const ASKS = [
  'how many|(?:list|show|name|count) (?:me )?(?:all|every|each)|what are all|(?:which|what) \\p{L}+s (?:are|have|were)|number of',
  'wie ?viele|welche \\p{L}+ (?:sind|waren|haben|hatten)|(?:liste|zähle|nenne|zeige?)n? (?:\\p{L}+ )?alle|anzahl',
  'combien de|quels sont|quelles sont|liste (?:de )?tou(?:te)?s',
  'cuánt[oa]s|cuáles son|lista de tod[oa]s',
  'quant[ie]|quali sono|elenca(?:re)? tutt[ie]',
  'quant[oa]s|quais são|list[ae]r? tod[oa]s',
  'hoeveel|welke \\p{L}+ (?:zijn|waren|hebben)|noem alle',
];
const COUNTS = new RegExp(`(?<!\\p{L})(?:${ASKS.join('|')})(?!\\p{L})`, 'iu');

/** Returns a sentence for a question that asks how many of something there are, or for all of it; undefined for another one. */
export function countingNote(question: string): string | undefined {
  return COUNTS.test(question)
    ? 'A query finds passages that answer; it does not count, and does not list all there is of something.'
    : undefined;
}
