import { useEffect, useState } from 'preact/hooks';
import { send } from '../shared/api.js';
import { lastCrumb } from './crumbs.js';
import type { Neighbourhood } from './types.js';

const MOST = 60;
/** Names that were read, as long as the page lives. */
const known = new Map<string, string>();

/** Reads what nodes are called, a message by its first words; answers an id for a node that is not read or not there. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const [, setRead] = useState(0);
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, MOST);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are what it depends on
  useEffect(() => {
    let wanted = true;
    void Promise.all(missing.map(readName)).then(() => wanted && setRead((before) => before + 1));
    return () => {
      wanted = false;
    };
  }, [missing.join(' ')]);
  return (id) => known.get(id) ?? id;
}

async function readName(id: string): Promise<void> {
  try {
    const { node } = await send<Neighbourhood>('/v1/explore', { node_id: id, limit: 1 });
    known.set(id, node === null ? id : lastCrumb(node.name || node.description.slice(0, 60)) || id);
  } catch {
    known.set(id, id);
  }
}
