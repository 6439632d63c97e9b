import type { SourceKeyFilter, SourceKeyInfo } from '../../../../src/backends/graph/port.js';
import type { Source } from './state.js';

type Place = Pick<SourceKeyInfo, 'domain' | 'key'>;

/** The keys of these sources that a filter finds, by domain and key. */
export function keysOf(sources: readonly Source[], { kind, prefix, domain, after, limit }: SourceKeyFilter) {
  if (!prefix.endsWith('/')) throw new Error('A prefix ends in a slash.');
  return sources
    .filter(({ ref }) => ref.kind === kind && ref.key.startsWith(prefix) && (domain ?? ref.domain) === ref.domain)
    .map(({ id, ref }) => ({ source_id: id, domain: ref.domain, key: ref.key }))
    .filter((found) => after === undefined || order(found, after) > 0)
    .sort(order)
    .slice(0, limit);
}

/** As the store: by characters, not by halves of surrogate pairs. */
function order(a: Place, b: Place): number {
  return bytewise(a.domain, b.domain) || bytewise(a.key, b.key);
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
