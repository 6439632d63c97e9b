import { ruleId } from '../../core/ids.js';
import type { Manifest, Passage, SourceRef } from '../../core/model.js';
import type { AssertedConcept, AssertedEdge, AssertedRule } from './asserted.js';

/** An assertion with the version of the write that made it: of several equally sure ones the newest is visible. */
export type Dated<T> = T & { readonly version: number };

/** What one source asserts, as it was given; passages with their mentions. */
export interface SourceExport {
  readonly source_id: string;
  readonly source: SourceRef;
  readonly content_hash: string;
  readonly concepts: readonly Dated<AssertedConcept>[];
  readonly edges: readonly Dated<AssertedEdge>[];
  readonly rules: readonly Dated<AssertedRule>[];
  readonly passages: readonly Passage[];
}

/** A source and the writes that made its assertions, oldest first: one, but for sessions. */
export interface SourceVersions {
  readonly source_id: string;
  readonly domain: string;
  readonly content_hash: string;
  readonly versions: readonly number[];
}

/** What moving a graph to another kind needs: part of every graph. */
export interface GraphExport {
  /** Returns sources in id order, those after `after`. */
  sourceVersions(options: { readonly after?: string; readonly limit: number }): Promise<SourceVersions[]>;
  /** Returns what these sources assert, in the order of `ids`; unknown ones are left out. */
  exportSources(ids: readonly string[]): Promise<SourceExport[]>;
  /**
   * Returns an id that distinguishes this graph from one that was, or will be, under the same address, so that equal
   * versions mean the same graph. Graphs that lie in the store have none: they are created and deleted with it.
   */
  identity?(): Promise<string>;
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
