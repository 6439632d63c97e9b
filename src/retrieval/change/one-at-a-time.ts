import { mapInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import type { ItemTexts } from '../expand/item-words.js';
import type { Attribute } from './attribute.js';
import { isVersion } from './change-words.js';
import { ONE_AT_A_TIME } from './one-at-a-time-words.js';

/** What a turn says of something that a person has one of at a time. */
export interface Statement {
  readonly attribute: Attribute;
  /** Whom it is about, in small letters: who is named, or who speaks. */
  readonly subject: string;
  /** Whether who speaks is meant. */
  readonly own: boolean;
  /** Which kind of it, where the turn says so: "dentist" of whom one goes to. */
  readonly what: string | undefined;
  /** The sentence that says so, in small letters. */
  readonly sentence: string;
  /** What it was before, where only an earlier statement of that makes this one: "Moved from Oslo to Bergen." */
  readonly from: string | undefined;
  /** Whether it tells what it is, and does not only mention it. */
  readonly states: boolean;
  /** Stems of the question that the turn holds beside the statement. */
  readonly beside: ReadonlySet<string>;
}

/** How a speaker calls himself, or those he belongs to. */
export const FIRST_PERSON: ReadonlySet<string> = new Set(
  'i we ich wir je j nous yo nosotros eu nós io noi ik wij'.split(' '),
);
/** Words before a verb that do not tell whom it is about. */
const NOBODY = new Set(
  'he she it they that this which who you there er sie es das der die man du ihr il elle on ils elles qui ça tu vous él ella lui lei hij zij ze het'.split(
    ' ',
  ),
);
const WORDS = /[\p{L}\p{M}]+/gu;
/** Longer sentences are lists or pasted text, and no such statement; each is read by dozens of patterns. */
const LONGEST = 500;
/** Who has something is asked for, and not what it is. */
const ASKS_WHO = /^\s*(?:who|wer|quién|quem|chi) (?!is |ist |es |é |è )/iu;

/**
 * Returns what turns say of the thing that a question asks about, where a person has one of it at a time: a home, an employer, a
 * partner. Only statements of those whom the question is about count.
 */
export async function statementsOf(
  question: { readonly text: string; readonly language: string; readonly named: ReadonlySet<string> },
  nodes: readonly GraphNode[],
  texts: ItemTexts,
): Promise<Map<GraphNode, Statement[]>> {
  const asking = question.text.toLowerCase();
  const asked = ONE_AT_A_TIME.filter(({ asks }) => asks.test(asking));
  if (asked.length === 0 || ASKS_WHO.test(question.text)) return new Map();
  const stems = new Set(
    wordsOf(question.text, question.language).flatMap(({ norm, stem, stop }) =>
      stop || isVersion(norm) || asked.some(({ asks }) => asks.test(norm)) ? [] : [stem],
    ),
  );
  for (const name of question.named) for (const { stem } of wordsOf(name, question.language)) stems.delete(stem);
  const beside = (node: GraphNode, match: string): Set<string> => {
    const own = new Set(wordsOf(match, question.language).map(({ stem }) => stem));
    const held = texts.of(node).sentences.flatMap((words) => words.map(({ stem }) => stem));
    return new Set(held.filter((stem) => stems.has(stem) && !own.has(stem)));
  };
  const said = await mapInSlices(nodes, sentencesOf, 'urgent');
  const pairs = nodes.flatMap((node, i) => asked.map((one) => ({ node, one, sentences: said[i]! })));
  const read = await mapInSlices(
    pairs,
    ({ node, one, sentences }) => statements(node, sentences, one, (match) => beside(node, match)),
    'urgent',
  );
  const found = nodes.map((node, i): [GraphNode, Statement[]] => [
    node,
    read.slice(i * asked.length, (i + 1) * asked.length).flat(),
  ]);
  const all = found.flatMap(([, some]) => some);
  const words = new Set(asking.match(WORDS));
  const speakers = new Set([...question.named].map(nameOf));
  const others = new Set(all.filter(({ own, subject }) => !own && words.has(subject)).map(({ subject }) => subject));
  for (const speaker of speakers) others.delete(speaker);
  const kinds = new Set(all.flatMap(({ what }) => (what !== undefined && asking.includes(what) ? [what] : [])));
  const counts = ({ subject, own, what }: Statement): boolean => {
    if (what !== undefined && kinds.size > 0 && !kinds.has(what)) return false;
    if (others.size > 0) return others.has(subject);
    return speakers.size > 0 ? speakers.has(subject) : own;
  };
  return new Map(
    found.flatMap(([node, some]): Array<[GraphNode, Statement[]]> => {
      const counting = some.filter(counts);
      return counting.length === 0 ? [] : [[node, counting]];
    }),
  );
}

/** Returns whether later statements tell what holds since earlier ones, "I started at ASML" since "I work at Philips": not where
 * the question asks for what stands beside an earlier one. */
export function follow(earlier: readonly Statement[] = [], later: readonly Statement[] = []): boolean {
  return later.some(
    (second) =>
      second.states &&
      earlier.some(
        (first) =>
          first.attribute === second.attribute &&
          first.subject === second.subject &&
          (first.what === undefined || second.what === undefined || first.what === second.what) &&
          (second.from === undefined || tells(first.sentence, second.from)) &&
          [...first.beside].every((stem) => second.beside.has(stem)),
      ),
  );
}

/** Returns whether later statements are of what earlier ones are and lack words of the question that stand beside those. */
export function lackBeside(earlier: readonly Statement[] = [], later: readonly Statement[] = []): boolean {
  return earlier.some(({ attribute, beside }) => {
    const same = later.filter((second) => second.attribute === attribute);
    return same.length > 0 && same.every((second) => [...beside].some((stem) => !second.beside.has(stem)));
  });
}

/** Returns whether a sentence tells a place, or what it lies in: most words of it, "New York" of "New York City, USA". */
function tells(sentence: string, place: string): boolean {
  const inSentence = new Set(sentence.match(WORDS));
  return place.split(',').some((part) => {
    const words = part.match(WORDS) ?? [];
    return 2 * words.filter((word) => inSentence.has(word)).length > words.length;
  });
}

/** Returns what a turn says, in small letters, without its questions. */
function sentencesOf({ description }: GraphNode): string[] {
  return description
    .toLowerCase()
    .split(/(?<=[.!?…])\s+/u)
    .filter((sentence) => sentence.length <= LONGEST && !/[?？]["'”’)]*\s*$/u.test(sentence));
}

function statements(
  { passage }: GraphNode,
  sentences: readonly string[],
  attribute: Attribute,
  beside: (match: string) => ReadonlySet<string>,
): Statement[] {
  const { speaker, role } = passage!.message!;
  const match = (patterns: readonly RegExp[], kind: 'states' | 'mentions' | 'notes'): Statement[] =>
    sentences.flatMap((sentence) =>
      patterns.flatMap((pattern): Statement[] => {
        const groups = pattern.exec(sentence);
        if (groups === null) return [];
        const who = groups.groups?.who ?? 'i';
        if (NOBODY.has(who)) return [];
        const from = kind === 'notes' ? groups.groups?.from : undefined;
        if (kind === 'notes' && from === undefined && !sentences.some((one) => attribute.notes!.cues.test(one)))
          return [];
        const own = FIRST_PERSON.has(who);
        const subject = own ? nameOf(speaker ?? role) : who;
        const what = groups.groups?.what;
        const states = kind !== 'mentions';
        return [{ attribute, subject, own, what, sentence, from, states, beside: beside(groups[0]) }];
      }),
    );
  return [
    ...match(attribute.states, 'states'),
    ...match(attribute.notes?.states ?? [], 'notes'),
    ...match(attribute.mentions, 'mentions'),
  ];
}

/** Returns the first part of a name, as others call it. */
function nameOf(speaker: string): string {
  return (speaker.match(WORDS)?.[0] ?? speaker).toLowerCase();
}
