import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { type Examination, NAMED } from '../ingest/repair/examine.js';
import type { Check } from './check.js';
import { type Cli, type CommonOptions, UsageError } from './cli.js';
import { ADVICE, ledgerCheck } from './compare-engines.js';

/**
 * Compares what lies outside a SQLite file, or belongs to a service that runs, with the ledger: the service on the directory
 * does it, else this process. Empty where `examined` has all there is.
 */
export async function examineService(cli: Cli, options: CommonOptions, examined: readonly Check[]): Promise<Check[]> {
  const config = configOf(cli, options);
  if (config === undefined || !needsService(config, examined)) return [];
  const call = { command: 'doctor', operation: 'examine', input: {}, options };
  try {
    // An older service knows no limits.
    const { counts, parts, limits = [] } = await cli.answerOf<Examination>(call);
    const known = new Set(examined.map(({ name }) => name));
    return [ledgerCheck(counts), ...parts.map(partCheck), ...limits.map(limitCheck)].filter(
      ({ name }) => !known.has(name),
    );
  } catch (error) {
    return [{ name: 'engines', state: 'failed', found: error instanceof Error ? error.message : 'cannot be opened' }];
  }
}

/** A wrong setting is a check of its own. */
function configOf(cli: Cli, options: CommonOptions): Config | undefined {
  try {
    return cli.config(options);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function needsService({ store, graph, vectors, text, data }: Config, examined: readonly Check[]): boolean {
  if (store.kind === 'postgres') return true;
  if (!existsSync(join(data.dir, 'svc.sqlite'))) return false;
  // Nothing was found about the file: a service uses it.
  if (!examined.some(({ name }) => name === 'store')) return true;
  if (examined.some(({ name, state }) => name === 'store' && state === 'failed')) return false;
  return graph.kind === 'neo4j' || text.kind === 'neo4j' || (vectors.kind !== 'hnsw' && vectors.kind !== 'memory');
}

/** Queries answer, and take longer. */
function limitCheck(found: string): Check {
  return { name: 'vector graph', state: 'warning', found };
}

function partCheck({ part, records, missing, different, stale, error }: Examination['parts'][number]): Check {
  if (part.startsWith(NAMED))
    return { name: part, state: 'warning', found: `${different} cannot be read; upsert them again` };
  if (error !== null) return { name: part, state: 'failed', found: `cannot be compared: ${error}` };
  if (missing + different + stale === 0)
    return { name: part, state: 'ok', found: `holds the ledger's ${records} records` };
  const problem = `${missing} of ${records} records are missing, ${different} differ, ${stale} are of no record; ${ADVICE}`;
  return { name: part, state: 'warning', found: problem };
}
