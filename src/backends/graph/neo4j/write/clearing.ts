import { randomUUID } from 'node:crypto';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import { hold, stateOf } from '../stage/stage-state.js';

/** Nodes that one transaction removes. */
const CLEARED = 2000;

/** Of a domain that goes: whatever joins two of its nodes goes with the nodes, so that no other has many relationships. */
const going = (pattern: string): string =>
  `MATCH (d:Going) MATCH ${pattern} WITH x LIMIT $most DETACH DELETE x RETURN count(*) AS gone`;

/** What clearing removes, in this order; each answers how many nodes it removed. */
const CLEAR = [
  'MATCH (s:StagedSource) MATCH (a:Assertion {source_id: s.id}) WITH a LIMIT $most DELETE a RETURN count(*) AS gone',
  'MATCH (n:Staged) WITH n LIMIT $most DETACH DELETE n RETURN count(*) AS gone',
  'MATCH (s:StagedSource) WITH s LIMIT $most DETACH DELETE s RETURN count(*) AS gone',
  going('(s:Source {domain: d.name}) MATCH (x:Assertion {source_id: s.id})'),
  going('(x:Node {domain: d.name})'),
  going('(x:Key {domain: d.name}) WHERE x.key IS NOT NULL'),
  going('(x:Word {domain: d.name}) WHERE x.word IS NOT NULL'),
  going('(x:Rule {domain: d.name}) WHERE x.id IS NOT NULL'),
  going('(x:Source {domain: d.name})'),
];

/** A token for `Graph.staging` that says that what is there is being removed. */
export function newClearing(): string {
  return `clearing ${randomUUID()}`;
}

/**
 * Removes what was staged and not made seen; `token` where only that stage is meant. The first transaction takes the
 * stage from its owner, who may live and only be slow: from then on its batches and its last transaction are refused.
 * Whoever clears is refused in the same way if another takes over.
 */
export async function clearStage(connection: Neo4jConnection, token?: string): Promise<void> {
  const clearing = newClearing();
  const taken = await connection.write(async (tx) => {
    const now = await stateOf(tx);
    // Said again after a lost answer.
    if (now.staging === clearing) return true;
    if (now.staging === null || (token === undefined ? !now.expired : now.staging !== token)) return false;
    await hold(tx, { staging: clearing });
    return true;
  });
  if (taken) await clearAll(connection, clearing);
}

/** Removes what is to be cleared, in steps, and lets other writers in; stops where another clearing took over. */
export async function clearAll(connection: Neo4jConnection, clearing: string): Promise<void> {
  for (const statement of CLEAR) while (await clearedSome(connection, clearing, statement));
  await connection.write(async (tx) => {
    if ((await stateOf(tx)).staging !== clearing) return;
    // A new version once a domain is gone: whatever was made of the graph meanwhile may have a rest of it.
    await tx.run(
      `MATCH (g:Graph {name: 'graph'}) SET g.version = g.version + CASE WHEN EXISTS { (:Going) } THEN 1 ELSE 0 END
       REMOVE g.staging, g.staged, g.staging_until`,
    );
    await tx.run('MATCH (d:Going) DELETE d');
  });
}

/** False once nothing is left, or once the stage is no longer this clearing's. */
function clearedSome(connection: Neo4jConnection, clearing: string, statement: string): Promise<boolean> {
  return connection.write(async (tx) => {
    if ((await stateOf(tx)).staging !== clearing) return false;
    const [row] = await tx.run<{ gone: number }>(statement, { most: int(CLEARED) });
    await hold(tx, { staging: clearing });
    return (row?.gone ?? 0) > 0;
  });
}
