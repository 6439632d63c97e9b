export interface Place {
  readonly x: number;
  readonly y: number;
}

const SPACING = 55;
/** Between the nodes of a cluster, which show no labels from afar. */
const DENSE = 26;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Returns places that fill the plane evenly around a centre; the first is the centre itself. */
function onSpiral(centre: Place, index: number, spacing: number): Place {
  const radius = spacing * Math.sqrt(index);
  const angle = index * GOLDEN_ANGLE;
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
}

/** Returns `count` places around a centre, the nearest first, none of them on a place that is taken. */
export function freePlaces(centre: Place, count: number, taken: Iterable<Place>): Place[] {
  const cell = (at: Place, dx = 0, dy = 0): string => `${Math.floor(at.x / SPACING) + dx},${Math.floor(at.y / SPACING) + dy}`;
  const cells = new Map<string, Place[]>();
  for (const place of taken) {
    const key = cell(place);
    const known = cells.get(key);
    if (known === undefined) cells.set(key, [place]);
    else known.push(place);
  }
  const steps = [-1, 0, 1];
  const isFree = (at: Place): boolean =>
    !steps.some((dx) => steps.some((dy) => cells.get(cell(at, dx, dy))?.some((other) => Math.hypot(other.x - at.x, other.y - at.y) < 0.8 * SPACING)));
  const places: Place[] = [];
  for (let index = 0; places.length < count; index += 1) {
    const place = onSpiral(centre, index, SPACING);
    if (isFree(place)) places.push(place);
  }
  return places;
}

/** Returns places of nodes by id: each node with the most edges in the middle of its neighbours, the clusters side by side. */
export function clustered(neighbours: ReadonlyMap<string, readonly string[]>): Map<string, Place> {
  const places = new Map<string, Place>();
  const byDegree = [...neighbours].sort(([, a], [, b]) => b.length - a.length).map(([id]) => id);
  let used = 0;
  let turn = 0;
  for (const center of byDegree) {
    if (places.has(center)) continue;
    const cluster = [center, ...(neighbours.get(center) ?? []).filter((id) => !places.has(id))];
    // Clusters lie on a spiral; each takes the room of its nodes and a margin.
    const room = (Math.sqrt(cluster.length) + 2) ** 2;
    const radius = used === 0 ? 0 : DENSE * Math.sqrt(2 * (used + room / 2));
    const angle = turn * GOLDEN_ANGLE;
    const centre = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    for (const [index, id] of cluster.entries()) places.set(id, onSpiral(centre, index, DENSE));
    used += room;
    turn += 1;
  }
  return places;
}
