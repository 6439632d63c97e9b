import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';

/**
 * How languages ask for what takes a sentence to tell: a reason, a cause, the way in which something came about or will. "How do I …" asks for directions and
 * "how is it called" for a name: neither is here.
 */
const ASKING: Readonly<Record<string, string>> = {
  english:
    "whys?|how come|how (?:did|does|will|would|had|has|have|was|were|could)(?! (?:i|we|you|one)\\b)|what(?: has| have| had)? (?:made|makes|caused|causes|happened|happens|ruined|broke|broken|stopped|cured|triggered|prevented|went wrong)|what(?:['’]?s| is| was| went) (?:wrong|the matter)",
  german:
    'warum|wieso|weshalb|weswegen|wovon|wodurch|woran|wie kommt es|wie (?:will|wollen|wollte|wird|werden|wurden?|hat|haben|hatten?|kam|kamen|konnten?|sind)(?! (?:ich|wir|man|du|ihr|sie)\\b)|was (?:ist|war)(?: \\p{L}+){0,5} (?:passiert|geschehen|los|defekt|kaputt)',
  french:
    "pourquoi|comment(?! (?:je|tu|on|nous|vous|puis|faire|joindre|contacter|s['’]appel))|qu['’]est-ce qui (?:a|s['’]est)|que s['’]est-il passé|qu['’]est-il arrivé",
  spanish:
    'por ?qu[eé]|c[oó]mo (?:ha|han|había|habían|va|van|fue|fueron|pudo|pudieron|se (?:rompió|perdió|dañó))|qu[eé] (?:pasó|ocurrió|sucedió|causó|rompió)',
  italian:
    "perch[eéè]|come mai|come (?:ha|hanno|aveva|avevano|farà|faranno|è successo)|(?:che )?cos(?:a |['’])(?:è successo|ha causato|ha rotto)",
  portuguese:
    'por ?qu[eê]|como (?:é que )?(?:foi|foram|vai|vão|conseguiu|conseguiram|tem|têm)|(?:o )?que (?:aconteceu|houve|causou)',
  dutch:
    'waarom|hoezo|waardoor|hoe komt|hoe (?:heeft|hebben|had|hadden|kwam|kwamen|gaat|gaan|wil|willen|kon|konden)(?! (?:ik|wij|we|je|men)\\b)|wat is er (?:gebeurd|mis)',
};

/** Letters of a question that are read. */
const READ = 1000;

const patternOf = byLanguage((language) => bounded(ASKING[language] ?? ASKING.english!, 'iu'));

/** Returns whether a question asks for an explanation: why something is so, what caused it or how it came about. Pure. */
export function asksExplanation(question: string, language: string): boolean {
  return patternOf(language).test(question.slice(0, READ));
}
