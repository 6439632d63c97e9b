import { wordsOf } from '../../core/text/words.js';
import { isEnglish } from '../seed/misspelt.js';
import type { QuestionWord } from '../seed/question-words.js';
import { askedStems, heldBy, type LabelledRow, type Lack, type LackContext } from './row-labels.js';

/** Share from which a word of the row may mean what is asked for: "vendor" and "supplier" are above, "salary" and "phone" below. */
const MEANT = 0.2;
/** Share from which a row holds another word of the question: it leads to what is asked for, as the row of a shop leads to "the shop's owner". */
const LEADS = 0.5;
/** Part of a row's labels that are English, at least: of the others nothing is known. */
const KNOWN = 0.5;
/** What is asked for by these says nothing of what a column is called: "born" tells the age, "lives at" the address, "kg" the size. */
const VAGUE = new Set(
  [
    'time times date dates day days year years month months week weeks hour hours number numbers name names kind kinds sort sorts type types',
    'thing things person people man woman place places way ways one ones problem problems matter difference story news latest use point',
    'status state meaning reason cause age address addresses size sizes country countries city cities town towns area location brand brands',
    'make model models author authors deadline expiry quantity quantities amount floor capacity height width depth length currency breed',
    'tenant batch speed sport subject grade rank result results instrument hobby hobbies degree title role job',
  ].flatMap((some) => some.split(' ')),
);
const ASKS = new Set(['what', 'which', 'whats']);
const IS = new Set(['is', 'was', 'are', 'were', 's']);
const THE = new Set(['the', 'his', 'her', 'its', 'their', 'our', 'your', 'my']);
const OF = new Set(['of', 'for']);
/** Who is between what the question names and what it asks for. */
const BETWEEN = new Set('person people someone somebody whoever whose man woman one'.split(' '));
/** Words of one thing that is asked for: "emergency phone number". */
const MOST = 4;

/**
 * Finds the rows that a question names and that have no column for what it asks of them: "What is the salary of Dora Pym?" where rows
 * tell of voice and phone. English alone, the language of the table that tells words alike. Pure.
 */
export function missingColumns(
  rows: readonly LabelledRow[],
  { question, texts, like, vocabulary }: LackContext,
): ReadonlyMap<string, Lack> {
  const found = new Map<string, Lack>();
  const named = rows.filter(({ node }) => question.named.has(node.id));
  if (vocabulary === undefined || named.length === 0 || question.language !== 'english') return found;
  const asked = askedNoun(question.words).filter(({ stem }) => question.open.has(stem));
  if (asked.length === 0 || !asked.every(({ norm }) => isEnglish(norm, vocabulary))) return found;
  if (question.words.some(({ norm }) => BETWEEN.has(norm))) return found;
  const stems = new Set(asked.map(({ stem }) => stem));
  const all = new Set([...askedStems(question), ...stems]);
  const what = asked.map(({ norm }) => norm).join(' ');
  for (const { node, labels } of named) {
    if (!areEnglish(labels, vocabulary)) continue;
    const held = heldBy(texts.of(node), all, like);
    if ([...held].every(([stem, share]) => share < (stems.has(stem) ? MEANT : LEADS)))
      found.set(node.id, { what, share: 1, kind: 'column' });
  }
  return found;
}

/** Returns the words of what is asked for: "salary" of "What is the salary of Dora?", "Which salary …" and "salary of Dora". */
export function askedNoun(words: readonly QuestionWord[]): QuestionWord[] {
  return after(words).filter(({ norm }) => !VAGUE.has(norm));
}

function after(words: readonly QuestionWord[]): QuestionWord[] {
  const at = words.findIndex(
    ({ norm }, i) => ASKS.has(norm) || (norm === 'how' && /^(?:many|much)$/u.test(words[i + 1]?.norm ?? '')),
  );
  if (at === -1) return beforeOf(words, 0);
  if (words[at]!.norm === 'how') return run(words, at + 2);
  const next = words[at + 1];
  if (next !== undefined && IS.has(next.norm) && THE.has(words[at + 2]?.norm ?? '')) return beforeOf(words, at + 3);
  return run(words, at + 1);
}

/** Returns the words from a place on where "of" follows them. */
function beforeOf(words: readonly QuestionWord[], from: number): QuestionWord[] {
  const found = run(words, from);
  return OF.has(words[from + found.length]?.norm ?? '') ? found : [];
}

function run(words: readonly QuestionWord[], from: number): QuestionWord[] {
  const found: QuestionWord[] = [];
  for (let i = from; i < words.length && found.length < MOST; i += 1) {
    const word = words[i]!;
    if (!word.content || word.inName) break;
    found.push(word);
  }
  return found;
}

function areEnglish(labels: ReadonlySet<string>, vocabulary: (word: string) => boolean): boolean {
  const words = [...labels].flatMap((label) => wordsOf(label));
  return words.filter(({ norm }) => isEnglish(norm, vocabulary)).length >= KNOWN * words.length;
}
