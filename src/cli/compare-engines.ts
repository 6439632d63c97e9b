import type { Store } from '../backends/store/scope.js';
import { damagedNamedVectors, indexDifferences, wrongCounts } from '../ingest/repair/differences.js';
import type { Check } from './check.js';

export const ADVICE = '`doctor --repair` mends it';

/**
 * Compares the text index and the concept index in the store with the nodes of the ledger, and counts with rows. Names
 * vectors of other indexes that cannot be read, where there are some.
 */
export async function compareEngines(store: Store): Promise<Check[]> {
  const differences = await indexDifferences(store);
  const checks = differences.map(({ index, nodes, missing, stale, damaged }): Check => {
    if (missing + stale + damaged === 0)
      return { name: index, state: 'ok', found: `holds the ledger's ${nodes} nodes` };
    const unreadable = damaged === 0 ? '' : `, ${damaged} cannot be read`;
    const problem = `${missing} of ${nodes} nodes are missing, ${stale} are of no node${unreadable}; ${ADVICE}`;
    return { name: index, state: 'warning', found: problem };
  });
  return [ledgerCheck(await wrongCounts(store)), ...checks, ...(await namedVectors(store))];
}

async function namedVectors(store: Store): Promise<Check[]> {
  return [...(await damagedNamedVectors(store))].map(([index, ids]) => {
    const which = `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`;
    const found = `${ids.length} cannot be read (${which}); upsert them again`;
    return { name: `vectors of ${index}`, state: 'warning', found };
  });
}

/** Says whether the counts of domains equal their rows; `names`: the domains whose counts do not. */
export function ledgerCheck(names: readonly string[]): Check {
  if (names.length === 0) return { name: 'ledger', state: 'ok', found: 'its counts equal its rows' };
  const found = `counts differ from rows in ${names.slice(0, 5).join(', ')}; ${ADVICE}`;
  return { name: 'ledger', state: 'warning', found };
}
