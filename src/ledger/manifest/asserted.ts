import { slicer } from '../../core/async/slices.js';
import { conceptId, qualifiedId, ruleId } from '../../core/ids.js';
import type { AboutKey, JsonObject, Manifest, Passage } from '../../core/model.js';
import { checkManifest } from './check-manifest.js';

/** What a source asserts, with defaults filled in and duplicates resolved. Every kind of graph stores this. */
export interface Asserted {
  /** By node id. */
  readonly concepts: Map<string, AssertedConcept>;
  /** By `edgeKey`. */
  readonly edges: Map<string, AssertedEdge>;
  /** By rule id. */
  readonly rules: Map<string, AssertedRule>;
  /** By node id. */
  readonly passages: Map<string, Passage>;
  /** Ids of passages that a source which is added to loses. */
  readonly without: readonly string[];
}

export interface AssertedConcept {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly confidence: number;
}

export interface AssertedEdge {
  /** Name or id as given. */
  readonly source: string;
  readonly target: string;
  /** Upper case. */
  readonly relation: string;
  readonly confidence: number;
  readonly properties: JsonObject;
  /** Of the source `edits`: what it says of the edge, as JSON. */
  readonly edit?: string;
}

export interface AssertedRule {
  readonly id: string;
  readonly text: string;
  readonly category: string;
  readonly confidence: number;
  /** Names or ids as given; null where the text decides. */
  readonly concepts: readonly string[] | null;
  readonly metadata: JsonObject;
  /** As of an edge. */
  readonly edit?: string;
}

/**
 * Checks a manifest (`invalid_input`) and brings it into stored form. Of duplicates that stays which `outranks` the others.
 * Gives way to the event loop after each concept, edge and rule.
 */
export async function assertedInSlices(manifest: Manifest): Promise<Asserted> {
  checkManifest(manifest);
  const pause = slicer();
  const { domain } = manifest;
  const without = manifest.append === true ? (manifest.without ?? []) : [];
  const asserted: Asserted = { concepts: new Map(), edges: new Map(), rules: new Map(), passages: new Map(), without };
  for (const given of manifest.concepts) {
    const id = given.id === undefined ? conceptId(domain, given.name) : qualifiedId(domain, given.id);
    keepBest(asserted.concepts, id, {
      id,
      name: given.name.trim(),
      description: given.description ?? '',
      properties: given.properties ?? {},
      confidence: given.confidence ?? 1,
    });
    await pause();
  }
  for (const given of manifest.edges) {
    const edge = {
      source: given.source.trim(),
      target: given.target.trim(),
      relation: given.relation.toUpperCase(),
      confidence: given.confidence ?? 1,
      properties: given.properties ?? {},
    };
    keepBest(asserted.edges, edgeKey(edge), edge);
    await pause();
  }
  for (const given of manifest.rules) {
    const id = ruleId(domain, given);
    keepBest(asserted.rules, id, {
      id,
      text: given.text,
      category: given.category ?? 'general',
      confidence: given.confidence ?? 1,
      concepts: given.concepts === undefined ? null : [...given.concepts],
      metadata: given.metadata ?? {},
    });
    await pause();
  }
  for (const passage of manifest.passages) asserted.passages.set(passage.id, passage);
  return asserted;
}

/** Returns the identity of an edge assertion within its source: the endpoints as given. */
export function edgeKey(edge: Pick<AssertedEdge, 'source' | 'relation' | 'target'>): string {
  return `${edge.source}\0${edge.relation}\0${edge.target}`;
}

function keepBest<T extends ComparedAssertion>(map: Map<string, T>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined || outranks(value, known)) map.set(key, value);
}

/** What decides between assertions of one thing that one source makes. */
interface ComparedAssertion {
  /** 1 where none is given. */
  readonly confidence?: number;
  readonly name?: string;
  /** Of a concept. */
  readonly description?: string;
  /** As JSON where they are stored. */
  readonly properties?: string | Readonly<Record<string, unknown>>;
}

/** Returns whether the later of two assertions of one source stays: the surer does, else that which describes, else the later. */
export function outranks(next: ComparedAssertion, known: ComparedAssertion): boolean {
  const surer = (next.confidence ?? 1) - (known.confidence ?? 1);
  return surer > 0 || (surer === 0 && !isBareBeside(next, known));
}

/** Returns whether one only names what the other describes, as when an edge is joined to it. */
function isBareBeside(next: ComparedAssertion, known: ComparedAssertion): boolean {
  return isBare(next) && (known.description ?? '') !== '' && next.name === known.name;
}

/** Returns whether an assertion of a concept says nothing but its name. */
function isBare({ description = '', properties = {} }: ComparedAssertion): boolean {
  return (
    description === '' && (typeof properties === 'string' ? properties === '{}' : Object.keys(properties).length === 0)
  );
}

/** An assertion with what decides between it and others. */
export interface RankedAssertion {
  readonly confidence: number;
  readonly version: number;
  /** Public id of the asserting source. */
  readonly source_id: string;
}

/** Orders assertions of one thing, the visible one first: highest confidence, then newest version, then source id. */
export function byRank(a: RankedAssertion, b: RankedAssertion): number {
  return b.confidence - a.confidence || b.version - a.version || compare(a.source_id, b.source_id);
}

/** An assertion of a concept with what decides between it and others. */
export interface RankedConcept extends RankedAssertion {
  readonly name: string;
  readonly description: string;
  readonly properties: string | Readonly<Record<string, unknown>>;
}

/** Orders assertions of a concept by rank, but of equally sure ones those last that only name it: who does so, to join an edge to it, says nothing against the others. */
export function byConceptRank(a: RankedConcept, b: RankedConcept): number {
  return b.confidence - a.confidence || Number(isBare(a)) - Number(isBare(b)) || byRank(a, b);
}

/** Returns whether a later assertion replaces its source's earlier one: if it outranks that one, and is no more than the `same` only where it is surer. */
export function isStronger(
  next: ComparedAssertion & Pick<RankedAssertion, 'confidence'>,
  known: ComparedAssertion & Pick<RankedAssertion, 'confidence'>,
  same: boolean,
): boolean {
  return outranks(next, known) && (next.confidence > known.confidence || !same);
}

/** Removes the source's earlier assertion of a concept from `known` where the next one replaces it, as it does with `overrides`. */
export function resolveConflict<T extends RankedConcept>(
  known: T[] | undefined,
  next: T,
  same: (next: T, earlier: T) => boolean,
  overrides = false,
): boolean {
  const mine = known?.findIndex((other) => other.source_id === next.source_id) ?? -1;
  if (known === undefined || mine < 0) return true;
  if (!overrides && !isStronger(next, known[mine]!, same(next, known[mine]!))) return false;
  known.splice(mine, 1);
  return true;
}

/** Compares two texts in code-unit order, the order of ids everywhere. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Confidence of a bare entity: that of an extraction by rules alone. */
export const ENTITY_CONFIDENCE = 0.6;

/** Returns the keys that a passage is about → whether only as an alias. */
export function aboutKeys(about: readonly AboutKey[]): Map<string, boolean> {
  const keys = new Map<string, boolean>();
  for (const { key, alias } of about) keys.set(key, alias && keys.get(key) !== false);
  return keys;
}

/** Returns true where the node's id is the hash of its name, so no caller chose it. */
export function isNamedById(domain: string, node: { readonly id: string; readonly name: string }): boolean {
  return node.id === conceptId(domain, node.name);
}
