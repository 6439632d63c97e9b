import { slicer } from '../../core/async/slices.js';
import { boundedParts } from '../../core/group-by.js';
import { conceptId, qualifiedId, ruleId } from '../../core/ids.js';
import type { Manifest, SourceInfo } from '../../core/model.js';
import { edgeKey, outranks } from '../../ledger/manifest/asserted.js';

/** A source with more assertions than this is written in steps. */
const LARGE = 2000;
/** So is one of longer texts together, in characters: a commit writes all of them at once, and nothing else runs meanwhile. */
const LONG = 3_000_000;
/** Assertions of a step, counted in passages; a concept, edge or rule costs a quarter of one. */
const STEP = 200;
/** Characters of a step, where it holds more than one thing. */
const LONG_STEP = 500_000;
const PER_PASSAGE = 4;

type Counts = Pick<SourceInfo, 'passages' | 'concepts' | 'edges' | 'rules'>;

function costOf({ passages, concepts, edges, rules }: Counts): number {
  return passages * PER_PASSAGE + concepts + edges + rules;
}

/** Returns how much of a step a manifest takes, 1 being all of it. */
export function shareOfStep(manifest: Manifest): number {
  return Math.max(costOf(countsOf(manifest)) / (STEP * PER_PASSAGE), charactersOf(manifest) / LONG_STEP);
}

export function isLarge(manifest: Manifest): boolean {
  return isLargeSource(countsOf(manifest)) || charactersOf(manifest) > LONG;
}

/** Returns how long the texts of passages, concepts and rules are together. */
function charactersOf({ passages, concepts, rules }: Manifest): number {
  return [passages, concepts, rules].reduce(
    (sum, asserted) => asserted.reduce((one, other) => one + lengthOf(other), sum),
    0,
  );
}

/** Returns how long the text of what a source asserts is, in characters; of an edge, which has none, 0. */
function lengthOf(asserted: { readonly name?: string; readonly description?: string; readonly text?: string }): number {
  const { name = '', description = '', text = '' } = asserted;
  return name.length + description.length + text.length;
}

function countsOf({ passages, concepts, edges, rules }: Manifest): Counts {
  return { passages: passages.length, concepts: concepts.length, edges: edges.length, rules: rules.length };
}

/** Characters that a model in this process embeds in about the time that they take to be written. */
const SHORT = 2000;

/** Returns whether a source says so little that it is embedded about as soon as it is written. */
export function isShort(manifest: Manifest): boolean {
  if (manifest.passages.length + manifest.concepts.length > SHORT) return false;
  return charactersOf({ ...manifest, rules: [] }) <= SHORT;
}

export function isLargeSource(source: Counts): boolean {
  return costOf(source) > LARGE * PER_PASSAGE;
}

/** Returns whether a source asserts more than one step writes. */
export function takesSteps(source: Counts): boolean {
  return costOf(source) > STEP * PER_PASSAGE;
}

/**
 * Divides what a source asserts into manifests that add to it one after the other. Duplicates are resolved before, as
 * they would be in one write. Gives way to the event loop.
 */
export async function piecesOf(manifest: Manifest): Promise<Manifest[]> {
  const { domain } = manifest;
  const kinds = {
    concepts: await distinct(manifest.concepts, ({ id, name }) =>
      id === undefined ? conceptId(domain, name) : qualifiedId(domain, id),
    ),
    passages: manifest.passages,
    edges: await distinct(manifest.edges, ({ source, target, relation }) =>
      edgeKey({ source: source.trim(), target: target.trim(), relation: relation.toUpperCase() }),
    ),
    rules: await distinct(manifest.rules, (rule) => ruleId(domain, rule)),
  };
  const pieces: Manifest[] = [];
  for (const kind of ['concepts', 'passages', 'edges', 'rules'] as const) {
    const most = kind === 'passages' ? STEP : STEP * PER_PASSAGE;
    const parts = boundedParts<object>(kinds[kind], { most, longest: LONG_STEP, lengthOf });
    for (const part of parts) pieces.push({ ...emptyPiece(manifest), [kind]: part });
  }
  return pieces;
}

/** Returns a piece that asserts nothing; its source counts as unfinished. */
export function emptyPiece({ domain, source }: Pick<Manifest, 'domain' | 'source'>): Manifest {
  return {
    domain,
    source,
    content_hash: '',
    concepts: [],
    edges: [],
    rules: [],
    passages: [],
    warnings: [],
    append: true,
    piece: { retracted: { concepts: [], edges: [], rules: [] } },
  };
}

async function distinct<T extends { readonly confidence?: number; readonly description?: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): Promise<T[]> {
  const pause = slicer();
  const kept = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = kept.get(key);
    if (known === undefined || outranks(item, known)) kept.set(key, item);
    await pause();
  }
  return [...kept.values()];
}
