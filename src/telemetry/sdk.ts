import type { Config } from '../config.js';

/** Ends tracing: sends what is left and never throws (there may be no collector). */
export type StopTracing = () => Promise<void>;

const STOP_MS = 3000;

/** Starts the OpenTelemetry SDK where tracing is on; it is not even loaded where it is off. */
export async function startTracing(config: Pick<Config, 'name' | 'tracing'>): Promise<StopTracing> {
  if (!config.tracing.enabled) return () => Promise.resolve();
  const [{ NodeSDK, tracing }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { endpoint, service_name, sample } = config.tracing;
  const sdk = new NodeSDK({
    serviceName: service_name ?? config.name,
    autoDetectResources: false,
    // A caller that decided keeps its decision; without a share of our own OTEL_TRACES_SAMPLER counts.
    ...(sample === null
      ? {}
      : { sampler: new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(sample) }) }),
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
    traceExporter: new OTLPTraceExporter(endpoint === null ? {} : { url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
  });
  sdk.start();
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    await Promise.race([sdk.shutdown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  };
}
