import { conceptId, qualifiedId, ruleId } from '../../../../core/ids.js';
import type { Manifest } from '../../../../core/model.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { endpointOf } from '../../../../ledger/manifest/endpoints.js';
import type { Dated, SourceExport, SourceVersions } from './export.js';

/** One write of one source, as it is made again. */
export interface ReplayedWrite {
  readonly source_id: string;
  readonly domain: string;
  /** 0 where the source asserts passages only. */
  readonly version: number;
  readonly first: boolean;
  readonly last: boolean;
}

/**
 * Returns the writes that made what sources assert, in the order in which they were made: made again in this order, of
 * several equally sure assertions the same one is the newest. Domains never meet, so they come one after another.
 */
export function stepsOf(sources: readonly SourceVersions[]): ReplayedWrite[] {
  const steps = sources.flatMap(({ source_id, domain, versions }) =>
    (versions.length === 0 ? [0] : versions).map((version, i, all) => {
      return { source_id, domain, version, first: i === 0, last: i === all.length - 1 };
    }),
  );
  return steps.sort(
    (a, b) => compare(a.domain, b.domain) || a.version - b.version || compare(a.source_id, b.source_id),
  );
}

/**
 * Returns the part of a source that one of its writes made, as a manifest; passages come with the first. A part that is
 * not the last carries a content hash of its own, so that a source that is half there is not taken for a whole one.
 */
export function manifestOf(
  exported: SourceExport,
  { version, first, last }: { readonly version: number; readonly first: boolean; readonly last: boolean },
): Manifest {
  const { source } = exported;
  const of = <T>(items: readonly Dated<T>[]): Dated<T>[] => items.filter((item) => item.version === version);
  return {
    domain: source.domain,
    source,
    content_hash: last ? exported.content_hash : `${exported.content_hash} until ${version}`,
    concepts: of(exported.concepts).map(({ version: _, ...concept }) => concept),
    edges: of(exported.edges).map(({ version: _, ...edge }) => edge),
    rules: of(exported.rules).map(({ version: _, id, concepts, ...rule }) => ({
      ...rule,
      ...(id === ruleId(source.domain, rule) ? {} : { name: id.slice('rule:'.length) }),
      ...(concepts === null ? {} : { concepts }),
    })),
    passages: first ? exported.passages : [],
    warnings: [],
    ...(first ? {} : { append: true }),
  };
}

/** Collects manifests for one write. Ties fall to the source id in it: what was two writes and may tie stays apart. */
export class Together {
  readonly manifests: Manifest[] = [];
  size = 0;
  private domain = '';
  private readonly asserted = new Map<string, number>();
  private readonly sources = new Set<string>();

  /** Returns false where the manifest must wait for the next write. */
  add(manifest: Manifest, step: ReplayedWrite): boolean {
    const things = thingsOf(manifest);
    if (this.manifests.length > 0) {
      if (manifest.domain !== this.domain || this.sources.has(step.source_id)) return false;
      if (things.some((thing) => (this.asserted.get(thing) ?? step.version) !== step.version)) return false;
    }
    this.domain = manifest.domain;
    this.sources.add(step.source_id);
    for (const thing of things) this.asserted.set(thing, step.version);
    this.manifests.push(manifest);
    this.size += 1 + things.length + manifest.passages.length;
    return true;
  }
}

/** Returns what a manifest asserts: ids of concepts and rules, every pair that an edge's endpoints may stand for. */
function thingsOf({ domain, concepts, edges, rules }: Manifest): string[] {
  const things = concepts.map((concept) =>
    concept.id === undefined ? conceptId(domain, concept.name) : qualifiedId(domain, concept.id),
  );
  for (const rule of rules) things.push(ruleId(domain, rule));
  for (const { source, relation, target } of edges) {
    const [from, to] = [endpointOf(domain, source), endpointOf(domain, target)];
    for (const a of [from.hashed, from.own]) for (const b of [to.hashed, to.own]) things.push(`${a}|${relation}|${b}`);
  }
  return things;
}
