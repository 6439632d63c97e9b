import { normaliseName } from '../../../../core/ids.js';
import { endNorms } from '../../../../ledger/manifest/ends.js';
import { eachTurned, type NodeChanges } from '../../../../ledger/manifest/node-changes.js';
import type { SourceChange } from '../../../../ledger/manifest/source-change.js';
import type { ConceptChange } from './write-concepts.js';
import type { Writer } from './writer.js';

/** What may stand for another node after a write than before it. */
export interface Turning {
  /** Typed edges at nodes that go, change their names, or may be overtaken by nodes that come. */
  readonly edges: readonly string[];
  /** Normalised ends that may stand for a node that came, went or changed its name. */
  readonly norms: ReadonlySet<string>;
}

/** Finds them before anything is written, as removed nodes take their relationships along. */
export async function planTurning(w: Writer, changes: NodeChanges): Promise<Turning> {
  const nodes = new Set<string>();
  const norms = new Set<string>();
  const keys = new Set<string>();
  eachTurned(changes, (id, seen, was) => {
    for (const norm of endNorms(w.domain, { id, norm: seen?.norm ?? null })) norms.add(norm);
    if (was) nodes.add(id);
    else if (seen !== null) keys.add(seen.key);
  });
  const { state, domain } = w;
  const [known] = await state.tx.run<{ edges: boolean }>('RETURN EXISTS { MATCH (a:Assertion) } AS edges');
  if (known?.edges !== true) return { edges: [], norms: new Set() };
  const overtaken = await state.each<{ id: string }>(
    // A list, not a row each: planned while the graph was empty, a row each could mean a scan each.
    `MATCH (n:Node) USING INDEX SEEK n:Node(domain, short) WHERE n.domain = $domain AND n.short IN $rows RETURN n.id AS id`,
    shortsOf(domain, norms),
    { domain },
  );
  const named = await state.each<{ id: string }>(
    'MATCH (n:Concept) WHERE n.domain = $domain AND n.key IN $rows RETURN n.id AS id',
    keys,
    { domain },
  );
  for (const row of [...overtaken, ...named]) nodes.add(row.id);
  const edges = await state.each<{ id: string }>(
    'UNWIND $rows AS id MATCH (n:Node {id: id})-[r]-(:Node) WHERE r.id IS NOT NULL RETURN DISTINCT r.id AS id',
    nodes,
  );
  return { edges: [...new Set(edges.map((edge) => edge.id))], norms };
}

/** An end may be written with the domain before the id or without it. */
function shortsOf(domain: string, norms: Iterable<string>): Set<string> {
  const prefix = `${normaliseName(domain)}:`;
  const shorts = new Set<string>();
  for (const norm of norms) {
    shorts.add(norm);
    if (norm.startsWith(prefix)) shorts.add(norm.slice(prefix.length).trim());
  }
  return shorts;
}

/** Nodes that this write makes: nobody asserted an edge between them before. */
export function madeHere(
  { concepts, passages }: NodeChanges<ConceptChange>,
  changes: readonly SourceChange[],
): ReadonlySet<string> {
  if (changes.length === 0) return new Set();
  return new Set([
    ...concepts.filter((change) => change.fresh).map((change) => change.id),
    ...passages.filter((change) => change.before === null).map((change) => change.id),
  ]);
}
