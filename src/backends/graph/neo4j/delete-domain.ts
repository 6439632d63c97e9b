import type { Writer } from './writer.js';

/** Removes a domain with all it holds; answers the ids of its nodes. */
export async function deleteDomain({ state, domain }: Writer): Promise<string[]> {
  const { tx } = state;
  const nodes = await tx.run<{ id: string }>('MATCH (n:Node {domain: $domain}) RETURN n.id AS id ORDER BY id', {
    domain,
  });
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
  state.touched = true;
  return nodes.map((node) => node.id);
}
