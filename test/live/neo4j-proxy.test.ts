import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
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
  it.each(['before', 'answered'] as const)('(%s) leaves a change there exactly once', async (when) => {
    const store = await openSqlite(':memory:');
    const graph = new Neo4jBackend({ connection: through(), store, templates });
    await graph.connect();
    await graph.ingestManifest(manifest);
    proxy.cut(COMMIT, when);
    expect(await error(graph.neighbourhood(`${D}:nothing`, 1))).toMatchObject({ code: 'unavailable' });
    expect(proxy.cuts).toBe(1);
    const reference = new ReferenceGraph({ templates });
    await reference.ingestManifest(manifest);
    expect(await seen(graph, D)).toEqual(await seen(reference, D));
    const counts =
      'MATCH (n:Node) OPTIONAL MATCH (n)-[r:USES]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges';
    expect(await direct.query(counts)).toEqual([{ nodes: 2, edges: 1 }]);
    expect(await direct.query('MATCH (c:Cursor) RETURN c.version AS version')).toEqual([{ version: 1 }]);
    await graph.disconnect();
    await store.close();
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
