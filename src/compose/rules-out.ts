import { openLlm } from '../backends/llm/open.js';
import type { Llm, TokenPrice } from '../backends/llm/port.js';
import type { Store } from '../backends/store/scope.js';
import type { Config } from '../config.js';
import { readTemplates } from '../core/derive-rules.js';
import { SvcError } from '../core/errors.js';
import { VERSION } from '../core/version.js';
import { ModelExtraction } from '../ingest/extract/model/model-extraction.js';
import type { LoadPorts } from '../ingest/write/load.js';
import { defaultInteropConfig, loadInteropConfig } from '../interop/config.js';
import { Interop } from '../interop/interop.js';
import { Projections } from '../projection/projections.js';
import { TemplateRegistry } from '../projection/templates.js';
import { ownCalls, recordedLlm } from './gateway/own-calls.js';

/** Opens the configured language model, or null. Throws `invalid_input` where SVC_LLM_MODEL is missing. */
export function openConfiguredLlm({ llm }: Pick<Config, 'llm'>, store: Store): Llm | null {
  if (llm.kind === 'none') return null;
  if (llm.model === null) {
    throw new SvcError('invalid_input', `SVC_LLM_MODEL is missing; name the model that ${llm.kind} runs.`);
  }
  const { kind, model, attempts, concurrency } = llm;
  const opened = openLlm({
    kind,
    model,
    url: llm.url ?? undefined,
    key: llm.key ?? undefined,
    timeout: llm.timeout_seconds * 1000,
    attempts,
    concurrency,
    sendTemperature: llm.send_temperature,
    tokenLimit: llm.token_limit,
  });
  return recordedLlm(opened, { provider: kind, model, price: priceOf(llm) }, ownCalls(store));
}

/** Builds extraction by the configured language model, or null where documents are read without one. */
export function openExtraction({ llm: settings }: Pick<Config, 'llm'>, llm: Llm | null, store: Store) {
  const { enabled, min_confidence, chunk_chars, max_tokens } = settings.extraction;
  if (llm === null || !enabled) return null;
  return new ModelExtraction(llm, store, {
    minConfidence: min_confidence,
    chunkChars: chunk_chars,
    maxTokens: max_tokens,
    concurrency: settings.concurrency,
    price: priceOf(settings),
  });
}

function priceOf({ input_price, output_price }: Config['llm']): TokenPrice | null {
  return input_price === null || output_price === null ? null : { input: input_price, output: output_price };
}

export interface RulesOutParts {
  readonly config: Config;
  readonly llm: Llm | null;
  /** Parsed `edge-templates.yaml`. */
  readonly templates: unknown;
}

/** Builds what takes rules out of the graph and brings rule sets back. */
export function rulesOut(ports: LoadPorts, { config, llm, templates }: RulesOutParts) {
  const { graph, clock, store } = ports;
  const source = { name: config.name, version: VERSION };
  return {
    projections: new Projections({
      graph,
      llm,
      store,
      clock,
      templates: new TemplateRegistry(readTemplates(templates)),
      source,
    }),
    interop: new Interop({
      load: ports,
      clock,
      config: loadInteropConfig(config.interop.file, defaultInteropConfig(config.data.dir)),
      source,
    }),
  };
}
