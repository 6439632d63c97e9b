import { SvcError } from '../../../../core/errors.js';
import type { Ledger } from '../../../../ledger/ledger.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import { exportLegacy, findLegacy, legacyDomains, legacyVersions } from './export.js';
import { manifestOf, stepsOf, Together } from './replay.js';

/** Sources read at a time, and things written at a time. */
const READ = 100;
const SIZE = 5000;

/** Labels of release 0.1; `Graph` goes last, so that an interrupted removal resumes. */
const LABELS = ['Assertion', 'Word', 'Staged', 'StagedSource', 'Rule', 'Key', 'Source', 'Node', 'Domain'];
const SCHEMA = [
  ...['graph', 'domain', 'source', 'node', 'key', 'rule', 'word', 'staged', 'staged_source'].map(
    (name) => `DROP CONSTRAINT svc_${name} IF EXISTS`,
  ),
  ...[
    'node_domain',
    'node_short',
    'concept_key',
    'source_domain',
    'assertion_edge',
    'assertion_source',
    'waiting_from',
    'waiting_to',
  ].map((name) => `DROP INDEX svc_${name} IF EXISTS`),
];

/**
 * Brings a graph of release 0.1, which kept what sources assert in Neo4j, into the ledger: each write is made again, in
 * the order in which it was made, so that the same of several assertions is visible. Then the old shape is removed and
 * the engine is filled from the ledger like any new one. After a crash it resumes where it was: the database that
 * they come from keeps how many writes were made again. Returns whether there was such a graph.
 */
export async function bringForward(
  connection: Neo4jConnection,
  ledger: Ledger,
  log: (message: string) => void = () => undefined,
): Promise<boolean> {
  const legacy = await findLegacy(connection);
  if (legacy === null) return false;
  if (legacy.restoring !== null) {
    throw new SvcError(
      'unavailable',
      'Release 0.1 was stopped while it restored a checkpoint into Neo4j; start that release once so that it ends the restore, then this one.',
    );
  }
  if (legacy.sources > 0) {
    log(`The Neo4j database is of release 0.1: its ${legacy.sources} sources are brought into the ledger.`);
    for (const { name, description } of await legacyDomains(connection)) await ledger.createDomain(name, description);
    await replay(connection, ledger, legacy.brought);
  }
  await removeLegacy(connection);
  return true;
}

async function replay(connection: Neo4jConnection, ledger: Ledger, brought: number): Promise<void> {
  const steps = stepsOf(await legacyVersions(connection));
  let together = new Together();
  const write = async (done: number): Promise<void> => {
    if (together.manifests.length > 0) await ledger.ingestManifests(together.manifests);
    together = new Together();
    await connection.schema("MATCH (g:Graph {name: 'graph'}) SET g.brought = $done", { done: int(done) });
  };
  for (let at = brought; at < steps.length; at += READ) {
    const part = steps.slice(at, at + READ);
    const exported = await exportLegacy(connection, [...new Set(part.map((step) => step.source_id))]);
    const byId = new Map(exported.map((one) => [one.source_id, one]));
    for (const [i, step] of part.entries()) {
      const found = byId.get(step.source_id);
      if (found === undefined) continue;
      const manifest = manifestOf(found, step);
      if (!together.add(manifest, step)) {
        await write(at + i);
        together.add(manifest, step);
      }
      if (together.size >= SIZE) await write(at + i + 1);
    }
  }
  await write(steps.length);
}

/** Removes everything of the old shape. The full-text index has labels of its own and stays. */
async function removeLegacy(connection: Neo4jConnection): Promise<void> {
  for (const statement of SCHEMA) await connection.schema(statement);
  for (const label of LABELS) {
    await connection.schema(`MATCH (n:${label}) MATCH (n)-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS`);
    await connection.schema(`MATCH (n:${label}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS`);
  }
  await connection.schema("MATCH (g:Graph {name: 'graph'}) DETACH DELETE g");
}
