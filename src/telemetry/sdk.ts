import type { Config } from '../config.js';

/** Ends tracing: sends what is left and never throws (there may be no collector). */
export type StopTracing = () => Promise<void>;

const STOP_MS = 3000;

/** Starts the OpenTelemetry SDK where tracing is on; it is not even loaded where it is off. */
export async function startTracing(config: Pick<Config, 'name' | 'tracing'>): Promise<StopTracing> {
  if (!config.tracing.enabled) return () => Promise.resolve();
  const { NodeSDK, resources, tracing } = await import('@opentelemetry/sdk-node');
  const { service_name, sample } = config.tracing;
  const sdk = new NodeSDK({
    ...(service_name === null ? {} : { serviceName: service_name }),
    // OTEL_RESOURCE_ATTRIBUTES may name the service too, after OTEL_SERVICE_NAME. Machine and process are not looked at.
    resource: resources.resourceFromAttributes({ 'service.name': config.name }),
    resourceDetectors: [resources.envDetector],
    // A caller that decided keeps its decision; without a share of our own OTEL_TRACES_SAMPLER counts.
    ...(sample === null
      ? {}
      : { sampler: new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(sample) }) }),
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
    traceExporter: await exporter(config.tracing),
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

/** Returns what sends spans by the protocol; where no address is set, to the one that the protocol names. */
async function exporter({ protocol, endpoint, traces_endpoint }: Config['tracing']) {
  if (protocol === 'grpc') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-grpc');
    return new OTLPTraceExporter(urlOf(traces_endpoint ?? endpoint));
  }
  const url = traces_endpoint ?? (endpoint === null ? null : `${endpoint.replace(/\/$/, '')}/v1/traces`);
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(urlOf(url));
}

function urlOf(url: string | null): { readonly url?: string } {
  return url === null ? {} : { url };
}
