import { SvcError } from '../core/errors.js';
import { groupBy } from '../core/group-by.js';
import type { GraphRule } from '../core/model.js';
import type { TemplateEnricher } from './enrich-template.js';
import type { EnrichedRule, Enricher } from './types.js';

/** Enriches rules of one domain in one go, for example by a language model. */
export interface EnrichmentBackend {
  /** Returns one enriched rule for each rule, in order. Throws when it cannot. */
  enrichBatch(rules: readonly GraphRule[], domain: string): Promise<EnrichedRule[]>;
}

/** The same with the method under the specification's name. */
export interface SpecifiedBackend {
  enrich_batch(rules: readonly GraphRule[], domain: string): Promise<EnrichedRule[]>;
}

/** Rules by outcome: enriched by the backend, or by the template enricher after the backend failed. */
export interface EnrichmentStats {
  succeeded: number;
  failed: number;
}

export interface EnrichmentOptions {
  /** None: every rule goes to the template enricher, and nothing is counted. */
  readonly backend?: EnrichmentBackend | SpecifiedBackend | undefined;
  /** Rules in one call of the backend; default 20. */
  readonly batch?: number;
  /** Receives the reason of each failed batch. */
  readonly onFailure?: (error: unknown, domain: string) => void;
  /** Ends the enrichment with the signal's reason, in place of the templates. */
  readonly signal?: AbortSignal | undefined;
}

/** Enriches by the backend where there is one, and by templates where there is none or it fails. */
export class EnrichmentPipeline implements Enricher {
  readonly stats: EnrichmentStats = { succeeded: 0, failed: 0 };
  private readonly backend: EnrichmentBackend | undefined;

  constructor(
    private readonly fallback: TemplateEnricher,
    private readonly options: EnrichmentOptions = {},
  ) {
    this.backend = options.backend === undefined ? undefined : backendOf(options.backend);
  }

  async enrich(rules: readonly GraphRule[]): Promise<EnrichedRule[]> {
    const { backend } = this;
    const { batch = 20 } = this.options;
    if (backend === undefined) return this.fallback.enrich(rules);
    const enriched = new Map<GraphRule, EnrichedRule>();
    for (const [domain, own] of groupBy(rules, (rule) => rule.domain)) {
      for (let start = 0; start < own.length; start += batch) {
        const part = own.slice(start, start + batch);
        const done = await this.enrichedBatch(backend, part, domain);
        for (const [i, rule] of part.entries()) enriched.set(rule, done[i]!);
      }
    }
    return rules.map((rule) => enriched.get(rule)!);
  }

  private async enrichedBatch(
    backend: EnrichmentBackend,
    rules: readonly GraphRule[],
    domain: string,
  ): Promise<EnrichedRule[]> {
    const { signal, onFailure } = this.options;
    signal?.throwIfAborted();
    try {
      const enriched = await backend.enrichBatch(rules, domain);
      if (enriched.length !== rules.length) throw new Error('The backend did not answer with one entry a rule.');
      this.stats.succeeded += rules.length;
      return enriched;
    } catch (error) {
      signal?.throwIfAborted();
      this.stats.failed += rules.length;
      onFailure?.(error, domain);
      return this.fallback.enrich(rules);
    }
  }
}

/** Throws `invalid_input` where a backend has neither method. */
function backendOf(backend: EnrichmentBackend | SpecifiedBackend): EnrichmentBackend {
  const { enrichBatch, enrich_batch } = backend as Partial<EnrichmentBackend & SpecifiedBackend>;
  const method = enrichBatch ?? enrich_batch;
  if (typeof method !== 'function')
    throw new SvcError('invalid_input', 'backend must have a method enrich_batch(rules, domain).', {
      member: 'backend',
    });
  return { enrichBatch: (rules, domain) => method.call(backend, rules, domain) };
}
