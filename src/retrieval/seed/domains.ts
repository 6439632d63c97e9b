import type { GraphBackend } from '../../backends/graph/port.js';
import { coversDomain, currentCaller } from '../../core/async/caller-scope.js';
import { forEachInSlices } from '../../core/async/slices.js';
import { domainNotFound } from '../../core/errors.js';
import { editDistance, mostChanges } from '../../core/text/edit-distance.js';

/** A longer name is pasted rather than typed. In characters. */
const LONGEST = 60;
/** Near names that an error gives, at most. */
const MOST = 3;

/** Returns each requested domain once, in order; undefined for all. */
export function namesOf(requested: readonly string[] | undefined): readonly string[] | undefined {
  return requested === undefined || requested.length === 0 ? undefined : [...new Set(requested)].sort();
}

/** Returns the domains to search: undefined for all. Throws `domain_not_found` for one that does not exist, with the names near it. */
export async function checkedDomains(
  graph: GraphBackend,
  requested: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const names = namesOf(requested);
  if (names === undefined) return undefined;
  const found = await Promise.all(names.map((name) => graph.getDomain(name)));
  const absent = names[found.indexOf(null)];
  if (absent === undefined) return names;
  const near = await namesNear(graph, absent);
  throw domainNotFound(absent, { member: 'domains', ...(near.length === 0 ? {} : { near }) });
}

/** Returns the domains whose names are a few letters from a name, or hold it, the nearest first; those that the caller may see. */
async function namesNear(graph: GraphBackend, wanted: string): Promise<string[]> {
  if (wanted.length > LONGEST) return [];
  const scope = currentCaller()?.scope;
  const small = wanted.toLowerCase();
  const most = mostChanges(small.length);
  const near: Array<{ readonly name: string; readonly distance: number }> = [];
  await forEachInSlices(await graph.listDomains(), ({ name }) => {
    if (scope !== undefined && !coversDomain(scope, name)) return;
    const distance = distanceOf(small, name.toLowerCase(), most);
    if (distance <= most) near.push({ name, distance });
  });
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, MOST).map(({ name }) => name);
}

/** Returns how many letters two names are apart, `most` where one holds the other, and more than that where they are far. */
function distanceOf(wanted: string, name: string, most: number): number {
  const far = Math.abs(wanted.length - name.length) > most;
  const distance = far ? most + 1 : editDistance(wanted, name);
  return distance > most && wanted.length > 2 && name.includes(wanted) ? most : distance;
}
