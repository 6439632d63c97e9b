import { elementsOf, readXml } from './tree.js';

/**
 * Returns the path in an archive that a reference leads to, from the file that holds it; undefined where it leads out of the archive, or into the net.
 * @param {string} from @param {string} written Percent-encoded; what stands behind `#` or `?` is no part of the path.
 * @returns {string | undefined}
 */
export function pathFrom(from, written) {
  const path = percentDecoded(written.split(/[#?]/u, 1)[0] ?? '');
  if (path === '' || /^[a-z][\w+.-]*:/iu.test(path)) return undefined;
  const steps = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.length === 0) return undefined;
      steps.pop();
    } else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** @param {string} written */
function percentDecoded(written) {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** What a file of Office refers to. @typedef {{ id: string, type: string, path: string }} Relation */

/**
 * Returns what a file of an Office archive refers to within it.
 * @param {Map<string, Uint8Array>} files @param {string} name
 * @returns {Relation[]}
 */
export function relationsOf(files, name) {
  const at = name.lastIndexOf('/') + 1;
  const root = readXml(files.get(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`));
  return elementsOf(root, 'Relationship').flatMap(({ attributes }) => {
    const path = attributes.TargetMode === 'External' ? undefined : pathFrom(name, attributes.Target ?? '');
    if (path === undefined) return [];
    // "…/officeDocument/2006/relationships/slideLayout"
    return [{ id: attributes.Id ?? '', type: (attributes.Type ?? '').split('/').at(-1) ?? '', path }];
  });
}
