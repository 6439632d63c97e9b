import { type Clock, isoTime } from '../../../../core/clock.js';
import { SvcError } from '../../../../core/errors.js';
import type { Manifest } from '../../../../core/model.js';
import {
  batchesOf,
  deltasOf,
  forgottenDelta,
  type Load,
  loadsOf,
  NOTHING,
  newsOf,
} from '../../../../ledger/manifest/loads.js';
import type { SourceChange } from '../../../../ledger/manifest/source-change.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';
import type { ForgetOptions, GraphDelta, Mentions } from '../../port.js';
import { sourceCounts, waitingFor } from '../read/read-sources.js';
import { afterStages, Stage } from '../stage/stage.js';
import { stageLoad } from '../stage/stage-load.js';
import { addsNothing, applyMentions, applySources, removeSources } from './apply.js';
import { clearAll } from './clearing.js';
import { deleteDomain } from './delete-domain.js';
import { inWrite, type Writer, type WriteState } from './writer.js';

/** Elements of a load that go in in one transaction. */
const AT_ONCE = 50_000;

/** The writing methods: each in one managed transaction, one writer at a time. */
export class GraphWriter {
  private readonly clock: Clock;
  private readonly atOnce: number;

  constructor(
    private readonly connection: Neo4jConnection,
    { clock, atOnce }: { readonly clock: Clock; readonly atOnce: number | undefined },
  ) {
    this.clock = clock;
    this.atOnce = atOnce ?? AT_ONCE;
  }

  /** Several sources of one domain go in together; a source that comes twice goes in twice, in order. */
  async ingest(manifests: readonly Manifest[]): Promise<GraphDelta[]> {
    const loads = loadsOf(manifests);
    const [only] = loads;
    if (only !== undefined && loads.length === 1 && elementsOf(only) > this.atOnce && (await this.isNew(only))) {
      return [await afterStages(this.connection, () => this.ingestStaged(only))];
    }
    return inWrite(this.connection, async (state) => {
      const deltas: GraphDelta[] = [];
      for (const batch of batchesOf(loads)) deltas.push(...(await this.ingestTogether(state, batch)));
      return deltas;
    });
  }

  async forget(id: string, options: ForgetOptions): Promise<GraphDelta | null> {
    return inWrite(this.connection, async (state) => {
      const [source] = await state.each<{ domain: string }>(
        'UNWIND $rows AS id MATCH (s:Source {id: id}) RETURN s.domain AS domain',
        [id],
      );
      if (source === undefined) return null;
      const w: Writer = { state, domain: source.domain };
      const changes: SourceChange[] = [{ id, existed: true, append: false, next: null }];
      const effects = await applySources(w, changes, options.rematched);
      await removeSources(w, changes);
      return forgottenDelta(id, effects);
    });
  }

  async setMentions(domain: string, passages: Mentions): Promise<void> {
    await inWrite(this.connection, (state) => applyMentions({ state, domain }, passages));
  }

  async createDomain(name: string, description?: string): Promise<void> {
    await inWrite(this.connection, async (state) => {
      await ensureDomain(state, name);
      if (description === undefined) return;
      const changed = await state.tx.run(
        'MATCH (d:Domain {name: $name}) WHERE d.description <> $description SET d.description = $description RETURN 1',
        { name, description },
      );
      if (changed.length > 0) state.touched = true;
    });
  }

  async deleteDomain(name: string): Promise<string[]> {
    const { ids, clearing } = await inWrite(this.connection, async (state) => {
      const found = await state.tx.run('MATCH (d:Domain {name: $name}) RETURN 1', { name });
      if (found.length === 0) throw new SvcError('domain_not_found', `Domain ${name} does not exist.`);
      return { ids: await deleteDomain({ state, domain: name }, this.atOnce), clearing: state.clearing };
    });
    if (clearing !== null) await clearAll(this.connection, clearing);
    return ids;
  }

  private async isNew({ id, manifest }: Load): Promise<boolean> {
    if (manifest.append === true) return false;
    const found = await this.connection.read('MATCH (s:Source {id: $id}) RETURN 1', { id });
    return found.length === 0;
  }

  /** More than one transaction holds: written in batches where nobody looks, and made seen by the last one. */
  private async ingestStaged(load: Load): Promise<GraphDelta> {
    const { manifest, asserted, id } = load;
    const stage = await Stage.open(this.connection);
    try {
      // Whoever staged before us may have loaded this very source.
      if (!(await this.isNew(load))) {
        await stage.discard();
        return (await inWrite(this.connection, (state) => this.ingestTogether(state, [load])))[0]!;
      }
      const [graph] = await this.connection.read<{ version: number }>(
        "MATCH (g:Graph {name: 'graph'}) RETURN g.version AS version",
      );
      const version = (graph?.version ?? 0) + 1;
      const staged = await stageLoad(stage, { domain: manifest.domain, source: id, asserted, version });
      const rest = { manifest, asserted: staged.rest, id };
      const write = async (state: WriteState): Promise<GraphDelta> => (await this.ingestTogether(state, [rest]))[0]!;
      return await inWrite(this.connection, write, staged);
    } catch (error) {
      await stage.discard().catch(() => undefined);
      throw error;
    } finally {
      stage.close();
    }
  }

  private async ingestTogether(state: WriteState, loads: readonly Load[]): Promise<GraphDelta[]> {
    const { domain } = loads[0]!.manifest;
    await ensureDomain(state, domain);
    const w: Writer = { state, domain };
    const { changes, unchanged, rematched } = newsOf(loads, await this.changesOf(w, loads));
    const effects = changes.length === 0 ? NOTHING : await applySources(w, changes, rematched);
    const ids = loads.map((load) => load.id);
    const counts = await sourceCounts(state, ids);
    const waiting = await waitingFor(state, ids);
    const standing = ({ id }: Load) => ({ ...counts.get(id)!, warnings: waiting.get(id) ?? [] });
    return deltasOf(loads, { unchanged, effects, standing });
  }

  /** What each source is to assert from now on; null where it does already. */
  private async changesOf(w: Writer, loads: readonly Load[]): Promise<Array<SourceChange | null>> {
    const known = new Map(
      (
        await w.state.each<{ id: string; hash: string }>(
          'UNWIND $rows AS id MATCH (s:Source {id: id}) RETURN id, s.content_hash AS hash',
          loads.map((load) => load.id),
        )
      ).map(({ id, hash }) => [id, hash]),
    );
    const changes: Array<SourceChange | null> = [];
    const saved: Load[] = [];
    for (const load of loads) {
      const { id, manifest, asserted } = load;
      const append = manifest.append === true;
      const change = { id, existed: known.has(id), append, next: asserted };
      const same = append ? change.existed && (await addsNothing(w, change)) : known.get(id) === manifest.content_hash;
      changes.push(same ? null : change);
      if (!same) saved.push(load);
    }
    const updated_at = isoTime(this.clock());
    if (w.state.staged !== null) {
      await w.state.each(
        'UNWIND $rows AS id MATCH (s:StagedSource {id: id}) SET s:Source REMOVE s:StagedSource',
        saved.map((load) => load.id),
      );
    }
    await w.state.each(
      'UNWIND $rows AS row MERGE (s:Source {id: row.id}) SET s += row.fields',
      saved.map(({ id, manifest: { source, content_hash } }) => {
        return { id, fields: { ...source, content_hash, updated_at } };
      }),
    );
    return changes;
  }
}

/** Makes a domain that is missing. */
async function ensureDomain(state: WriteState, name: string): Promise<void> {
  const made = await state.tx.run(
    `OPTIONAL MATCH (d:Domain {name: $name}) WITH d WHERE d IS NULL
     CREATE (:Domain {name: $name, description: '', concepts: 0, edges: 0, rules: 0, passages: 0}) RETURN 1`,
    { name },
  );
  if (made.length > 0) state.touched = true;
}

function elementsOf({ asserted }: Load): number {
  // An edge is a relationship and an assertion.
  return asserted.concepts.size + 2 * asserted.edges.size;
}
