import { randomUUID } from 'node:crypto';
import { addSession, endSession, sessionEvents } from '../../backends/store/learning/learning-sessions.js';
import type { Store } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { SessionOutcome, SessionSummary } from './learner-types.js';

/** Starts a session; its id carries the learner's name, so that `end` needs nothing else. */
export async function startLearningSession(
  store: Store,
  { learner, name, now }: { readonly learner: string; readonly name: string; readonly now: number },
): Promise<{ session_id: string; learner: string }> {
  if (typeof name !== 'string' || name.length > 200) {
    throw new SvcError('invalid_input', 'session_name must be a text of at most 200 characters.', {
      member: 'session_name',
    });
  }
  const session_id = `${learner}:${randomUUID()}`;
  await store.write(({ db }) => addSession(db, { session_id, learner, name, started_at: now, ended_at: null }));
  return { session_id, learner };
}

/** Returns the learner's name in a session id; undefined where the id has another shape. */
export function sessionLearner(sessionId: string): string | undefined {
  return /^(.+):[0-9a-f-]{36}$/.exec(sessionId)?.[1];
}

export function unknownSession(sessionId: string): SvcError {
  return new SvcError(
    'session_not_found',
    `Learning session ${sessionId.slice(0, 200)} does not exist; start one first.`,
  );
}

/** Ends the session (an ended one keeps its time) and returns what was selected and observed in it. */
export async function endLearningSession(store: Store, sessionId: string, now: number): Promise<SessionSummary> {
  const session = await store.write(({ db }) => endSession(db, sessionId, now));
  if (session === undefined) throw unknownSession(sessionId);
  const events = await sessionEvents(store.db, sessionId);
  return {
    session_id: session.session_id,
    learner: session.learner,
    session_name: session.name,
    selected_arms: [...new Set(events.filter((event) => event.kind === 'select').map((event) => event.arm_id))],
    outcomes: events
      .filter((event) => event.kind === 'observe')
      .map((event) => ({
        arm_id: event.arm_id,
        ...(JSON.parse(event.payload) as Omit<SessionOutcome, 'arm_id'>),
      })),
    started_at: isoTime(session.started_at),
    ended_at: isoTime(session.ended_at ?? now),
  };
}
