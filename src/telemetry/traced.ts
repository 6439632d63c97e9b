import { context, createContextKey, SpanKind, trace } from '@opentelemetry/api';
import { portSeconds } from './metrics.js';
import { codeOf, withSpan } from './span.js';

export type Port = 'graph' | 'vector' | 'text' | 'embedding' | 'llm' | 'store';

/** Set in the context of what a port does for a call. */
const WITHIN_PORT = createContextKey('svc.port');

/** Returns whether what runs belongs to a call of a port that has a span. */
export function isWithinPort(): boolean {
  return context.active().getValue(WITHIN_PORT) === true;
}

/** Members that answer at once: no call that is worth a span. */
const IMMEDIATE: ReadonlySet<string> = new Set(['isConnected', 'limits', 'setEdgeFactors', 'constructor', 'toString']);

/**
 * Returns the port with every call measured, and, below a span, in a span of its own. What works by itself in the
 * background makes no spans. Spans carry the names of port, method and engine, never arguments or results.
 */
export function traced<T extends object>(port: Port, target: T): T {
  const calls = new Map<string, { readonly of: unknown; readonly call: (...args: unknown[]) => unknown }>();
  return new Proxy(target, {
    get(object, name) {
      // The receiver is the port itself: its private members are not those of the proxy.
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      const known = calls.get(name);
      if (known?.of === value) return known.call;
      const method = value as (...args: unknown[]) => unknown;
      const call = IMMEDIATE.has(name) ? method.bind(object) : observed(port, { object, name, method });
      calls.set(name, { of: value, call });
      return call;
    },
  });
}

function observed(
  port: Port,
  { object, name, method }: { object: object; name: string; method: (...args: unknown[]) => unknown },
): (...args: unknown[]) => unknown {
  const spanName = `${port} ${name}`;
  const attributes = { 'svc.port': port, 'svc.port.method': name, 'svc.port.engine': engineOf(object) };
  const run = (args: unknown[]): unknown => {
    const started = performance.now();
    const result = method.apply(object, args);
    if (!(result instanceof Promise)) return result;
    const ended = (outcome: string): void =>
      portSeconds.observe({ port, method: name, outcome }, (performance.now() - started) / 1000);
    result.then(
      () => ended('ok'),
      (error: unknown) => ended(codeOf(error)),
    );
    return result;
  };
  // An async function or one that returns a promise; generators and plain answers stay as they are.
  const isGenerator = /Generator/.test(method.constructor.name);
  return (...args) => {
    if (isGenerator || trace.getActiveSpan()?.isRecording() !== true) return run(args);
    const from = context.active().setValue(WITHIN_PORT, true);
    return withSpan(spanName, { attributes, kind: SpanKind.CLIENT, from }, async () => run(args));
  };
}

function engineOf(object: object): string {
  const { kind, dialect, name } = object as { kind?: unknown; dialect?: unknown; name?: unknown };
  const found = [kind, dialect, name].find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : 'unknown';
}
