import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { AnswerWatch } from '../../../core/async/answer-watch.js';

/**
 * A pool whose connections and statements fail with `error` as soon as the server is known to hang, in about two
 * seconds, instead of waiting for it (`AnswerWatch`). The connections of that time are given up; new ones are made once
 * the server answers again.
 */
export function watchedPool(pool: pg.Pool, { url, error }: { url: string; error: () => Error }): PostgresPool {
  const taken = new Set<pg.PoolClient>();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const watch = new AnswerWatch({
    probe: (ms) => probe(url, ms),
    error,
    onSilent: () => {
      for (const client of taken) client.end().catch(() => undefined);
      for (let idle = pool.idleCount; idle > 0; idle -= 1) {
        pool.connect().then(
          (client) => client.release(true),
          () => undefined,
        );
      }
    },
  });
  // Kysely keeps one connection for each client: it gets the same object each time.
  const watched = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (statement: string, parameters: unknown[]) =>
      watch.answered(() => client.query(statement, parameters));
    const release = (): void => {
      taken.delete(client);
      client.release();
    };
    return { query, release } as unknown as PostgresPoolClient;
  };
  return {
    connect: async () => {
      let isGivenUp = false;
      const connecting = async (): Promise<pg.PoolClient> => {
        const client = await pool.connect();
        if (isGivenUp) client.release(true);
        return client;
      };
      const client = await watch.answered(connecting).catch((thrown: unknown) => {
        isGivenUp = true;
        throw thrown;
      });
      taken.add(client);
      const existing = clients.get(client) ?? watched(client);
      clients.set(client, existing);
      return existing;
    },
    end: async () => {
      const ended = pool.end();
      ended.catch(() => undefined);
      // Connections in use come back when they are answered, or fail once the server is known to hang: the watch goes on
      // until then. Connections to a server that hangs, which are still being made, end by their own time limit.
      try {
        await watch.answered(() => ended);
      } catch (thrown) {
        if (!watch.silent) throw thrown;
      } finally {
        watch.stop();
      }
    },
  };
}

/** Makes a connection of its own and ends it. Any answer will do, also that there are too many connections. */
async function probe(url: string, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ms, application_name: 'svc probe' });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    client.end().catch(() => undefined);
  }
}
