import { Neo4jConnection, type Neo4jTransaction } from '../../src/backends/neo4j-connection.js';

/** Lets a test step in: before a statement of a writing transaction, and after a transaction. */
export class Interfered extends Neo4jConnection {
  before: (cypher: string, tx: Neo4jTransaction) => Promise<unknown> = async () => undefined;
  after: () => Promise<unknown> = async () => undefined;

  override async write<T>(work: (tx: Neo4jTransaction) => Promise<T>): Promise<T> {
    const done = await super.write((tx) => {
      return work({
        run: async (cypher, params) => {
          await this.before(cypher, tx);
          return tx.run(cypher, params);
        },
      });
    });
    await this.after();
    return done;
  }
}
