import { newClearing } from './clearing.js';
import type { Writer } from './writer.js';

/**
 * Removes a domain with all it holds; answers the ids of its nodes. One of more than `atOnce` elements only gets the label
 * `Going` in place of `Domain`, under which nobody finds it, and other writers are kept out: `state.clearing` says what is
 * to be cleared after this transaction, in steps. If this process dies before that has ended, the next writer goes on.
 */
export async function deleteDomain({ state, domain }: Writer, atOnce: number): Promise<string[]> {
  const { tx } = state;
  const [size] = await tx.run<{ elements: number }>(
    'MATCH (n:Node {domain: $domain}) RETURN sum(1 + COUNT { (n)--() }) AS elements',
    { domain },
  );
  const nodes = await tx.run<{ id: string }>('MATCH (n:Node {domain: $domain}) RETURN n.id AS id ORDER BY id', {
    domain,
  });
  state.touched = true;
  if ((size?.elements ?? 0) > atOnce) {
    await tx.run('MATCH (d:Domain {name: $domain}) SET d:Going REMOVE d:Domain', { domain });
    state.clearing = newClearing();
    return nodes.map((node) => node.id);
  }
  await tx.run('MATCH (s:Source {domain: $domain}) MATCH (a:Assertion {source_id: s.id}) DELETE a', { domain });
  // An index of two properties serves a statement that names both; every value is at least the empty string.
  for (const [label, second] of [
    ['Rule', 'id'],
    ['Word', 'word'],
    ['Key', 'key'],
  ] as const) {
    await tx.run(
      `MATCH (x:${label}) USING INDEX SEEK x:${label}(domain, ${second})
       WHERE x.domain = $domain AND x.${second} >= '' DETACH DELETE x`,
      { domain },
    );
  }
  for (const label of ['Node', 'Source']) {
    await tx.run(`MATCH (x:${label}) WHERE x.domain = $domain DETACH DELETE x`, { domain });
  }
  await tx.run('MATCH (d:Domain {name: $domain}) DELETE d', { domain });
  return nodes.map((node) => node.id);
}
