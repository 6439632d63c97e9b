import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { int, Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { error } from '../contracts/graph/fixture.js';
import { type OwnNeo4j, ownNeo4j } from './own-servers.js';

// A server of its own: it has a password, no GDS, and is stopped here.
let server: OwnNeo4j;
beforeAll(async () => {
  server = await ownNeo4j({ password: 'right-password', gds: false });
});
afterAll(() => server?.stop());

const open = (options: object = {}) => new Neo4jConnection({ uri: server.uri, password: server.password, ...options });

describe('a connection to Neo4j', () => {
  it('says what to do about a wrong password, database or address, and never the password', async () => {
    const refused = await error(open({ password: 'wrong-password' }).connect());
    expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/SVC_NEO4J_PASSWORD/) });
    expect(refused.message).not.toContain('wrong-password');
    expect((await error(open({ database: 'other' }).connect())).message).toMatch(
      /no database "other".*SVC_NEO4J_DATABASE/,
    );
    const lines: string[] = [];
    const nobody = { uri: 'bolt://127.0.0.1:9', startTimeout: 600, log: (line: string) => void lines.push(line) };
    expect(await error(open(nobody).connect())).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/did not answer within 0\.6 s.*SVC_NEO4J_URI/),
    });
    expect(lines).toEqual([expect.stringMatching(/does not answer yet; waiting/)]);
    expect(() => open({ uri: 'http://localhost' })).toThrow(/must begin with/);
    expect(() => open({ uri: 'bolt://u:p@localhost' })).toThrow(/must not hold a user or password/);
  });

  it('says what to do about a server without GDS, and serves PageRank without it', async () => {
    const options = { uri: server.uri, password: server.password };
    expect(await error(new Neo4jBackend({ ...options, ppr: 'gds' }).connect())).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/Graph Data Science.*SVC_PPR=local/),
    });
    const graph = new Neo4jBackend(options);
    await graph.connect();
    expect(graph.ppr).toBe('local');
    const { id } = await graph.addNode({ domain: 'd', name: 'A' });
    expect((await graph.personalizedPagerank([{ id, weight: 1 }], { epsilon: 0 })).scores).toEqual(new Map([[id, 1]]));
    await graph.disconnect();
  });

  it('takes host, port, user and password as well as an address', async () => {
    const { hostname, port } = new URL(server.uri);
    const address = { host: hostname, port: Number(port), username: 'neo4j', password: server.password };
    const graph = new Neo4jBackend(address);
    await graph.connect();
    expect(await graph.query('RETURN 1 AS one')).toEqual([{ one: 1 }]);
    await graph.disconnect();
  });

  it('runs raw queries: reading unless writing is allowed, mistakes as bad input', async () => {
    const connection = open();
    await connection.connect();
    const create = 'CREATE (n:Scratch {n: $n}) RETURN n.n AS n';
    expect(await error(connection.query(create, { n: 1 }))).toMatchObject({ code: 'invalid_input' });
    expect(await connection.query(create, { n: int(7) }, { access: 'write' })).toEqual([{ n: 7 }]);
    expect(await connection.query('MATCH (n:Scratch) RETURN n.n AS n')).toEqual([{ n: 7 }]);
    expect((await error(connection.query('RETRUN 1'))).message).toMatch(/^Neo4j refused the query/);
    const slow = 'UNWIND range(1, 100000000) AS x RETURN sum(x * x) AS s';
    expect((await error(connection.query(slow, {}, { timeout: 200 }))).message).toMatch(
      /took too long.*SVC_NEO4J_TIMEOUT/,
    );
    await connection.disconnect();
  });

  it.each([
    ['before the commit', []],
    ['where the next statement is waited for', ['RETURN 1 AS one']],
  ])('throws what a statement fails with that nobody waited for, %s, and writes nothing', async (_when, waited) => {
    const connection = open();
    await connection.connect();
    const failing = connection.transact(async (tx) => {
      tx.send('CREATE (:Sent {n: 1})');
      tx.send('UNWIND [1, 0] AS n CREATE (:Sent {n: 1 / n})');
      tx.send('CREATE (:Sent {n: 3})');
      for (const cypher of waited) await tx.run(cypher);
    });
    expect((await error(failing)).message).toMatch(/by zero/);
    expect(await connection.read('MATCH (s:Sent) RETURN s.n AS n')).toEqual([]);
    const written = await connection.transact(async (tx) => {
      for (const n of [1, 2, 3]) tx.send('CREATE (:Sent {n: $n})', { n: int(n) });
      return tx.run('MATCH (s:Sent) RETURN s.n AS n ORDER BY n');
    });
    expect(written).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await connection.query('MATCH (s:Sent) DELETE s', {}, { access: 'write' });
    await connection.disconnect();
  });

  it('says what to do when all its connections are in use', async () => {
    const connection = open({ connections: 1, acquireTimeout: 200 });
    await connection.connect();
    await connection.write(async (tx) => {
      await tx.run('RETURN 1');
      const refused = await error(connection.read('RETURN 1'));
      expect(refused).toMatchObject({ code: 'unavailable', retriable: true });
      expect(refused.message).toMatch(/are in use.*SVC_NEO4J_CONNECTIONS/);
    });
    expect(await connection.read('RETURN 1 AS one')).toEqual([{ one: 1 }]);
    await connection.disconnect();
  });

  it('waits for a server that comes up, and lives through a restart', async () => {
    const connection = open({ startTimeout: 120_000 });
    await connection.connect();
    await server.crash();
    expect(await error(connection.health())).toMatchObject({ code: 'unavailable' });
    const late = open({ startTimeout: 120_000 });
    const waiting = late.connect();
    const reading = connection.read<{ one: number }>('RETURN 1 AS one');
    await server.restart();
    await waiting;
    expect(await reading).toEqual([{ one: 1 }]);
    await connection.health();
    await late.disconnect();
    await connection.disconnect();
  });

  it('makes its schema when two replicas start at once', async () => {
    // Replicas share a ledger; services with ledgers of their own would each make the copy anew over the others'.
    const store = await openSqlite(':memory:');
    const { uri, password } = server;
    const graphs = Array.from({ length: 4 }, () => new Neo4jBackend({ uri, password, store }));
    await graphs[0]?.connection.connect();
    for (const { name } of (await graphs[0]?.connection.query('SHOW CONSTRAINTS YIELD name')) ?? [])
      await graphs[0]?.connection.schema(`DROP CONSTRAINT ${name}`);
    await Promise.all(graphs.map((graph) => graph.connect()));
    const names = (await graphs[0]?.query('SHOW CONSTRAINTS YIELD name'))?.map((row) => row.name);
    expect(names).toContain('svc_node_ref');
    for (const graph of graphs) await graph.disconnect();
    await graphs[0]?.connection.disconnect();
    await store.close();
  });
});
