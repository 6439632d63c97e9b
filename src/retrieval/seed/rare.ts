import type { GraphNode } from '../../core/model.js';
import { stem } from '../../core/text/stems/stem.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Copies } from '../expand/copies.js';
import type { ItemTexts } from '../expand/item-words.js';
import { type Code, holdsCode, onlyInCodes } from './codes.js';
import { type Compound, compoundsIn } from './held-compounds.js';
import type { Question } from './question.js';

/** A unit in more documents than this is not rare. */
const RARE = 8;
/** Shorter parts of a code tell nothing by themselves. */
const TELLING = 4;

/** A word of the question, or a name of several words, that may be rare. */
export interface RareUnit {
  readonly stems: readonly string[];
  /** Set for a name of several words, and for a code. */
  readonly key?: string;
  /** Set for a code. */
  readonly code?: Code;
  /** Set for a compound of which the parts have to follow each other. */
  readonly compound?: Compound;
}

/** A rare unit with the items that hold it. */
export interface HeldUnit extends RareUnit {
  readonly ids: readonly string[];
}

/**
 * Returns the units of the question that may be rare: words in at most 8 documents, other forms of numbers, and names of several
 * words and codes, which few documents hold together though each word is common. Pure.
 */
export function rareUnits({ documentFrequencies, parts, words, codes, numbers, compounds }: Question): RareUnit[] {
  const inCodes = new Set([...onlyInCodes(codes, words)].filter((stem) => stem.length < TELLING));
  const units: RareUnit[] = [...documentFrequencies].flatMap(([term, count]) =>
    count >= 1 && count <= RARE && !inCodes.has(term) ? [{ stems: [term] }] : [],
  );
  for (const { forms } of numbers) for (const form of forms) units.push({ stems: [form] });
  for (const code of codes) units.push({ stems: [...code.stems], key: code.term, code });
  for (const compound of compounds) {
    const { asked, written, adjacent } = compound;
    // What parts are of is a unit where they stand together; a compound is one by itself.
    const key = written.length > 1 ? { key: asked[0]!.norm, ...(adjacent === true ? { compound } : {}) } : {};
    for (const stems of combined(written)) units.push({ stems, ...key });
  }
  for (const { key, token, length } of parts) {
    const name = words.slice(token, token + length).filter((word) => word.content);
    const stems = [...new Set(name.map((word) => word.stem.replace(/'s?$/u, '')))];
    if (stems.length > 1) units.push({ stems, key });
  }
  return units;
}

/** Returns every choice of one of each set. */
function combined(sets: ReadonlyArray<ReadonlySet<string>>): string[][] {
  return sets.reduce<string[][]>((all, set) => all.flatMap((some) => [...set].map((one) => [...some, one])), [[]]);
}

/**
 * Returns the rare units of the question with the items that hold each: at most 8 of these domains do. The text index answers from
 * its postings: nothing is scanned.
 */
export async function rareHolders(
  parts: Pick<RetrievalParts, 'text'>,
  question: Question,
  domains: readonly string[],
): Promise<HeldUnit[]> {
  const units = rareUnits(question);
  if (units.length === 0) return [];
  const stems = units.map((unit) => [...unit.stems]);
  // A text too short to tell its language is indexed by English stems alone.
  const english = englishUnits(units, question);
  const lists = [...stems, ...english.map((unit) => unit.stems)];
  const found = await Promise.all(domains.map((domain) => parts.text.containingEach(domain, lists, { most: RARE })));
  const idsAt = (at: number): string[] => found.flatMap((ofDomain) => ofDomain[at]!);
  const held = units.map((unit, u) => {
    const others = english.flatMap(({ of }, e) => (of === unit ? idsAt(units.length + e) : []));
    return { ...unit, ids: others.length === 0 ? idsAt(u) : [...new Set([...idsAt(u), ...others])] };
  });
  return held.filter(({ ids }) => ids.length > 0 && ids.length <= RARE);
}

/** Returns the units that a question in another language than English writes otherwise in English stems, with these. */
function englishUnits(
  units: readonly RareUnit[],
  { words, language }: Pick<Question, 'words' | 'language'>,
): Array<{ readonly of: RareUnit; readonly stems: string[] }> {
  if (language === 'english') return [];
  const english = new Map(words.map((word) => [word.stem, stem(word.norm)]));
  return units.flatMap((of) => {
    const stems = of.stems.map((one) => english.get(one) ?? one);
    return stems.every((one, i) => one === of.stems[i]) ? [] : [{ of, stems }];
  });
}

/**
 * Returns the units with the items that hold a code in its order, or a name in one sentence or their title, where any does: a table has "Lars Albers" in one
 * row and "Anna Brandt" in the next, and no Lars Brandt. Pure.
 */
export function heldTogether(
  units: readonly HeldUnit[],
  { nodes, texts }: { readonly nodes: ReadonlyMap<string, GraphNode>; readonly texts: ItemTexts },
): HeldUnit[] {
  return units.map((unit) => {
    if (unit.key === undefined) return unit;
    const { compound } = unit;
    if (compound !== undefined) return { ...unit, ids: unit.ids.filter((id) => holds(compound, nodes.get(id), texts)) };
    const together = unit.ids.filter((id) => {
      const node = nodes.get(id);
      if (node === undefined) return false;
      if (unit.code !== undefined) return holdsCode(texts.of(node), unit.code);
      const { title, sentences } = texts.of(node);
      return [title, ...sentences].some((words) => {
        const stems = new Set(words.map(({ stem }) => stem));
        return unit.stems.every((stem) => stems.has(stem));
      });
    });
    return together.length === 0 ? unit : { ...unit, ids: together };
  });
}

/** Returns whether the title or a sentence of an item holds a compound; the index does not tell what follows what. */
function holds(compound: Compound, node: GraphNode | undefined, texts: ItemTexts): boolean {
  if (node === undefined) return false;
  const { title, sentences } = texts.of(node);
  return [title, ...sentences].some((words) => compoundsIn([compound], words).length > 0);
}

/** Returns 1/√n for the items that hold a unit which n different texts hold; the rarest unit counts. Pure. */
export function rarity(units: ReadonlyArray<Pick<HeldUnit, 'ids'>>, copies: Copies): Map<string, number> {
  const values = new Map<string, number>();
  for (const { ids } of units) {
    const value = 1 / Math.sqrt(copies.count(ids));
    for (const id of ids) values.set(id, Math.max(value, values.get(id) ?? 0));
  }
  return values;
}
