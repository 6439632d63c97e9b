import type { QueryResult, Session } from 'neo4j-driver';
import { commitError, isRetriable, type ServerDescription } from './errors.js';

export interface RawWrite {
  readonly cypher: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Milliseconds on the server. */
  readonly timeout: number;
  /** Time (milliseconds) until which it is tried again. */
  readonly until: number;
  readonly where: ServerDescription;
}

/**
 * Runs a statement that a caller wrote, at most once: it is tried again after retriable failures before the commit,
 * never after the commit was sent. Unlike our own writes it leaves no token that would tell whether it was done.
 */
export async function rawWrite(open: () => Session, write: RawWrite): Promise<QueryResult> {
  for (let attempt = 1; ; attempt += 1) {
    const session = open();
    try {
      const tx = await session.beginTransaction({ timeout: write.timeout });
      const result = await tx.run(write.cypher, write.params);
      try {
        await tx.commit();
      } catch (error) {
        throw commitError(error, write.where);
      }
      return result;
    } catch (error) {
      if (!isRetriable(error) || Date.now() > write.until) throw error;
    } finally {
      // Rolls back what was not committed.
      await session.close().catch(() => undefined);
    }
    await pause(attempt);
  }
}

/** Waits, longer after each attempt, for a random time: two writers that block each other must not wait equally long. */
export function pause(attempt: number): Promise<void> {
  const milliseconds = 50 * 2 ** Math.min(attempt, 6) * (0.5 + Math.random());
  return new Promise((done) => setTimeout(done, milliseconds));
}
