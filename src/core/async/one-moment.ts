import { AsyncLocalStorage } from 'node:async_hooks';

/** What one request has read so far, by its owner and by a name. */
interface Moment {
  readonly read: Map<object, Map<string, Promise<unknown>>>;
  /** True once the request has its answer: work that it left running reads for itself. */
  over: boolean;
}

const current = new AsyncLocalStorage<Moment>();

/**
 * Runs the reading work of one request. What it reads through `readOnce`, however deep, is read the first time and kept until the
 * work ends: it sees one state, not older than its start, and a server on another machine is asked once. Not for work that writes.
 */
export function atOneMoment<T>(work: () => Promise<T>): Promise<T> {
  if (isOpen(current.getStore())) return work();
  const moment: Moment = { read: new Map(), over: false };
  return current.run(moment, async () => {
    try {
      return await work();
    } finally {
      moment.over = true;
    }
  });
}

/** Returns what `read` returns: read once for a request in `atOneMoment`, at each call elsewhere. Failures are not kept. */
export function readOnce<T>(owner: object, name: string, read: () => Promise<T>): Promise<T> {
  const moment = current.getStore();
  if (!isOpen(moment)) return read();
  const values = moment.read.get(owner) ?? new Map<string, Promise<unknown>>();
  moment.read.set(owner, values);
  const known = values.get(name);
  if (known !== undefined) return known as Promise<T>;
  const reading = read();
  values.set(name, reading);
  reading.catch(() => values.delete(name));
  return reading;
}

function isOpen(moment: Moment | undefined): moment is Moment {
  return moment !== undefined && !moment.over;
}
