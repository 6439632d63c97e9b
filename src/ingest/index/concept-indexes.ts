import type { EmbeddingModel } from '../../backends/embedding/port.js';
import {
  addConceptIndex,
  addPending,
  type ConceptIndexState,
  countPending,
  type ModelRecord,
  readConceptIndex,
  writeConceptIndex,
} from '../../backends/store/concept-index.js';
import type { Store } from '../../backends/store/scope.js';
import { SinceCommit } from '../../backends/store/since-commit.js';
import type { VectorBackend } from '../../backends/vector/port.js';
import type { Clock } from '../../core/clock.js';
import { isUnavailable, SvcError } from '../../core/errors.js';

/** The index that serves, and the model its vectors are of; null where this process has no such model. */
export interface ServingIndex {
  readonly indexName: string;
  readonly embedding: EmbeddingModel | null;
}

export interface ConceptIndexesOptions {
  readonly store: Store;
  readonly vectors: VectorBackend;
  readonly clock: Clock;
  /** The configured model; null with `SVC_EMBEDDING=none`. */
  readonly embedding: EmbeddingModel | null;
  /** The record of the configured model. */
  readonly record: ModelRecord | null;
  /** Opens a model from what was remembered; null where it cannot run here. */
  readonly open: (record: ModelRecord) => Promise<EmbeddingModel | null>;
  readonly nameOf: (model: ModelRecord | null, generation: number) => string;
  /** What the names of concept indexes, and of nothing else, start with. */
  readonly prefix: string;
}

/**
 * Knows which concept index serves, with which model. The store remembers it, so a start with another model keeps the
 * model of the index: vectors of two models never meet in one index. A swap (`svc reindex`) is seen by every process on its
 * next request.
 */
export class ConceptIndexes {
  private loaded: ServingIndex | undefined;
  private state: ConceptIndexState | undefined;
  private readonly remembered: SinceCommit<ConceptIndexState>;
  /** An index that had no vectors at the start although there was something to embed. */
  private empty: string | undefined;
  private counting: Promise<void> | undefined;
  private opening: Promise<void> | undefined;
  private readonly opened: EmbeddingModel[] = [];

  constructor(readonly options: ConceptIndexesOptions) {
    this.remembered = new SinceCommit(options.store, () => this.read(), { owner: this, name: 'state' });
  }

  /** Reads what the store remembers. `isEmpty` says whether there is nothing yet that an index could hold. */
  async start(isEmpty: () => Promise<boolean>): Promise<void> {
    const { store, record } = this.options;
    let state = await readConceptIndex(store.db);
    if (state === undefined) {
      await store.write(({ db }) => addConceptIndex(db, this.first(1, record)));
      state = await this.read();
    } else if (!sameModel(state.serving.model, record) && (await isEmpty())) {
      state = await this.startAgain();
    }
    await this.load(state);
    const { embedding, indexName } = this.serving;
    if (embedding === null) return;
    const { vectors } = this.options;
    try {
      await vectors.createIndex(indexName, { dimension: embedding.dimension, metric: 'cosine' });
    } catch (error) {
      // An engine outside the store may be down: what follows the ledger there makes the index.
      if (vectors.joinsStore || !isUnavailable(error)) throw error;
    }
    // Counting loads the vectors into memory; the start does not wait for it.
    this.counting = vectors
      .describeIndex(indexName)
      .then(async ({ count }) => {
        if (count === 0 && !(await isEmpty())) this.empty = indexName;
      })
      .catch(() => undefined);
  }

  /** Returns what serves as of the last commit before the call. */
  async current(): Promise<ServingIndex> {
    const state = await this.remembered.current();
    this.state = state;
    while (this.serving.indexName !== state.serving.index) {
      this.opening ??= this.load(state).finally(() => {
        this.opening = undefined;
      });
      await this.opening;
      if (this.state !== state) return this.current();
    }
    return this.serving;
  }

  /** Returns what serves as of the last request. */
  get serving(): ServingIndex {
    if (this.loaded === undefined) throw new SvcError('internal', 'The concept index was used before it was opened.');
    return this.loaded;
  }

  /** Returns the name of the configured model, `none` without one. */
  configured(): string {
    return this.options.record?.name ?? 'none';
  }

  /** Returns whether `named` is the configured model: its name, its kind, or the model that its server knows. */
  isConfigured(named: string): boolean {
    const { record } = this.options;
    return record === null ? named === 'none' : [record.name, record.kind, record.model].includes(named);
  }

  /** Describes why the configured model does not serve, in a sentence with the remedy; null where it serves. */
  problem(): string | null {
    const configured = this.options.record;
    const served = this.state?.serving.model ?? null;
    if (configured === null) return null;
    if (sameModel(served, configured)) {
      if (this.empty === undefined || this.empty !== this.loaded?.indexName) return null;
      const { kind } = this.options.vectors;
      return `The vector engine ${kind} had no concept vectors at the start; run \`svc migrate vec --from <the engine before>\`, or \`svc reindex\`.`;
    }
    if (served === null) {
      return `What was ingested without an embedding model has no vectors of ${named(configured)} yet; run \`svc reindex\`.`;
    }
    const meanwhile =
      this.loaded?.embedding === null
        ? `${served.name} cannot run here, so answers come from text and graph alone`
        : `queries and ingests continue with ${served.name}`;
    return `The concept index is of the model ${named(served)}, the settings ask for ${named(configured)}; the two are never mixed: ${meanwhile} until \`svc reindex\` has embedded everything again.`;
  }

  /** Returns the index that is being filled, if there is one. */
  building(): ConceptIndexState['building'] {
    return this.state?.building ?? null;
  }

  /**
   * Records changed nodes, in the write transaction that changes them, for an index that is being filled, and for the one
   * that serves where this process cannot embed for it. Returns the index to write to and its model (null: write none).
   * A swap waits until the transaction ends.
   */
  async recordChanges(
    db: Store['db'],
    ids: readonly string[],
  ): Promise<{ readonly indexName: string; readonly model: string | null }> {
    const { serving, building } = await this.read(db, 'share');
    const withoutModel =
      serving.model !== null && this.loaded?.indexName === serving.index && this.loaded.embedding === null;
    if (withoutModel) await addPending(db, serving.index, ids);
    if (building !== null) await addPending(db, building.index, ids);
    return { indexName: serving.index, model: withoutModel ? null : (serving.model?.name ?? null) };
  }

  /** Returns how many nodes lack their vector in the index that serves: the model or the engine failed, or refused. */
  async lacking(): Promise<number> {
    const { serving } = await this.read();
    return countPending(this.options.store.db, serving.index);
  }

  /** Resolves when the vectors of the index that serves at the start are in memory. */
  async counted(): Promise<void> {
    await this.counting;
  }

  /** Closes the models that it opened itself. */
  async close(): Promise<void> {
    await this.counting;
    for (const model of this.opened.splice(0)) await model.close();
  }

  /** Returns the state; throws where `start` never ran. */
  async read(db: Store['db'] = this.options.store.db, lock?: 'share' | 'update'): Promise<ConceptIndexState> {
    const state = await readConceptIndex(db, lock);
    if (state === undefined) throw new SvcError('internal', 'The store has lost the row of the concept index.');
    return state;
  }

  private first(generation: number, record: ModelRecord | null): ConceptIndexState {
    const serving = { index: this.options.nameOf(record, generation), model: record };
    return { generation, serving, building: null, retired: [] };
  }

  /** Lets the configured model serve at once, where nothing is indexed yet. */
  private startAgain(): Promise<ConceptIndexState> {
    const { store, record, clock } = this.options;
    return store.write(async ({ db }) => {
      const before = await this.read(db, 'update');
      const next = this.first(before.generation + 1, record);
      const replaced = [before.serving.index, ...(before.building === null ? [] : [before.building.index])];
      const retired = [...before.retired, ...replaced.map((index) => ({ index, at: clock() }))];
      await writeConceptIndex(db, { ...next, retired });
      return { ...next, retired };
    });
  }

  private async load(state: ConceptIndexState): Promise<void> {
    const { index, model } = state.serving;
    this.state = state;
    this.loaded = { indexName: index, embedding: model === null ? null : await this.modelOf(model) };
  }

  private async modelOf(model: ModelRecord): Promise<EmbeddingModel | null> {
    const { record, embedding, open } = this.options;
    // `none` means no vectors at all, whatever the index has.
    if (embedding === null) return null;
    if (sameModel(model, record)) return embedding;
    const known = this.opened.find(({ name, dimension }) => name === model.name && dimension === model.dimension);
    if (known !== undefined) return known;
    const opened = await open(model);
    if (opened === null) return null;
    this.opened.push(opened);
    if (sameModel(model, opened)) return opened;
    return null;
  }
}

/** Returns true for the same model twice, or none. */
export function sameModel(
  a: Pick<ModelRecord, 'name' | 'dimension'> | null,
  b: Pick<ModelRecord, 'name' | 'dimension'> | null,
): boolean {
  return a === null || b === null ? a === b : a.name === b.name && a.dimension === b.dimension;
}

function named({ name, dimension }: ModelRecord): string {
  return `${name} (${dimension} dimensions)`;
}
