import { SvcError } from '../../core/errors.js';
import { unreachableSentence } from '../../core/wording/unknown-host.js';
import { traceHeaders } from '../http-request.js';
import type { RemoteArm, RemoteLearner } from './port.js';

export interface HttpLearnerOptions {
  /** Base address of the other service, variant A. */
  readonly url: string;
  readonly key?: string | undefined;
  /** Name of the learner at the other service. */
  readonly learner: string;
  /** Milliseconds; default 10,000. */
  readonly timeout?: number;
}

interface WirePosterior {
  readonly alpha: number;
  readonly beta: number;
  readonly pulls: number;
  readonly last_updated: string;
}

/** Statuses of a request that fails in the same way when it is sent again. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 422]);

/** Makes a learner behind variant A of another service. */
export function httpLearner(options: HttpLearnerOptions): RemoteLearner {
  // The address of the API stands for that of the service.
  const base = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...traceHeaders(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(options.key === undefined ? {} : { Authorization: `Bearer ${options.key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(options.timeout ?? 10_000),
      redirect: 'error',
    }).catch((cause: unknown) => {
      const sentence = unreachableSentence(cause, {
        server: 'The learner',
        setting: 'SVC_LEARNING_URL',
        otherwise: 'The learner at SVC_LEARNING_URL does not answer.',
      });
      throw new SvcError('unavailable', sentence, undefined, { cause, retriable: true });
    });
    if (method === 'POST' && REFUSED.has(response.status)) {
      await response.body?.cancel();
      throw new SvcError('conflict', `The learner at SVC_LEARNING_URL refused with status ${response.status}.`);
    }
    const answer = await response.json().catch((cause: unknown) => {
      throw unavailable(`answered with status ${response.status} and no JSON${fixOf(response.status)}`, cause);
    });
    if (!response.ok) throw unavailable(`answered with status ${response.status}${fixOf(response.status)}`);
    return answer as Record<string, unknown>;
  }

  return {
    posteriors: async () => {
      const answer = await call('GET', `/v1/learning/${encodeURIComponent(options.learner)}/posteriors`);
      const posteriors = (answer.posteriors ?? {}) as Record<string, WirePosterior>;
      return new Map(
        Object.entries(posteriors).map(([id, { alpha, beta, pulls, last_updated }]): [string, RemoteArm] => [
          id,
          { alpha, beta, pulls, lastUpdated: Date.parse(last_updated) },
        ]),
      );
    },
    observe: async (armId, reward, idempotencyKey) => {
      const answer = await call('POST', '/v1/learning/observe', {
        learner: options.learner,
        arm_id: armId,
        reward,
        ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
      });
      return Number(answer.mean);
    },
    reset: async (armIds) => {
      if (armIds.length === 0) return;
      await call('POST', '/v1/learning/reset', { learner: options.learner, arm_ids: armIds });
    },
  };
}

/** Returns what to do about a status; empty where nothing here mends it. */
function fixOf(status: number): string {
  if (status === 401 || status === 403) return '; set SVC_LEARNING_KEY to a key of that service that may write';
  if (status === 404 || status === 405)
    return '; set SVC_LEARNING_URL to where its variant A listens, such as http://host:8400';
  return '';
}

function unavailable(what: string, cause?: unknown): SvcError {
  return new SvcError('unavailable', `The learner at SVC_LEARNING_URL ${what}.`, undefined, { cause, retriable: true });
}
