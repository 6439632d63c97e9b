import type { TextTerm } from '../../backends/text/port.js';
import { forEachInSlices, mapInSlices } from '../../core/async/slices.js';
import { groupBy } from '../../core/group-by.js';
import { stem } from '../../core/text/stems/stem.js';
import type { Word } from '../../core/text/words.js';
import type { RetrievalParts } from '../collaborators.js';
import { type CompoundForm, dividedForms, divisible, joinedForms } from './compound-forms.js';
import type { Compound } from './held-compounds.js';
import type { Question } from './question.js';
import type { QuestionWord } from './question-words.js';

export interface FoundCompounds {
  readonly compounds: readonly Compound[];
  /** The question with the words that the documents make of two of its words, beside these: what the text index scores by. */
  readonly searched: string;
  /** The parts that the documents write for words of the question: what holds one of them alone says nothing by that. */
  readonly parts: string;
}

/** Words of one question that are looked up, at most: what an engine takes in one search. */
const MOST = 400;
/** Words of questions in English that Swedish, Danish and Norwegian do not have. */
const ENGLISH: ReadonlySet<string> = new Set('the where what who when how which why does did are was'.split(' '));
/** A longer text is pasted rather than asked. */
const LONGEST = 400;

/**
 * Finds what the documents write as one word where the question has two, and as two where it has one: "Bootshausschlüssel" and "Schlüssel zum Bootshaus".
 * One look-up in the text index. A word that the documents hold is divided in languages that make compounds freely alone. `terms`: what the index knows
 * of the question's stems.
 */
export async function findCompounds(
  parts: Pick<RetrievalParts, 'text' | 'vocabulary'>,
  { text, language, words }: Pick<Question, 'text' | 'language' | 'words'>,
  { terms, domains }: { readonly terms: readonly TextTerm[]; readonly domains: readonly string[] | undefined },
): Promise<FoundCompounds> {
  const none = { compounds: [], searched: text, parts: '' };
  if (text.length > LONGEST) return none;
  const unknown = new Set(terms.filter(({ df }) => df === 0).map((term) => term.stem));
  // A word that English lacks may be of a language that is read as English, not where English asks.
  const reading = { language, vocabulary: asksInEnglish(words) ? undefined : parts.vocabulary };
  const divided = divisible(words, text, language).filter((word) => language !== 'english' || unknown.has(word.stem));
  // Stemmers take long over words that they have not met.
  const forms = (await mapInSlices(divided, (word) => dividedForms(word, reading), 'urgent')).flat();
  await forEachInSlices(joinedForms(words, { ...reading, text }), (form) => forms.push(form), 'urgent');
  const looked = [...new Set(forms.flatMap(({ written }) => written.flat()))].slice(0, MOST);
  if (looked.length === 0) return none;
  // A document in another language than English is found by English stems too.
  const stemsOf = (word: string): string[] => [stem(word, language), stem(word)];
  const stems = await mapInSlices(looked, stemsOf, 'urgent');
  const held = await parts.text.known(stems.flat(), domains);
  const known = new Set(looked.filter((_, i) => stems[i]!.some((one) => held.has(one))));
  const found = forms.flatMap(({ asked, written, adjacent }): CompoundForm[] => {
    const some = written.map((all) => all.filter((word) => known.has(word)));
    return some.every((all) => all.length > 0) ? [{ asked, written: some, adjacent }] : [];
  });
  return {
    compounds: found.map(({ asked, written, adjacent }) => ({
      asked: asked.map(asWord),
      written: written.map((all) => new Set(all.map((word) => stem(word, language)))),
      adjacent,
    })),
    searched: withJoined(text, found),
    parts: [...new Set(found.flatMap(({ written }) => (written.length > 1 ? written.flat() : [])))].join(' '),
  };
}

function asksInEnglish(words: Question['words']): boolean {
  return words.some(({ norm }) => ENGLISH.has(norm));
}

function asWord({ norm, stem }: QuestionWord): Word {
  return { norm, stem, stop: false, languages: undefined };
}

/** Returns the question with the words that two of its words are joined to behind the first. */
function withJoined(text: string, forms: readonly CompoundForm[]): string {
  const joined = forms.filter(({ written }) => written.length === 1);
  const behind = groupBy(joined, ({ asked }) => asked[0]!.end);
  let searched = text;
  for (const [end, some] of [...behind].sort(([a], [b]) => b - a)) {
    const words = new Set(some.flatMap(({ written }) => written.flat()));
    searched = `${searched.slice(0, end)} ${[...words].join(' ')}${searched.slice(end)}`;
  }
  return searched;
}
