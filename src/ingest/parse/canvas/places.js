/** @typedef {Record<string, unknown>} Member */
/** @typedef {{ nodes: Member[], groups: { node: Member, place: Place }[] }} Place */
/** @typedef {{ node: Member, place: Place, depth: number, box: Box }} Group */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** Levels of groups within groups; what lies deeper stands in the last one. */
const DEEPEST = 6;

/** Returns the nodes of a canvas below the groups in which they lie, from the top to the bottom. @param {Member[]} nodes @returns {Place} */
export function below(nodes) {
  /** @type {Place} */
  const whole = { nodes: [], groups: [] };
  const boxed = nodes
    .map((node) => ({ node, box: boxOf(node) }))
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  const groups = boxed
    .filter(({ node }) => node.type === 'group')
    .map(({ node, box }) => ({ node, box, place: /** @type {Place} */ ({ nodes: [], groups: [] }), depth: 1 }))
    // The largest first: the last one that holds a node is the innermost.
    .sort((a, b) => areaOf(b.box) - areaOf(a.box));
  const placed = new Map(groups.map((group) => [group.node, group]));
  for (const [i, group] of groups.entries()) {
    const around = innermost(groups, group.box, i);
    group.depth = (around?.depth ?? 0) + 1;
  }
  const upTo = groups.filter(({ depth }) => depth <= DEEPEST);
  for (const { node, box } of boxed) {
    const group = placed.get(node);
    if (group === undefined) (innermost(upTo, box)?.place ?? whole).nodes.push(node);
    else if (group.depth <= DEEPEST) {
      const around = innermost(upTo, box, upTo.indexOf(group));
      (around?.place ?? whole).groups.push({ node, place: group.place });
    }
  }
  return whole;
}

/** Returns the last of the first `end` groups that holds the middle of a box. @param {Group[]} groups @param {Box} box */
function innermost(groups, { x, y, width, height }, end = groups.length) {
  const [across, down] = [x + width / 2, y + height / 2];
  for (let i = end - 1; i >= 0; i -= 1) {
    const { box, ...group } = groups[i];
    const isWithin = across >= box.x && across <= box.x + box.width && down >= box.y && down <= box.y + box.height;
    if (isWithin) return { ...group, box };
  }
  return undefined;
}

/** @param {Member} node @returns {Box} */
function boxOf({ x, y, width, height }) {
  return { x: numberOf(x), y: numberOf(y), width: numberOf(width), height: numberOf(height) };
}

/** @param {unknown} value */
function numberOf(value) {
  return Number.isFinite(value) ? Number(value) : 0;
}

/** @param {Box} box */
function areaOf({ width, height }) {
  return width * height;
}
