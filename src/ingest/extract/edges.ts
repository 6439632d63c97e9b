import { ANY_RELATION, RELATION_PATTERNS, type RelationPattern } from './relation-patterns.js';
import type { Term } from './terms.js';

export interface FoundEdge {
  readonly source: Term;
  readonly target: Term;
  readonly relation: string;
}

/** Subjects and objects joined by these share the verb. */
const AND = /^\s*(?:,|,? and|,? as well as|&)\s+(?:(?:the|a|an|its|our) )?$/iu;

/** What may come before a subject: the sentence's start, an introduction with its comma, an article. */
const BEFORE_SUBJECT =
  /(?:^|[;:,–—]\s|^(?:[^,]{1,60}),\s)(?:(?:and|but|so|while|both) )?(?:(?:the|a|an|our|each|every|this|any) )?$/iu;

/** What may come after an object that is the whole name: "uses Redis", not "uses Redis clusters". */
const AFTER_OBJECT =
  /^(?:$|[.,;:!?)—–]|\s*\(|\s(?:and|or|but|to|for|in|on|at|by|with|from|when|if|while|because|since|as|which|that|who|before|after|during|until|unless|via|through|over|under|within|without|so|only|is|are|was|were)\b)/u;

/**
 * Finds typed edges between the names and terms of one sentence: subject, verb and object next to each other, both of them
 * whole. Anything else is left alone: precision before recall.
 */
export function sentenceEdges(sentence: string, terms: readonly Term[]): FoundEdge[] {
  const found: FoundEdge[] = [];
  if (terms.length < 2 || sentence.length > 600 || /\?\W*$/u.test(sentence)) return found;
  let open: { readonly subjects: readonly Term[]; readonly last: number } | undefined;
  for (let i = 0; i + 1 < terms.length; i += 1) {
    const gap = sentence.slice(terms[i]!.end, terms[i + 1]!.start);
    const next = open?.last === i ? verbAfterAnd(gap) : undefined;
    const phrase = next ?? relationIn(gap);
    if (phrase === undefined) continue;
    const subjects = next === undefined ? subjectsAt(sentence, terms, i) : open!.subjects;
    const objects = objectsAt(sentence, terms, i + 1);
    open = { subjects, last: i + Math.max(1, objects.length) };
    for (const subject of subjects) {
      for (const object of objects) {
        if (subject.key === object.key) continue;
        const [source, target] = phrase.inverse ? [object, subject] : [subject, object];
        found.push({ source, target, relation: phrase.relation });
      }
    }
  }
  return found;
}

/** Marks or white space that do not count. */
const UNEVEN = /[`*]|[^\S ]| {2}/u;

function relationIn(gap: string): RelationPattern | undefined {
  if (gap.length > 80 || gap.length < 3) return undefined;
  const unmarked = UNEVEN.test(gap) ? gap.replace(/[`*]/gu, '').replace(/\s+/gu, ' ') : gap;
  const between = unmarked.trim().toLowerCase();
  return ANY_RELATION.test(between) ? RELATION_PATTERNS.find((pattern) => pattern.between.test(between)) : undefined;
}

/** Finds the verb of "… and uses B", whose subject is that of the verb before. */
function verbAfterAnd(gap: string): RelationPattern | undefined {
  const verb = /^(?:\s(?:for|to|in|on|as|from|with) [^,;.]{1,40}?)?,?\s(?:and|but)\s(?<verb>.+)$/u.exec(gap)?.groups
    ?.verb;
  return verb === undefined ? undefined : relationIn(` ${verb}`);
}

/** Returns the subject at an index with those joined to it by "and"; none where it is not the subject of the clause. */
function subjectsAt(sentence: string, terms: readonly Term[], index: number): readonly Term[] {
  if (isCommonPlural(sentence, terms[index]!)) return [];
  let first = index;
  while (first > 0 && AND.test(sentence.slice(terms[first - 1]!.end, terms[first]!.start))) first -= 1;
  for (; first <= index; first += 1) {
    const before = sentence.slice(0, terms[first]!.start).replace(/^(?:\s*(?:[*•>#-]+|\d{1,3}[.)])\s)+\s*/u, '');
    if (BEFORE_SUBJECT.test(before)) return terms.slice(first, index + 1);
  }
  return [];
}

/** Returns true for "Projects include …": the capital comes from the sentence, the verb shows the plural. */
function isCommonPlural(sentence: string, { name, end }: Term): boolean {
  const verb = /^ (?:\p{Ll}+ )?(?:include|contain|require|use|need|support|are|were)\b/u;
  return /^\p{Lu}\p{Ll}+s$/u.test(name) && verb.test(sentence.slice(end));
}

function objectsAt(sentence: string, terms: readonly Term[], index: number): Term[] {
  let last = index;
  while (last + 1 < terms.length && AND.test(sentence.slice(terms[last]!.end, terms[last + 1]!.start))) last += 1;
  const after = sentence.slice(terms[last]!.end);
  const whole = AFTER_OBJECT.test(after) && !/^\s*or\b/u.test(after);
  return whole ? terms.slice(index, last + 1) : [];
}
