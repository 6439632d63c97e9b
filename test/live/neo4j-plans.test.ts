import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import neo4j, { type Driver, type Plan } from 'neo4j-driver';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import type { Neo4jConnection, Neo4jTransaction, Params } from '../../src/backends/neo4j-connection.js';
import { D, id, mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

/** Operators that read all there is of something. */
const READS_ALL = /AllNodesScan|LabelScan|LabelsScan|RelationshipsScan|TypeScan|TypesScan|IndexScan|ContainsScan/;
/** Labels of which there are few: one node a domain, one for all. */
const FEW = /^\w+:(Domain|Graph)\b/;
/** `EXISTS` stops at the first assertion. */
const STOPS = 'RETURN EXISTS { MATCH (a:Assertion) } AS edges';

const { uri, password } = neo4jOptions() as { uri: string; password?: string };
const asked = new Map<string, Params>();
let driver: Driver;
let connection: Neo4jConnection;
let graph: Neo4jGraph;

/** Notes every statement that goes through a connection. */
function listened(to: Neo4jConnection): Neo4jConnection {
  const read = to.read.bind(to);
  const write = to.write.bind(to);
  to.read = (cypher, params, options) => {
    asked.set(cypher, params ?? {});
    return read(cypher, params, options);
  };
  to.write = (work, options) =>
    write((tx) => {
      const run: Neo4jTransaction['run'] = (cypher, params) => {
        asked.set(cypher, params ?? {});
        return tx.run(cypher, params);
      };
      return work(Object.assign(Object.create(tx) as Neo4jTransaction, { run }));
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

/** Statements that this work asked for and that read all of something, with what they read. */
async function found(work: () => Promise<unknown>): Promise<Array<[string, string[]]>> {
  asked.clear();
  await work();
  const statements = [...asked];
  expect(statements.length).toBeGreaterThan(0);
  const bad: Array<[string, string[]]> = [];
  for (const [cypher, params] of statements) {
    if (cypher === STOPS) continue;
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
  graph = new Neo4jGraph(connection, { templates, ppr: 'local' });
  await graph.connect();
  for (let i = 0; i < 5; i += 1) await graph.ingestManifest(manifest(`load ${i}`, 40 * i));
  await graph.ingestManifest(manifest('elsewhere', 0, 'other'));
  await graph.setMentions(D, [{ id: `${D}:load 1 two`, mentions: mentions('Title 0', 'NASA') }]);
});
afterAll(async () => {
  await graph.disconnect();
  await connection.disconnect();
  await driver.close();
});

const thing = id('Thing 3');

describe('statements of the Neo4j graph go through an index:', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['nodes by id', () => graph.getNodes([thing, `${D}:load 1 two`])],
    ['a page of nodes', () => graph.findNodes({ limit: 10, after: thing })],
    ['a page of concepts', () => graph.findNodes({ kind: 'concept', limit: 10, after: thing })],
    ['a page of passages of a domain', () => graph.findNodes({ domain: D, kind: 'passage', limit: 10 })],
    ['nodes by name', () => graph.findNodes({ domain: D, pattern: 'thing 1*', limit: 10 })],
    ['all rules', () => graph.getRules()],
    ['some rules', () => graph.getRules({ limit: 3, min_confidence: 0.5 })],
    ['rules of a domain', () => graph.getRules({ domains: [D], limit: 3 })],
    ['rules at concepts', () => graph.getRules({ domains: [D], concept_ids: [thing] })],
    ['rules by id', () => graph.getRules({ ids: ['rule:rule 0', `derived:${thing}->${thing}:requires:imperative`] })],
    ['edges of a domain', () => graph.getEdges({ domain: D })],
    ['edges from a node', () => graph.getEdges({ source_id: thing })],
    ['edges to a node', () => graph.getEdges({ target_id: thing })],
    ['edges among nodes', () => graph.getEdges({ among: [thing, id('Thing 4')] })],
    ['a neighbourhood', () => graph.neighbourhood(thing, 2)],
    ['an expansion', () => graph.expand([thing, `${D}:load 1 two`], { domains: [D] })],
    ['an expansion of all domains', () => graph.expand([`${D}:load 1 two`])],
    ['PageRank', () => graph.personalizedPagerank([{ id: thing, weight: 1 }], { domains: [D] })],
    ['keys', () => graph.lookupKeys([D], ['title 40', 'title 0'])],
    ['keys of all domains', () => graph.lookupKeys(undefined, ['title 40'])],
    ['active keys', () => graph.activeKeys(D, ['title 40', 'title 0'])],
    ['passages that mention', () => graph.passagesMentioning(D, ['nasa'])],
    ['passages', () => graph.passageRecords([`${D}:load 1 two`])],
    ['one source', async () => graph.sourcePassages((await graph.listSources({ domain: D, limit: 1 }))[0]!.source_id)],
    ['a page of sources', () => graph.listSources({ limit: 2, after: 'a' })],
    ['sources of a domain', () => graph.listSources({ domain: D })],
    ['a page of versions', () => graph.sourceVersions({ limit: 2 })],
    ['statistics', () => graph.statistics([D])],
    [
      'an export',
      async () => graph.exportSources((await graph.sourceVersions({ limit: 2 })).map((one) => one.source_id)),
    ],
    ['an ingest', () => graph.ingestManifest(manifest('late', 190))],
    ['an ingest again', () => graph.ingestManifest({ ...manifest('late', 170), content_hash: 'other' })],
    ['mentions', () => graph.setMentions(D, [{ id: `${D}:load 2 two`, mentions: mentions('Title 0', 'ESA') }])],
    [
      'forgetting',
      async () => {
        const [late] = (await graph.listSources({ domain: D })).filter((one) => one.key === 'late');
        return graph.forgetSource(late!.source_id);
      },
    ],
    ['deleting a domain', () => graph.deleteDomain('other')],
  ])('%s', async (_, work) => {
    expect(await found(work)).toEqual([]);
  });
});

it('a statement that reads all is noticed', async () => {
  expect(await wholeReads('MATCH (n:Passage) WHERE n.id > $after RETURN n', { after: '' })).toHaveLength(1);
  expect(await wholeReads('MATCH (a:Node)-[r:REQUIRES]->(b:Node) RETURN r', {})).toHaveLength(1);
});
