import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { post, startProcess } from '../service/process.js';
import { waitFor } from '../support/wait-for.js';
import { neo4jConnection, neo4jEnvironment } from './neo4j.js';

/** Two data directories that somebody pointed at one Neo4j. */
describe('two services with ledgers of their own on one Neo4j', () => {
  const root = mkdtempSync(join(tmpdir(), 'neo4j-taken-over-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const ingest = (url: string, name: string) =>
    post(url, '/v1/ingest/structured', {
      domain: 'ridge',
      concepts: [
        { name, description: `${name} is a hill of the ridge.` },
        { name: `${name} peak`, description: `The top of ${name}.` },
      ],
      edges: [{ source: `${name} peak`, target: name, relation: 'PART_OF' }],
    });
  const ask = (url: string) => post(url, '/v1/query', { context: 'Which hill belongs to the ridge?' });

  it('say so instead of writing it anew for ever, and none gives answers out of the graph of the other', async () => {
    const environment = await neo4jEnvironment();
    const open = (name: string) => startProcess(join(root, name), environment);
    const one = await open('one');
    expect((await ingest(one.url, 'Kestrel'))?.status).toBe(200);
    expect((await ask(one.url))?.status).toBe(200);
    const two = await open('two');
    expect((await ingest(two.url, 'Heron'))?.status).toBe(200);
    const error = expect.stringContaining('neo4j was taken over by a service with another data directory');
    expect(await ask(one.url)).toMatchObject({ status: 503, body: { error } });
    // The first write may be kept, with a warning, before it is noticed.
    let n = 0;
    const refused = async () => {
      n += 1;
      expect(await ingest(one.url, `Merlin ${n}`)).toMatchObject({ status: 503, body: { error } });
    };
    await waitFor(refused, { timeout: 60_000, interval: 1000 });
    expect(await ask(two.url)).toMatchObject({ status: 200 });
    const connection = neo4jConnection();
    await connection.connect();
    expect(await connection.query("MATCH (n:Node) WHERE n.name STARTS WITH 'Heron' RETURN count(n) AS n")).toEqual([
      { n: 2 },
    ]);
    expect(await connection.query('MATCH (n:Node) RETURN count(n) AS n')).toEqual([{ n: 2 }]);
    await two.stop();
    await one.stop();
    const again = await open('one');
    await waitFor(async () => expect((await ask(again.url))?.status).toBe(200), { timeout: 60_000, interval: 500 });
    expect((await ingest(again.url, 'Merlin'))?.status).toBe(200);
    expect(await connection.query("MATCH (n:Node) WHERE n.name STARTS WITH 'Heron' RETURN count(n) AS n")).toEqual([
      { n: 0 },
    ]);
    await again.stop();
    await connection.disconnect();
  }, 240_000);
});
