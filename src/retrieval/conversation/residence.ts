import { bounded } from './dates.js';

function words(...patterns: string[]): RegExp {
  return bounded(patterns.join('|'), 'iu');
}

/** English: whom a statement is about stands before the verb, and before words such as "still". */
const WHO =
  "(?<who>\\p{L}+)(?:['’]\\p{L}+)?(?: (?:now|still|both|currently|just|recently|finally|then|already|have|has|am|is|are))*";
/** What one moves to and lives in, among what one may move to: "a new flat", and not "the sales department". */
const DWELLING =
  '(?!(?:an?|the|my|our|his|her|their|another|using) ' +
  '(?!(?:\\p{L}+ ){0,2}(?:flat|apartment|house|home|place|room|studio|city|town|village|suburbs?|countryside|coast|parents)))';

/** Says where somebody lives. Languages other than English: only of the speaker. */
const LIVES = words(
  `${WHO} (?:lives?|living|resides?) (?:in|at|on|near|with|together|here)`,
  '(?:ich|wir) (?:\\S+ )?(?:wohnen?|leben?)|(?:wohnen?|leben?) (?:ich|wir)',
  "j['’]habite|nous habitons|je vis|nous vivons|viv(?:o|imos|iamo)|mor(?:o|amos)|abit(?:o|iamo)",
  '(?:ik|we|wij) (?:\\S+ )?(?:woon|wonen)|(?:woon|wonen) (?:ik|we|wij)',
);

/** Says that somebody lives elsewhere from then on. */
const MOVED = words(
  `${WHO} (?:moved|relocated) (?:back )?(?:to|into) ${DWELLING}\\p{L}+`,
  '(?:bin|sind) (?:\\S+ ){1,6}(?:um)?gezogen',
  "(?:j['’]ai|nous avons) (?:\\S+ )?d(?:é|e)m(?:é|e)nag(?:é|e)",
  '(?:me|nos) (?:\\S+ )?mud(?:é|e|ado|amos|ei)|mudei-me|mudámo-nos',
  '(?:mi sono|ci siamo) trasferit[oaie]',
  '(?:ben|zijn) (?:\\S+ ){1,6}verhuisd',
);

const ASKS = words(
  'lives?|living|resid\\p{L}+|home|home ?town|address|city|town|country',
  'wohn\\p{L}*|leb(?:e|st|t|en)|adresse|stadt|habit\\p{L}*|vi(?:s|t|vez|vons)|ville',
  'viv\\p{L}+|direcci(?:ó|o)n|ciudad|mor(?:o|as?|am)|endere(?:ç|c)o|cidade|abit\\p{L}+|indirizzo|citt(?:à|a)',
  'woont?|wonen|adres|stad',
);

/** Returns whom a match is about: the speaker, alone or with others, or who is named. */
function subject(match: RegExpExecArray | null): string | undefined {
  if (match === null) return undefined;
  const who = match.groups?.who?.toLowerCase() ?? 'i';
  return who === 'we' ? 'i' : who;
}

/** Returns whether a question asks where somebody lives. */
export function asksHome(question: string): boolean {
  return ASKS.test(question);
}

/** Returns whether a turn says that who lives somewhere by an earlier one moved: "I live in Lyon", "We moved to Nice". */
export function movesHome(earlier: string, later: string): boolean {
  const mover = subject(MOVED.exec(later));
  return mover !== undefined && mover === (subject(LIVES.exec(earlier)) ?? subject(MOVED.exec(earlier)));
}
