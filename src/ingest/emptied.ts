import { SvcError } from '../core/errors.js';
import { sourceId } from '../core/ids.js';
import type { SourceRef } from '../core/model.js';
import { forgetSource } from './forget.js';
import type { LoadPorts, LoadResult } from './write/load.js';

/** Returns whether a file was refused because it has nothing to say: it is empty, a note in the trash, or what another file says. */
export function saysNothing(error: unknown): error is SvcError {
  return error instanceof SvcError && (error.details?.empty === true || error.details?.withdrawn === true);
}

/** Forgets what a file said that has nothing to say now; null where it said nothing. */
export async function forgetEmptied(
  ports: LoadPorts,
  source: SourceRef,
  refusal: SvcError,
): Promise<LoadResult | null> {
  const source_id = sourceId(source);
  const [known] = await ports.graph.listSources({ source_id });
  if (known === undefined) return null;
  await forgetSource(ports, source_id);
  const { domain, label } = source;
  const isWithdrawn = refusal.details?.withdrawn === true;
  const warning = isWithdrawn
    ? `${refusal.message} What it said before is forgotten.`
    : `${label} is empty now; what it said before is forgotten.`;
  return { domain, source: label, source_id, concepts: 0, edges: 0, rules: 0, passages: 0, warnings: [warning] };
}
