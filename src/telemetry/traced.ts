import { type Context, context, createContextKey, SpanKind, trace } from '@opentelemetry/api';
import { portSeconds } from './metrics.js';
import { codeOf, markFailed } from './span.js';

export type Port = 'graph' | 'vector' | 'text' | 'embedding' | 'llm' | 'store';

/** Set in the context of what a port does for a call. */
const WITHIN_PORT = createContextKey('svc.port');

/** Returns whether what runs belongs to a call of a port that has a span. */
export function isWithinPort(): boolean {
  return context.active().getValue(WITHIN_PORT) === true;
}

/** Members that answer at once: no call that is worth a span. */
const IMMEDIATE: ReadonlySet<string> = new Set([
  'idle',
  'isConnected',
  'lastCommit',
  'setEdgeFactors',
  'constructor',
  'toString',
]);
/** Parts of the graph's port whose members are calls too. */
const PARTS: ReadonlySet<string> = new Set(['merges', 'edits']);

type Method = (...args: unknown[]) => unknown;

/**
 * Returns the port with every call measured, and, below a span, in a span of its own: one that yields its result piece by
 * piece has one until the last piece. What works by itself in the background makes no spans. Spans carry the names of
 * port, method and engine, never arguments or results.
 */
export function traced<T extends object>(port: Port, target: T): T {
  return tracedPart(target, { port, engine: engineOf(target), prefix: '' });
}

interface Place {
  readonly port: Port;
  readonly engine: string;
  /** Of the methods' names. */
  readonly prefix: string;
}

function tracedPart<T extends object>(target: T, place: Place): T {
  const made = new Map<string, { readonly of: unknown; readonly value: unknown }>();
  return new Proxy(target, {
    get(object, name) {
      // The receiver is the port itself: its private members are not those of the proxy.
      const value: unknown = Reflect.get(object, name, object);
      if (typeof name !== 'string') return value;
      const isPart = PARTS.has(name) && typeof value === 'object' && value !== null;
      if (typeof value !== 'function' && !isPart) return value;
      const known = made.get(name);
      if (known?.of === value) return known.value;
      const replaced = isPart
        ? tracedPart(value as object, { ...place, prefix: `${name}.` })
        : observed(place, { object, name, method: value as Method });
      made.set(name, { of: value, value: replaced });
      return replaced;
    },
  });
}

function observed(
  { port, engine, prefix }: Place,
  { object, name, method }: { readonly object: object; readonly name: string; readonly method: Method },
): Method {
  if (IMMEDIATE.has(name)) return method.bind(object);
  const label = `${prefix}${name}`;
  const attributes = { 'svc.port': port, 'svc.port.method': label, 'svc.port.engine': engine };
  const call = (args: unknown[], within: Context | undefined, ended: Ended): unknown => {
    const run = (): unknown => method.apply(object, args);
    try {
      const result = within === undefined ? run() : context.with(within, run);
      if (result instanceof Promise) return settled(result, ended);
      if (isAsyncIterable(result)) return inContext(result, within ?? context.active(), ended);
      ended();
      return result;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
  return (...args) => {
    const started = performance.now();
    const measured: Ended = (error) =>
      portSeconds.observe(
        { port, method: label, outcome: error === undefined ? 'ok' : codeOf(error) },
        (performance.now() - started) / 1000,
      );
    if (trace.getActiveSpan()?.isRecording() !== true) return call(args, undefined, measured);
    const active = context.active();
    const span = trace.getTracer('svc').startSpan(`${port} ${label}`, { attributes, kind: SpanKind.CLIENT }, active);
    return call(args, trace.setSpan(active, span).setValue(WITHIN_PORT, true), (error) => {
      measured(error);
      if (error !== undefined) markFailed(span, error);
      span.end();
    });
  };
}

/** Receives the end of a call, once, and what it failed with. */
type Ended = (error?: unknown) => void;

/** Returns the promise itself: what a caller adds to it waits for nothing more. */
function settled(result: Promise<unknown>, ended: Ended): Promise<unknown> {
  result.then(
    () => ended(),
    (error: unknown) => ended(error ?? new Error('unknown')),
  );
  return result;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Yields the pieces, each made in the context of the call; a consumer that stops early ends the call too. */
async function* inContext(
  pieces: AsyncIterable<unknown>,
  within: Context,
  ended: Ended,
): AsyncGenerator<unknown, void, undefined> {
  const iterator = pieces[Symbol.asyncIterator]();
  let failure: unknown;
  let isDone = false;
  try {
    for (;;) {
      const next = await context.with(within, () => iterator.next());
      isDone = next.done === true;
      if (isDone) return;
      yield next.value;
    }
  } catch (error) {
    isDone = true;
    failure = error;
    throw error;
  } finally {
    if (!isDone) await context.with(within, () => iterator.return?.());
    ended(failure);
  }
}

function engineOf(object: object): string {
  const { kind, dialect, name } = object as { kind?: unknown; dialect?: unknown; name?: unknown };
  const found = [kind, dialect, name].find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : 'unknown';
}
