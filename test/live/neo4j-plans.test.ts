import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import neo4j, { type Driver, type Plan } from 'neo4j-driver';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import type { Neo4jConnection, Neo4jTransaction, Params } from '../../src/backends/neo4j-connection.js';
import { systemClock } from '../../src/core/clock.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { D, id, mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

/** Operators that read all there is of something. */
const READS_ALL = /AllNodesScan|LabelScan|LabelsScan|RelationshipsScan|TypeScan|TypesScan|IndexScan|ContainsScan/;
/** Labels of which there are few: one node a domain, one an engine; `Graph` was that of an older release. */
const FEW = /^\w+:(Domain|Cursor|Graph)\b/;
/** Removing a domain reads all keys and rules: it is rare. */
const RARE = /MATCH \((k:Key|r:Rule) \{domain_ref: \$ref\}\)/;
/** The nodes of a small graph are read up to a limit. */
const LIMITED = /MATCH \(n:Node\) RETURN n.ref AS ref LIMIT/;

const { uri, password } = neo4jOptions() as { uri: string; password?: string };
const statementsRun = new Map<string, Params>();
let driver: Driver;
let connection: Neo4jConnection;
let graph: Neo4jBackend;

/** Notes every statement that goes through a connection. */
function listened(to: Neo4jConnection): Neo4jConnection {
  const read = to.read.bind(to);
  const transact = to.transact.bind(to);
  to.read = (cypher, params, options) => {
    statementsRun.set(cypher, params ?? {});
    return read(cypher, params, options);
  };
  to.transact = (work, options) =>
    transact((tx) => {
      const run: Neo4jTransaction['run'] = (cypher, params) => {
        statementsRun.set(cypher, params ?? {});
        return tx.run(cypher, params);
      };
      const send: Neo4jTransaction['send'] = (cypher, params) => {
        statementsRun.set(cypher, params ?? {});
        tx.send(cypher, params);
      };
      return work({ run, send });
    }, options);
  return to;
}

/** What the server would read all of for a statement, as `operator details`. */
async function wholeReads(cypher: string, params: Params): Promise<string[]> {
  const session = driver.session();
  try {
    const { summary } = await session.run(`EXPLAIN ${cypher}`, params);
    expect(summary.plan).not.toBe(false);
    const operators = (plan: Plan): Plan[] => [plan, ...plan.children.flatMap(operators)];
    return operators(summary.plan as Plan)
      .filter(({ operatorType }) => READS_ALL.test(operatorType))
      .map(({ operatorType, arguments: all }) => ({ operatorType, details: String(all.Details ?? '') }))
      .filter(({ details }) => !FEW.test(details))
      .map(({ operatorType, details }) => `${operatorType} ${details}`);
  } finally {
    await session.close();
  }
}

/** Statements of this work that read all of something, with what they read. */
async function found(work: () => Promise<unknown>): Promise<Array<[string, string[]]>> {
  statementsRun.clear();
  await work();
  const statements = [...statementsRun];
  expect(statements.length).toBeGreaterThan(0);
  const bad: Array<[string, string[]]> = [];
  for (const [cypher, params] of statements) {
    if (RARE.test(cypher) || LIMITED.test(cypher) || cypher.startsWith('CALL gds') || cypher.startsWith('RETURN gds'))
      continue;
    const reads = await wholeReads(cypher, params);
    if (reads.length > 0) bad.push([cypher, reads]);
  }
  return bad;
}

const manifest = (key: string, from: number, domain = D) => {
  const names = Array.from({ length: 40 }, (_, i) => `Thing ${from + i}`);
  return source(key, {
    domain,
    concepts: names.map((name) => ({ name, description: `about ${name}` })),
    edges: names.slice(1).map((name, i) => ({ source: names[i]!, target: name, relation: 'REQUIRES' })),
    rules: [{ text: `Thing ${from} must hold.`, name: `rule ${from}` }],
    passages: domain === D ? [passage(`${key} one`, { titles: [`Title ${from}`] }), passage(`${key} two`, {})] : [],
  });
};

beforeAll(async () => {
  driver = neo4j.driver(uri, password === undefined ? undefined : neo4j.auth.basic('neo4j', password));
  connection = listened(neo4jConnection());
  await connection.connect();
  await wipe(connection);
  graph = new Neo4jBackend({ connection, templates });
  await graph.connect();
  for (let i = 0; i < 5; i += 1) await graph.ingestManifest(manifest(`load ${i}`, 40 * i));
  await graph.ingestManifest(manifest('elsewhere', 0, 'other'));
  await graph.setMentions(D, [{ id: `${D}:load 1 two`, mentions: mentions('Title 0', 'NASA') }]);
  await graph.neighbourhood(thing, 1);
  // Samples of the indexes are of what another test had here; plans follow them.
  const session = driver.session();
  await session.run('CALL db.prepareForReplanning(60)');
  await session.close();
});
afterAll(async () => {
  await graph.disconnect();
  await connection.disconnect();
  await driver.close();
});

const thing = id('Thing 3');

/** A write, and what brings Neo4j in line with it. */
async function followed(write: () => Promise<unknown>): Promise<void> {
  await write();
  await graph.neighbourhood(thing, 1);
}

async function resynced(): Promise<void> {
  const runner = new FollowerRunner(graph.engine.follower!, graph.store, systemClock);
  const { seen, written } = await runner.resync();
  expect([seen > 200, written]).toEqual([true, 0]);
}

describe('statements of the Neo4j graph go through an index:', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a neighbourhood', () => graph.neighbourhood(thing, 2)],
    ['an expansion', () => graph.expand([thing, `${D}:load 1 two`], { domains: [D] })],
    ['an expansion with what arrives', () => graph.expand([thing], { domains: [D], incoming: true })],
    ['an expansion of all domains', () => graph.expand([`${D}:load 1 two`])],
    ['PageRank', () => graph.personalizedPagerank([{ id: thing, weight: 1 }], { domains: [D] })],
    ['exact PageRank', () => graph.personalizedPagerank([{ id: thing, weight: 1 }], { epsilon: 0 })],
    ['an ingest', () => followed(() => graph.ingestManifest(manifest('late', 190)))],
    [
      'an ingest again',
      () => followed(() => graph.ingestManifest({ ...manifest('late', 170), content_hash: 'other' })),
    ],
    [
      'mentions',
      () => followed(() => graph.setMentions(D, [{ id: `${D}:load 2 two`, mentions: mentions('Title 0', 'ESA') }])),
    ],
    [
      'forgetting',
      async () => {
        const [late] = (await graph.listSources({ domain: D })).filter((one) => one.key === 'late');
        await followed(() => graph.forgetSource(late!.source_id));
      },
    ],
    ['a resync', () => resynced()],
    ['deleting a domain', () => followed(() => graph.deleteDomain('other'))],
  ])('%s', async (_, work) => {
    expect(await found(work)).toEqual([]);
  });
});

it('a statement that reads all is noticed', async () => {
  expect(await wholeReads('MATCH (n:Passage) WHERE n.id > $after RETURN n', { after: '' })).toHaveLength(1);
  expect(await wholeReads('MATCH (a:Node)-[r:REQUIRES]->(b:Node) RETURN r', {})).toHaveLength(1);
});
