import { randomUUID } from 'node:crypto';
import { costOf, type Llm, type TokenPrice } from '../../backends/llm/port.js';
import type { Store } from '../../backends/store/scope.js';
import { systemClock } from '../../core/clock.js';
import type { Intake } from '../../gateway/telemetry-intake/intake.js';
import type { CallRecord } from '../../gateway/telemetry-intake/records.js';

/** Tokens of one call that the service made for itself. */
export interface OwnCall {
  /** Kind of server, such as `openai`. */
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number | undefined;
}

/** Most calls that wait while the service starts. */
const MOST_WAITING = 1000;

/**
 * Passes the service's own model calls (embeddings, extraction) to the emissions module, so that people see their cost.
 * They never hold up the work that made them: a call that the intake refuses, because it is full, is left out.
 */
export class OwnCalls {
  private intake: Intake | undefined;
  private waiting: CallRecord[] = [];

  /** Records a call; a call without token counts says nothing and is left out. Never fails its caller. */
  report({ provider, model, inputTokens, outputTokens, costUsd }: OwnCall): void {
    if (!(inputTokens + outputTokens > 0)) return;
    const id = `own:${randomUUID()}`;
    const common = { key: id, traceId: id, runId: id, sessionId: 'own-calls', timestamp: systemClock() };
    this.send([{ ...common, provider, model, inputTokens, outputTokens, cacheReadTokens: 0, costUsd }]);
  }

  /** Records calls through this recorder from now on, those that waited too. */
  attach(intake: Intake): void {
    this.intake = intake;
    const { waiting } = this;
    this.waiting = [];
    this.send(waiting);
  }

  private send(calls: readonly CallRecord[]): void {
    if (this.intake === undefined) {
      if (this.waiting.length < MOST_WAITING) this.waiting.push(...calls);
      return;
    }
    if (calls.length === 0) return;
    const batch = { calls, runs: [], rewards: [], received: calls.length, rejected: 0 };
    void Promise.resolve(batch)
      .then((given) => this.intake!.submit(given))
      .catch(() => undefined);
  }
}

const byStore = new WeakMap<Store, OwnCalls>();

/**
 * Returns the recorder of the service on a store: models are opened before the gateway that records their calls exists.
 */
export function ownCalls(store: Store): OwnCalls {
  let calls = byStore.get(store);
  if (calls === undefined) {
    calls = new OwnCalls();
    byStore.set(store, calls);
  }
  return calls;
}

/** Wraps a language model so that its calls are recorded. */
export function recordedLlm(
  llm: Llm,
  { price, ...call }: Pick<OwnCall, 'provider' | 'model'> & { readonly price: TokenPrice | null },
  calls: OwnCalls,
): Llm {
  return {
    name: llm.name,
    health: () => llm.health(),
    close: () => llm.close(),
    complete: async (request) => {
      const answer = await llm.complete(request);
      const { usage } = answer;
      const costUsd = price === null ? undefined : costOf(usage, price);
      calls.report({ ...call, inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, costUsd });
      return answer;
    },
  };
}
