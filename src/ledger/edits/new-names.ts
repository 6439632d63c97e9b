import { sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import { conceptId } from '../../core/ids.js';
import { compare } from '../manifest/asserted.js';
import type { Writer } from '../tables.js';
import { conceptTarget, namedTarget } from './edit-types.js';
import type { ConceptFold } from './fold.js';

/** A name that an edit gave a concept. */
export interface NewName {
  readonly concept: string;
  /** Id of the concept that sources mean by this name. */
  readonly named: string;
}

/** Returns whether an edit ever gave a concept of the domain a name. */
export async function hasNewNames({ db, domain }: Writer): Promise<boolean> {
  const { rows } = await sql`select 1 from edit where domain = ${domain.ref} and type = 'change_concept'
    and other is not null limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the names that edits gave these concepts, and that lead to these ids; of undone edits too. */
export async function newNamesOf(w: Writer, ids: readonly string[]): Promise<NewName[]> {
  const targets = [...ids.map(conceptTarget), ...ids.map(namedTarget)];
  const rows = await forValues(w.db, targets)<{ target: string; other: string }>`
    select e.target, e.other from ${GIVEN} cross join edit e
    where e.domain = ${w.domain.ref} and e.target = given.v and e.type = 'change_concept' and e.other is not null
    union select e.target, e.other from ${GIVEN} cross join edit e
    where e.domain = ${w.domain.ref} and e.other = given.v and e.type = 'change_concept'`;
  const [concept, named] = [conceptTarget('').length, namedTarget('').length];
  return rows.map(({ target, other }) => ({ concept: target.slice(concept), named: other.slice(named) }));
}

/**
 * Returns the links of merges, and with them that what sources call by the new name of a concept is that concept, while it
 * is asserted. A concept that people merged, named or added themselves is left as they made it.
 */
export function linksByName(
  domain: string,
  around: { readonly links: ReadonlyMap<string, string>; readonly names: readonly NewName[] },
  {
    folds,
    isAsserted,
  }: { readonly folds: ReadonlyMap<string, ConceptFold>; readonly isAsserted: (id: string) => boolean },
): ReadonlyMap<string, string> {
  const links = new Map(around.links);
  const idOfName = (fold: ConceptFold | undefined) =>
    fold?.name === undefined ? undefined : conceptId(domain, fold.name);
  for (const { concept, named } of [...around.names].sort((a, b) => compare(a.concept, b.concept))) {
    if (idOfName(folds.get(concept)) !== named || !isAsserted(concept)) continue;
    const other = folds.get(named);
    if (other?.added !== undefined || (idOfName(other) ?? named) !== named) continue;
    if (!links.has(named) && !leadsTo(links, concept, named)) links.set(named, concept);
  }
  return links;
}

/** Returns whether links lead from one concept to another, or both are the same. */
function leadsTo(links: ReadonlyMap<string, string>, from: string, to: string): boolean {
  const seen = new Set<string>();
  for (let id: string | undefined = from; id !== undefined && !seen.has(id); id = links.get(id)) {
    if (id === to) return true;
    seen.add(id);
  }
  return false;
}
