import { languageOf } from '../../core/text/language.js';
import { bounded, LETTERS } from '../dates/date-patterns.js';

/** What a language asks with. */
interface AskingWords {
  /** Words that stand for what the asker does not know. */
  readonly unknown: ReadonlySet<string>;
  /** Words that do so before a question mark alone: without one they tell something ("someone took it"). */
  readonly marked: ReadonlySet<string>;
  /** Leaves open which of two it is. */
  readonly or: RegExp;
  /** Beginnings of questions that propose or tell something, behind whom they speak to: "Mia, shall we …". */
  readonly proposes: RegExp;
}

function asking(
  unknown: string,
  { marked, or, proposes }: { readonly marked: string; readonly or: string; readonly proposes: readonly string[] },
): AskingWords {
  return {
    unknown: setOf(unknown),
    marked: setOf(marked),
    or: bounded(or, 'iu'),
    proposes: new RegExp(`^(?:[^,]{0,40},)?[^\\p{L}]*(?:${proposes.join('|')})(?!\\p{L})`, 'iu'),
  };
}

const ASKING: Readonly<Record<string, AskingWords>> = {
  english: asking(
    "who whos who's whose whom what whats what's which where wheres where's when whens when's why how hows how's anyone anybody",
    {
      marked: 'someone somebody',
      or: 'or',
      proposes: [
        "(?:how|what) about|what if|why (?:not|don['’]?t)|let['’]?s|(?:shall|should|could|can) (?:we|you)|(?:shall|should) i",
        '(?:what|how) do (?:\\S+ ){1,3}(?:think|feel|say)|did you (?:all )?(?:know|see|hear|notice)|(?:do )?you know (?:that|the)',
      ],
    },
  ),
  german: asking(
    'wer wen wem wessen was wann wo wohin woher warum wieso weshalb wie wieviel womit wofür wozu welche welcher welches welchen welchem',
    {
      marked: 'jemand',
      or: 'oder',
      proposes: [
        'wie w(?:ä|ae)re?|was (?:ist mit|w(?:ä|ae)re|haltet|hältst|meinst|meint)|warum nicht|soll(?:en|ten)? wir|soll(?:te)? ich|wollen wir',
        'wusstest du|wusstet ihr|(?:wei(?:ß|ss)t du|wisst ihr) (?:\\p{L}+,? )?dass|habt ihr (?:schon )?(?:mitbekommen|gesehen|gehört)',
      ],
    },
  ),
  french: asking('qui que quoi quel quelle quels quelles où quand pourquoi comment combien', {
    marked: "quelqu'un",
    or: 'ou',
    proposes: [
      "pourquoi pas|et si|(?:que|qu[’']en) (?:dirais|diriez|penses|pensez)|on (?:va|se)|tu savais|vous saviez|savais-tu|saviez-vous",
    ],
  }),
  spanish: asking('quién quiénes qué cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas', {
    // As chats write them.
    marked: 'alguien quien quienes cual cuales donde adonde cuanto cuanta cuantos cuantas',
    or: 'o',
    proposes: ['(?:qué|que) (?:tal|te parece|os parece|les parece)|por qué no|y si|sabías|sabíais|sabían'],
  }),
  italian: asking('chi cosa quale quali quando dove come quanto quanta quanti quante perché', {
    marked: 'qualcuno',
    or: 'o',
    proposes: ['perché non|e se|che ne (?:dici|dite|pensi|pensate)|sapevi|sapevate'],
  }),
  portuguese: asking('quem que qual quais quando onde como quanto quanta quantos quantas', {
    marked: 'alguém',
    or: 'ou',
    proposes: ['que tal|por que não|e se|o que achas|o que acham|sabias|sabiam|vamos'],
  }),
  dutch: asking('wie wat welk welke waar wanneer waarom hoe hoeveel', {
    marked: 'iemand',
    or: 'of',
    proposes: ['wat dacht|wat vind|waarom niet|zullen we|zal ik|wist je|wisten jullie'],
  }),
};
/** Verbs that begin an English question for yes or no where nobody types the question mark. */
const AUXILIARIES = setOf('do does did is are was were has have had can could will would shall should may');
/** What an asking word at the beginning stands before where the sentence tells something: "when I came", "was ich sagen wollte", "quand on arrive". */
const TELLS = setOf(
  "i i'm i've you he she it we they the this that there a an my our your his her their",
  'ich du er sie es wir ihr man der die das den gesagt besprochen vereinbart versprochen immer je tu il elle on nous vous ils elles',
);
/** Asks for what somebody asked, or who did; not "the asking price", "whom do I ask", or "I wanted to know" before what is asked now. */
const ASKED = bounded(
  [
    'asked|wondered|(?:who|else) asks|did (?:\\S+ ){1,4}(?:ask|want to know)|(?:is|was|are|were|been|keeps?|kept) (?:(?!the |an |your |their )\\S+ )?asking',
    'wants to know|(?<!(?<!\\p{L})(?:i|we)(?: just| only| also)? )wanted to know',
    'fragt(?:e|en)?|gefragt|wissen wollten?|(?<!(?<!\\p{L})(?:ich|wir) )wollten? (?:\\S+ ){0,6}wissen',
    `demand(?:é|ait)|voulait savoir|preguntó|preguntaba|(?<!^[^${LETTERS}]*)(?:quería|queria) saber|chiesto|voleva sapere|perguntou`,
    'vroeg|gevraagd|(?<!(?<!\\p{L})ik )wilde weten',
  ].join('|'),
  'iu',
);
/** Words of turns that thank, agree or do not know. All languages together: such turns are too short to tell their own. */
const EMPTY = setOf(
  'ok okay k thanks thank you thx ty cheers sure yes yeah yep no nope idea clue dunno sorry cool great nice perfect good lol haha hm hmm oh ah right same not me let think check look see wait moment hi hello hey',
  'danke dankeschön dir gern gerne klar ja nein nee ne nö keine ahnung super prima toll gut ich nicht hallo moin leider merci oui non moi pas bien salut',
  'gracias sí vale yo grazie sì bene io ciao obrigado obrigada sim não eu bedankt dank je nee ik niet',
);
/** Words at the beginning of a question among which one asks: "Mia, do you know where …". */
const BEGINNING = 6;
/** Letters that are read of a turn. */
const READ = 1000;
/** Signs of a sentence that tells something, where it has no question mark. */
const TELLING = /[:;]\s|[.!]$/u;
/** Words that ask with a verb of their own: "whats the code". */
const WITH_IS = /^(?:wh\p{L}+|how)'?s$/u;
const SENTENCES = /[^?？.!\n]+[?？.!]*/gu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)?/gu;

function setOf(...words: string[]): ReadonlySet<string> {
  return new Set(words.join(' ').split(' '));
}

/** Returns whether a question asks who asked something, or what somebody asked. */
export function asksWhoAsked(question: string): boolean {
  return ASKED.test(question.slice(0, READ));
}

/** Returns whether a question is answered by yes or no. */
export function isPolar(question: string): boolean {
  const words = firstWords(question);
  const { unknown, marked } = wordsFor(question);
  // "Was" is a verb of English and asks in German.
  if (AUXILIARIES.has(words[0] ?? '') && !unknown.has(words[0]!)) return true;
  return isAsked(question) && !words.some((word) => unknown.has(word) || marked.has(word));
}

/** What of a turn asks. */
export interface Asking {
  /** 0..1 of its letters. */
  readonly share: number;
  /** Where the first of it begins; 0 for nothing. */
  readonly from: number;
}

/**
 * Returns what of a turn asks for something that its speaker does not know: "Who has the key?", "can someone …?", "May or June?".
 * Proposals do not; questions for yes or no count where the question itself is one, as they hold what else is asked for.
 */
export function wantsToKnow(turn: string, { isPolar }: { readonly isPolar: boolean }): Asking {
  let [asking, all] = [0, 0];
  let from: number | undefined;
  for (const { 0: sentence, index } of turn.slice(0, READ).matchAll(SENTENCES)) {
    all += sentence.length;
    if (!isOpen(sentence, isPolar)) continue;
    asking += sentence.length;
    from ??= index;
  }
  return { share: all === 0 ? 0 : asking / all, from: from ?? 0 };
}

function isOpen(sentence: string, isPolar: boolean): boolean {
  const words = firstWords(sentence);
  const asks = isAsked(sentence);
  if (!asks && (words.length < 2 || TELLING.test(sentence) || (TELLS.has(words[1]!) && !WITH_IS.test(words[0]!))))
    return false;
  const { unknown, marked, or, proposes } = wordsFor(sentence);
  if (proposes.test(sentence)) return false;
  if (!asks) return unknown.has(words[0]!);
  return isPolar || or.test(sentence) || words.some((word) => unknown.has(word) || marked.has(word));
}

/** Returns whether a turn says something of its own, other than "ok, thanks" or "no idea". */
export function saysSomething(turn: string): boolean {
  return firstWords(turn.slice(0, READ)).some((word) => !isEmpty(word));
}

/** Returns whether a word, in lower case, thanks, agrees or does not know: with others like it it says nothing. */
export function isEmpty(word: string): boolean {
  return EMPTY.has(word);
}

function isAsked(sentence: string): boolean {
  return /[?？][!！"'”’)]*\s*$/u.test(sentence);
}

function wordsFor(text: string): AskingWords {
  return ASKING[languageOf(text)] ?? ASKING.english!;
}

function firstWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    words.push(word.normalize('NFC').toLowerCase().replace('’', "'"));
    if (words.length === BEGINNING) break;
  }
  return words;
}
