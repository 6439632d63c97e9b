import { describe, expect, it } from '@jest/globals';
import { neighbourhood } from '../../src/backends/graph/neo4j/query/neighbourhood.js';
import { Reader } from '../../src/backends/graph/neo4j/query/reader.js';
import type { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { SvcError } from '../../src/core/errors.js';

/** A connection that answers, or fails as one to a lost server, as the test says; `patience` is how long each read may try again. */
class Scripted {
  lost = true;
  readonly patience: Array<number | undefined> = [];

  async read(_cypher: string, _params: unknown, options: { readonly retryTime?: number }) {
    this.patience.push(options.retryTime);
    await new Promise((done) => setTimeout(done, 1));
    if (this.lost) throw new SvcError('unavailable', 'Neo4j does not answer.');
    return [{ version: 1, ledger: null, r0: [] }];
  }
}

function reading() {
  const connection = new Scripted();
  return { connection, reader: new Reader(connection as unknown as Neo4jConnection, 'neo4j') };
}

describe('questions to a Neo4j that is lost', () => {
  it('of a neighbourhood fail once: what was asked beside the first ends no process', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { reader } = reading();
      await expect(neighbourhood(reader, 1, { depth: 2, limit: 10 })).rejects.toThrow('does not answer');
      await new Promise((done) => setTimeout(done, 50));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('wait for it the first time only, until it answers', async () => {
    const { connection, reader } = reading();
    for (let i = 0; i < 3; i += 1) await expect(reader.ask('A')).rejects.toThrow('does not answer');
    connection.lost = false;
    await expect(reader.ask('A')).resolves.toEqual([]);
    await expect(reader.ask('A')).resolves.toEqual([]);
    expect(connection.patience).toEqual([3000, 0, 0, 0, 3000]);
  });

  it('are not those that it refuses', async () => {
    const { connection, reader } = reading();
    connection.read = async (_cypher, _params, options) => {
      connection.patience.push(options.retryTime);
      throw new SvcError('invalid_input', 'Wrong.');
    };
    for (let i = 0; i < 2; i += 1) await expect(reader.ask('A')).rejects.toThrow('Wrong');
    expect(connection.patience).toEqual([3000, 3000]);
  });
});
