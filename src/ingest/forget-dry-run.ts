import { hasRemoved } from '../backends/store/removed-messages.js';
import { domainNotFound } from '../core/errors.js';
import { type ForgetResult, forgettable, sourceNotFound } from './forget.js';
import type { LoadPorts } from './write/ports.js';

/** Returns how many sources `forgetSource` would forget: 1. Throws what it would throw; changes nothing. */
export async function forgettableSource(ports: LoadPorts, id: string): Promise<number> {
  const source = await forgettable(ports, id);
  if (source === undefined && !(await hasRemoved(ports.store.db, id))) throw sourceNotFound(id);
  return 1;
}

/** Returns how many sources and nodes `forgetDomain` would remove. `domain_not_found` if there is none; changes nothing. */
export async function forgettableOfDomain({ graph }: LoadPorts, domain: string): Promise<ForgetResult> {
  const known = await graph.getDomain(domain);
  if (known === null) throw domainNotFound(domain);
  const sources = (await graph.listSources({ domain })).length;
  return { sources, removed: known.concept_count + known.passages };
}
