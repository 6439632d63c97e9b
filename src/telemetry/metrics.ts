import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Figures of this process. Every label has few values: names of routes, operations, ports and their methods. */
export const registry: Registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Seconds; from a lookup in memory to a query that runs into its time limit. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const httpRequests: Counter<'method' | 'route' | 'status'> = new Counter({
  name: 'svc_http_requests_total',
  help: 'Requests by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  registers: [registry],
});

export const httpSeconds: Histogram<'method' | 'route'> = new Histogram({
  name: 'svc_http_request_duration_seconds',
  help: 'Seconds that requests took.',
  labelNames: ['method', 'route'],
  buckets: BUCKETS,
  registers: [registry],
});

export const operationSeconds: Histogram<'operation' | 'outcome'> = new Histogram({
  name: 'svc_operation_duration_seconds',
  help: 'Seconds that operations took; outcome is ok or the code of the error.',
  labelNames: ['operation', 'outcome'],
  buckets: BUCKETS,
  registers: [registry],
});

export const portSeconds: Histogram<'port' | 'method' | 'outcome'> = new Histogram({
  name: 'svc_port_duration_seconds',
  help: 'Seconds that calls of graph, vector, text, embedding, llm and store took.',
  labelNames: ['port', 'method', 'outcome'],
  buckets: BUCKETS,
  registers: [registry],
});
