import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Neo4jGraph } from '../../src/backends/graph/neo4j.js';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { D, error, source, templates } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { seen } from '../contracts/graph/worlds.js';
import { neo4jOptions, wipe } from './neo4j.js';
import { type BreakingProxy, COMMIT, proxyTo } from './proxy.js';

const direct = new Neo4jConnection(neo4jOptions());
let proxy: BreakingProxy;
beforeAll(() => direct.connect());
afterAll(() => direct.disconnect());
beforeEach(async () => {
  await wipe(direct);
  proxy = await proxyTo(neo4jOptions().uri);
  return () => proxy.stop();
});

const through = (scheme = 'bolt') => new Neo4jConnection({ ...neo4jOptions(), uri: `${scheme}://${proxy.place}` });
const manifest = source('one', {
  concepts: [{ name: 'A' }, { name: 'B' }],
  edges: [{ source: 'A', target: 'B', relation: 'USES' }],
});

describe('a connection that breaks at a commit', () => {
  it.each(['before', 'answered'] as const)('(%s) leaves an ingest there exactly once', async (when) => {
    const graph = new Neo4jGraph(through(), { templates, ppr: 'local' });
    await graph.connect();
    proxy.cut(COMMIT, when);
    // A second run that did not know of the first would say `unchanged`.
    expect(await graph.ingestManifest(manifest)).toMatchObject({ unchanged: false });
    expect(proxy.cuts).toBe(1);
    const [state] = await direct.query('MATCH (g:Graph) RETURN g.version AS version, size(g.writes) AS writes');
    expect(state).toEqual({ version: 1, writes: 1 });
    const reference = new ReferenceGraph({ templates });
    await reference.ingestManifest(manifest);
    expect(await seen(graph, D)).toEqual(await seen(reference, D));
    await graph.disconnect();
  });

  it('leaves each batch of a large load there exactly once', async () => {
    const graph = new Neo4jGraph(through(), { templates, ppr: 'local', atOnce: 2 });
    await graph.connect();
    proxy.cut(COMMIT, 'answered', 100);
    expect((await graph.ingestManifest(manifest)).unchanged).toBe(false);
    // It opens, has a batch for source, concepts and edges each, and is shown.
    expect(proxy.cuts).toBe(5);
    proxy.cut(COMMIT, 'answered', 0);
    const reference = new ReferenceGraph({ templates });
    await reference.ingestManifest(manifest);
    expect(await seen(new Neo4jGraph(direct, { templates, ppr: 'local' }), D)).toEqual(await seen(reference, D));
    await graph.disconnect();
  });

  it('does not let a raw write happen twice, and says that it may have happened', async () => {
    const connection = through();
    await connection.connect();
    const create = "CREATE (s:Scratch {how: 'lost'}) RETURN s.how AS how";
    proxy.cut(COMMIT, 'answered');
    expect(await error(connection.query(create, {}, { access: 'write' }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/may have been applied: look before you repeat it/),
      retriable: false,
    });
    proxy.cut(COMMIT, 'before');
    expect((await error(connection.query(create, {}, { access: 'write' }))).message).toMatch(/may have been applied/);
    expect(proxy.cuts).toBe(2);
    expect(await direct.query('MATCH (s:Scratch) RETURN count(s) AS n')).toEqual([{ n: 1 }]);
    await connection.disconnect();
  });
});

describe('a connection that breaks before the commit', () => {
  it.each(['before', 'answered'] as const)('(%s) lets a raw write be tried again', async (when) => {
    const connection = through();
    await connection.connect();
    proxy.cut(Buffer.from('CREATE (s:Scratch'), when);
    const write = connection.query("CREATE (s:Scratch {how: 'again'}) RETURN s.how AS how", {}, { access: 'write' });
    expect(await write).toEqual([{ how: 'again' }]);
    expect(proxy.cuts).toBe(1);
    expect(await direct.query('MATCH (s:Scratch) RETURN count(s) AS n')).toEqual([{ n: 1 }]);
    await connection.disconnect();
  });

  it('lets a reading statement be tried again', async () => {
    const connection = through();
    await connection.connect();
    proxy.cut(Buffer.from('AS two'), 'answered');
    expect(await connection.read('RETURN 2 AS two')).toEqual([{ two: 2 }]);
    expect(proxy.cuts).toBe(1);
    await connection.disconnect();
  });
});

describe('bookmarks', () => {
  const withBookmark = (bytes: readonly Buffer[]) =>
    /bookmarks.{1,4}F[BC]:/s.test(Buffer.concat([...bytes]).toString('latin1'));

  it('make a member of a cluster wait for what this connection wrote', async () => {
    const connection = through('neo4j');
    await connection.connect();
    proxy.sent.length = 0;
    await connection.write((tx) => tx.run('CREATE (:Scratch)'));
    const before = proxy.sent.length;
    expect(await connection.read('MATCH (s:Scratch) RETURN count(s) AS n')).toEqual([{ n: 1 }]);
    expect(withBookmark(proxy.sent.slice(before))).toBe(true);
    await connection.disconnect();
  });

  it('are not sent to one server, which needs none', async () => {
    const connection = through();
    await connection.connect();
    await connection.write((tx) => tx.run('CREATE (:Scratch)'));
    await connection.read('MATCH (s:Scratch) RETURN count(s) AS n');
    expect(withBookmark(proxy.sent)).toBe(false);
    await connection.disconnect();
  });
});
