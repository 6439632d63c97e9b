import { asksQuantity } from '../conversation/quantities.js';
import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';

/**
 * How languages ask for what takes a sentence to tell: a reason, a cause, the way in which something came about or will. "How do I …" asks for directions and
 * "how is it called" for a name: neither is here.
 */
const ASKING: Readonly<Record<string, string>> = {
  english:
    "whys?|how come|how (?:did|does|will|had|has|have|was|were)(?! (?:i|we|you|one|the score)\\b)|what(?: has| have| had)? (?:made|makes(?! (?:of|and|are|do|models?)\\b)|caused|causes|happened|happens|ruined|broke|broken|stopped|cured|triggered|prevented|went wrong)|what(?:['’]?s| is| was| went) (?:wrong|the (?:cause|reason)|the matter(?= with| here|\\s*\\?|\\s*$))",
  german:
    'wodurch|wie kommt es|wie (?:will|wollen|wollte|wird|werden|wurden?|hat|haben|hatten?|kam|kamen|konnten?)(?! (?:ich|wir|man|du|ihr|sie)\\b)(?![^?]{0,80}(?:geöffnet|offen|geschrieben|genannt|gespielt))|was (?:ist|war)(?: (?:\\p{L}|[0-9.])+){0,5} (?:passiert|geschehen|los|defekt|kaputt)|was (?:passierte|geschah)',
  french:
    "comment(?! (?:je|tu|on|nous|vous|pui|peu|pouv|pourr|doi|dev|faire|joindre|contacter|payer|régler|écrire|aller|appeler|se (?:nomme|prénomme|dit|prononce|écrit)|[st]['’](?:appel|écri)|est-ce (?:que (?:je|tu|nous|vous)|qu['’]on)))|qu['’]est-ce qui (?:a|s['’]est|cloche|ne va pas)|que s['’]est-il passé|qu['’]est-il arrivé",
  spanish:
    'por qu[eé]|(?<!\\p{L} )porqu[eé]|c[oó]mo (?:han|había|habían|fueron|pudo|pudieron|se (?:rompió|perdió|dañó))|qu[eé] (?:le |les )?(?:ha |han )?(?:pasó|pasado|ocurrió|ocurrido|sucedió|causó|rompió)',
  italian:
    "(?<!\\p{L} )perch[eéè]|(?:e|ma) perch[eéè]|come mai|come (?:ha|hanno|aveva|avevano|farà|faranno|è successo)|(?:che )?cos(?:a |['’])(?:è successo|ha causato|ha rotto)|che è successo",
  portuguese:
    'por qu[eê]|(?<!\\p{L} )porqu[eê]|como (?:é que )?(?:foram|vão|conseguiu|conseguiram)|(?:o )?que (?:aconteceu|houve|causou)',
  dutch:
    'waardoor|hoe komt|hoe (?:hebben|had|hadden|kwam|kwamen|gaan|wil|willen|kon|konden)(?! (?:ik|wij|we|je|men)\\b)|hoe heeft(?![^?]{0,80}genoemd)|wat is er (?:(?:\\p{L}+ ){0,5}gebeurd|mis)',
};
/** Words for "why" that no other of these languages has: a short question may not tell its language. */
const WHY = bounded('warum|wieso|weshalb|weswegen|pourquoi|waarom|hoezo', 'iu');

/** Letters of a question that are read. */
const READ = 1000;

const patternOf = byLanguage((language) => bounded(ASKING[language] ?? ASKING.english!, 'iu'));

/** Returns whether a question asks for an explanation, and for no number: why something is so, what caused it or how it came about. Pure. */
export function asksExplanation(question: string, language: string): boolean {
  const read = question.slice(0, READ);
  return (WHY.test(read) || patternOf(language).test(read)) && !asksQuantity(read, language);
}
