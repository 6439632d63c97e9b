import { randomUUID } from 'node:crypto';
import { SvcError, toSvcError } from '../../core/errors.js';
import type { JsonObject } from '../../core/model.js';
import { checkedTexts, checkedVector, checkId, indexNotFound } from './check-vector.js';
import { parseFilter, passesAll } from './filter.js';
import type { Metric, VectorBackend, VectorEntry, VectorSelector } from './port.js';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_METADATA_BYTES = 64 * 1024;

export interface UpsertInput {
  readonly vectors: ReadonlyArray<readonly number[]>;
  readonly metadata?: readonly JsonObject[];
  readonly ids?: readonly string[];
  readonly documents?: readonly string[];
}

export interface NamedHit {
  readonly id: string;
  readonly score: number;
  readonly metadata: JsonObject;
  readonly document?: string;
  readonly vector?: number[];
}

export interface NamedIndex {
  readonly name: string;
  readonly dimension: number;
  readonly metric: Metric;
  readonly count: number;
}

/** Either some entries by id or those that pass a filter. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly filter?: unknown;
}

/**
 * The vector tools: raw indexes by name beside the service's own ones, which carry the reserved prefix and cannot be
 * seen or touched from here. Bad input is refused before anything is written.
 */
export class NamedIndexes {
  constructor(
    private readonly vectors: VectorBackend,
    /** Names that start with it belong to the service, such as `svc_`. */
    private readonly reservedPrefix: string,
  ) {}

  async create(name: string, dimension: number, metric?: Metric): Promise<'created' | 'exists'> {
    this.checkNewName(name);
    const status = await this.vectors.createIndex(name, { dimension, ...(metric === undefined ? {} : { metric }) });
    if (status === 'exists' && metric !== undefined) await this.requireMetric(name, metric);
    return status;
  }

  private async requireMetric(name: string, metric: Metric): Promise<void> {
    const { metric: existing } = await this.vectors.describeIndex(name);
    if (existing === metric) return;
    throw new SvcError(
      'conflict',
      `The index ${name} exists with the metric ${existing}, not ${metric}; choose another name, or delete it first.`,
      { expected: existing, got: metric },
    );
  }

  async list(): Promise<NamedIndex[]> {
    return (await this.vectors.listIndexes()).filter((index) => !this.isReserved(index.name));
  }

  async describe(name: string): Promise<NamedIndex> {
    return this.vectors.describeIndex(this.visible(name));
  }

  /** Throws `index_not_found` when there is none. */
  async drop(name: string): Promise<void> {
    if (await this.vectors.deleteIndex(this.visible(name))) return;
    throw indexNotFound(name, 'list the indexes to see which there are');
  }

  /** Returns the ids, in the order of the vectors; makes a cosine index of that dimension when there is none. */
  async upsert(name: string, input: UpsertInput): Promise<string[]> {
    this.checkNewName(name);
    const entries = entriesOf(input);
    const dimension = entries[0]?.vector.length;
    if (dimension === undefined) return [];
    try {
      await this.vectors.upsert(name, entries);
    } catch (error) {
      if (toSvcError(error).code !== 'index_not_found') throw error;
      // First what could be refused: an index that exists only because of a refused upsert would be something written.
      checkEntries(entries, dimension);
      await this.vectors.createIndex(name, { dimension });
      await this.vectors.upsert(name, entries);
    }
    return entries.map((entry) => entry.id);
  }

  async query(
    name: string,
    query: { vector: readonly number[]; topK: number; filter?: unknown; includeVector?: boolean },
  ): Promise<NamedHit[]> {
    return this.vectors.query(this.visible(name), {
      vector: query.vector,
      topK: query.topK,
      includeVector: query.includeVector === true,
      ...(query.filter === undefined ? {} : { filter: parseFilter(query.filter) }),
    });
  }

  /** Returns how many entries changed. */
  async update(
    name: string,
    selection: Selection,
    change: { vector?: readonly number[]; metadata?: JsonObject },
  ): Promise<number> {
    if (change.vector === undefined && change.metadata === undefined) {
      throw invalid('Give vector, metadata or both: there is nothing to change.', 'vector');
    }
    if (change.metadata !== undefined) checkMetadata(change.metadata, 0);
    return this.vectors.update(this.visible(name), selectorOf(selection, 'id'), change);
  }

  /** Returns how many entries were deleted; in a dry run how many would be. */
  async delete(
    name: string,
    selection: Selection,
    { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
  ): Promise<number> {
    return this.vectors[dryRun ? 'count' : 'delete'](this.visible(name), selectorOf(selection, 'ids'));
  }

  private isReserved(name: string): boolean {
    return name.startsWith(this.reservedPrefix);
  }

  private visible(name: string): string {
    if (!NAME.test(name) || this.isReserved(name)) throw indexNotFound(name);
    return name;
  }

  private checkNewName(name: string): void {
    if (!NAME.test(name)) {
      throw invalid('index_name must be 1 to 64 of a-z, A-Z, 0-9, underscores or hyphens.', 'index_name');
    }
    if (this.isReserved(name)) {
      throw invalid(
        `Names that start with ${this.reservedPrefix} are reserved; choose another index_name.`,
        'index_name',
      );
    }
  }
}

function entriesOf(input: UpsertInput): VectorEntry[] {
  const { vectors, metadata, ids, documents } = input;
  for (const [member, list] of Object.entries({ metadata, ids, documents })) {
    if (list !== undefined && list.length !== vectors.length) {
      throw invalid(`${member} has ${list.length} elements for ${vectors.length} vectors; give one for each.`, member);
    }
  }
  metadata?.forEach(checkMetadata);
  return vectors.map((vector, i) => ({
    id: ids?.[i] ?? randomUUID(),
    vector,
    metadata: metadata?.[i] ?? {},
    ...(documents?.[i] === undefined ? {} : { document: documents[i] }),
  }));
}

/** Throws `invalid_input` for everything that an engine would refuse. */
function checkEntries(entries: readonly VectorEntry[], dimension: number): void {
  for (const entry of entries) {
    const { length } = entry.vector;
    if (length !== dimension) {
      throw invalid(`vectors have different dimensions (${dimension} and ${length}); an index has one.`, 'vectors');
    }
    checkId(entry.id);
    checkedTexts(entry);
    checkedVector(entry.vector, dimension, 'vectors');
  }
}

function checkMetadata(metadata: JsonObject, at: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= MAX_METADATA_BYTES) return;
  throw new SvcError('too_large', `metadata.${at} has ${bytes} bytes; the limit is ${MAX_METADATA_BYTES}.`, {
    member: 'metadata',
    limit: MAX_METADATA_BYTES,
  });
}

function selectorOf(selection: Selection, member: 'id' | 'ids'): VectorSelector {
  const { ids, filter } = selection;
  if ((ids === undefined) === (filter === undefined))
    throw invalid(`Give exactly one of ${member} and filter.`, member);
  if (ids !== undefined) return { ids };
  const parsed = parseFilter(filter);
  if (passesAll(parsed)) throw invalid('filter is empty and would mean every entry; name a member.', 'filter');
  return { filter: parsed };
}

function invalid(message: string, member: string): SvcError {
  return new SvcError('invalid_input', message, { member });
}
