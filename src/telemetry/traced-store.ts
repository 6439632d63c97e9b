import { SpanKind, trace } from '@opentelemetry/api';
import type { CompiledQuery, KyselyPlugin, QueryExecutor } from 'kysely';
import type { Store } from '../backends/store/scope.js';
import { withSpan } from './span.js';
import { isWithinPort, traced } from './traced.js';

/**
 * Returns the store with each write, and, where spans are recorded, each statement of an operation itself in a span.
 * Statements of a port (an embedded graph reads this store) and of a write are part of its call, which has one.
 */
export function tracedStore(store: Store, options: { readonly spans: boolean }): Store {
  const measured = traced('store', store);
  if (!options.spans) return measured;
  // A plugin, even an idle one, gives an executor of its own: that of the store itself stays as it is.
  const db = store.db.withPlugin(IDLE);
  spanStatements(db.getExecutor(), store.dialect);
  return new Proxy(measured, {
    get: (object, name) => (name === 'db' ? db : Reflect.get(object, name, object)),
  });
}

const IDLE: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => Promise.resolve(result),
};

/**
 * Makes an executor run each statement in a span, named after its kind: `store SelectQuery`. The span covers the wait for
 * a connection, and ends also where there is none. The statement and its values stay out of it.
 */
function spanStatements(executor: QueryExecutor, dialect: string): void {
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = <R>(query: CompiledQuery<R>) => {
    if (isWithinPort() || trace.getActiveSpan()?.isRecording() !== true) return execute<R>(query);
    const name = `store ${query.query.kind.replace(/Node$/, '')}`;
    const attributes = { 'svc.port': 'store', 'svc.port.method': 'read', 'svc.port.engine': dialect };
    return withSpan(name, { attributes, kind: SpanKind.CLIENT }, () => execute<R>(query));
  };
}
