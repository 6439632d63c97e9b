import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import { D, id, mentions, passage, source, templates } from '../contracts/graph/fixture.js';
import { neo4jConnection, wipe } from './neo4j.js';

const connection = neo4jConnection();
const graph = new Neo4jGraph(connection, { templates, ppr: 'local' });
let sourceId = '';

beforeAll(async () => {
  await connection.connect();
  await wipe(connection);
  await graph.connect();
  const first = source('first', {
    concepts: [{ name: 'A' }, { name: 'B' }],
    edges: [
      { source: 'A', target: 'B', relation: 'USES' },
      { source: 'A', target: 'Late', relation: 'USES' },
    ],
    rules: [{ text: 'Never A.' }],
    passages: [passage('p', { titles: ['Rome'] }), passage('q', {})],
  });
  sourceId = (await graph.ingestManifest(first)).source_id;
  await graph.setMentions(D, [{ id: 'd:q', mentions: mentions('Rome') }]);
});
afterAll(async () => {
  await graph.disconnect();
  await connection.disconnect();
});

const seeds = [{ id: id('A'), weight: 1 }];

/** Every method that reads the graph; each finds something in what was written above. */
const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  version: () => graph.version(),
  getDomain: () => graph.getDomain(D),
  listDomains: () => graph.listDomains(),
  getNode: () => graph.getNode(id('A')),
  getNodes: () => graph.getNodes([id('A')]),
  findNodes: () => graph.findNodes({ domain: D, limit: 10 }),
  getEdges: () => graph.getEdges({ source_id: id('A') }),
  getRules: () => graph.getRules(),
  listSources: () => graph.listSources({ domain: D }),
  sourceConcepts: () => graph.sourceConcepts(sourceId),
  waitingEdges: () => graph.waitingEdges(sourceId),
  sourceVersions: () => graph.sourceVersions({ limit: 10 }),
  exportSources: () => graph.exportSources([sourceId]),
  neighbourhood: () => graph.neighbourhood(id('A'), 1).then(({ nodes }) => nodes),
  lookupKeys: () => graph.lookupKeys([D], ['rome']),
  activeKeys: () => graph.activeKeys(D, ['rome']).then((keys) => [...keys]),
  passagesMentioning: () => graph.passagesMentioning(D, ['rome']),
  passageRecords: () => graph.passageRecords(['d:q']),
  sourcePassages: () => graph.sourcePassages(sourceId),
  expand: () => graph.expand(['d:q']).then(({ out }) => out),
  personalizedPagerank: () => graph.personalizedPagerank(seeds).then(({ scores }) => [...scores]),
  statistics: () => graph.statistics(),
};

/** Those that write; and what has to do with the connection, the checkpoints or a caller's own Cypher. */
const WRITES: Readonly<Record<string, () => Promise<unknown>>> = {
  createDomain: () => graph.createDomain('other'),
  deleteDomain: () => graph.deleteDomain(D),
  addNode: () => graph.addNode({ domain: D, name: 'C' }),
  addEdge: () => graph.addEdge({ domain: D, source: 'B', target: 'A', relation: 'USES' }),
  addRule: () => graph.addRule({ domain: D, text: 'Always B.' }),
  ingestManifest: () => graph.ingestManifest(source('second', {})),
  ingestManifests: () => graph.ingestManifests([source('second', {})]),
  forgetSource: () => graph.forgetSource(sourceId),
  setMentions: () => graph.setMentions(D, []),
};
const OTHERS = [
  'connect',
  'disconnect',
  'isConnected',
  'health',
  'query',
  'identity',
  'setEdgeFactors',
  'ppr',
  'constructor',
];
const COPIES = ['checkpoint', 'listCheckpoints', 'restore', 'resumeRestore', 'deleteCheckpoint', 'checkpoints'];

it('every method that reads or writes says that the graph is being restored', async () => {
  const known = [...Object.keys(READS), ...Object.keys(WRITES), ...OTHERS, ...COPIES];
  expect(Object.getOwnPropertyNames(Neo4jGraph.prototype).sort()).toEqual(known.sort());
  for (const [name, read] of Object.entries(READS)) {
    const trips = connection.roundTrips;
    const found = await read();
    expect({ name, some: Boolean(Array.isArray(found) ? found.length : found) }).toEqual({ name, some: true });
    const most = { getRules: 2, neighbourhood: 2, personalizedPagerank: 2 }[name] ?? 1;
    expect({ name, tooMany: Math.max(0, connection.roundTrips - trips - most) }).toEqual({ name, tooMany: 0 });
  }
  const mark = "MATCH (g:Graph {name: 'graph'}) SET g.restoring = 'some'";
  await graph.query(mark, {}, { access: 'write' });
  for (const [name, call] of Object.entries({ ...READS, ...WRITES })) {
    const answer = await call().catch((error: unknown) => error);
    const refusal = { code: 'unavailable', message: expect.stringMatching(/being restored/) };
    expect({ name, answer }).toMatchObject({ name, answer: refusal });
  }
  await graph.query("MATCH (g:Graph {name: 'graph'}) REMOVE g.restoring", {}, { access: 'write' });
  expect(await graph.getNode(id('C'))).toBeNull();
});
