import type { GraphBackend } from '../../backends/graph/port.js';
import type { EditInput } from '../../core/edits/edit-input.js';
import { SvcError } from '../../core/errors.js';
import { conceptId, normaliseName, ruleId } from '../../core/ids.js';
import type { GraphEdge, GraphNode, GraphRule } from '../../core/model.js';
import { nameKey } from '../../core/text/keys.js';
import type { EditBody } from '../../ledger/edits/edit-types.js';
import type { EditRequest } from '../../ledger/edits/edit-writer.js';

/**
 * Returns the edit that an input asks for, with ids in place of names and what is visible before it. Errors name the
 * member: `node_not_found` or `not_found` for what does not exist, `conflict` for what exists already, `invalid_input`
 * for what edits cannot change. Removals of messages are resolved apart.
 */
export async function resolveEdit(graph: GraphBackend, input: EditInput): Promise<EditRequest> {
  switch (input.type) {
    case 'add_concept':
      return addConcept(graph, input);
    case 'change_concept':
      return changeConcept(graph, input);
    case 'add_edge':
    case 'change_edge':
    case 'remove_edge':
      return editEdge(graph, input);
    case 'add_rule':
      return addRule(graph, input);
    case 'change_rule':
    case 'remove_rule':
      return editRule(graph, input);
    default:
      return { body: { type: 'merge', from_id: input.from_id!, into_id: input.into_id! }, before: {} };
  }
}

async function addConcept(
  graph: GraphBackend,
  { domain, name = '', description = '' }: EditInput,
): Promise<EditRequest> {
  const id = conceptId(domain, name);
  const { now, before } = await nodesNamed(graph, domain, name);
  const there = now ?? before;
  if (there?.kind === 'concept') {
    throw conflict('name', `Concept "${name}" exists already as ${there.id}; use type change_concept to change it.`);
  }
  return { body: { type: 'add_concept', id, name: name.trim(), description }, before: {} };
}

async function changeConcept(graph: GraphBackend, input: EditInput): Promise<EditRequest> {
  const node = await conceptOf(graph, input.domain, { member: 'id', given: input.id! });
  const name = input.name?.trim();
  const { description } = input;
  if ((name ?? node.name) === node.name && (description ?? node.description) === node.description) {
    const member = name === undefined ? 'description' : 'name';
    throw invalid(member, `${member} is what the concept has already; send what is to be different.`);
  }
  if (name !== undefined) await checkNameIsFree(graph, { node, name, domain: input.domain });
  return {
    body: { type: 'change_concept', id: node.id, name, description },
    before: { name: node.name, description: node.description },
  };
}

/** Two concepts of one name would be told apart by their ids alone. */
async function checkNameIsFree(
  graph: GraphBackend,
  { node, name, domain }: { readonly node: GraphNode; readonly name: string; readonly domain: string },
): Promise<void> {
  const { now: other } = await nodesNamed(graph, domain, name);
  if (other === undefined || other.id === node.id) return;
  throw conflict('name', `name is that of concept ${other.id}; merge the two instead, or choose another name.`);
}

async function editEdge(graph: GraphBackend, input: EditInput): Promise<EditRequest> {
  const { domain } = input;
  const source = await conceptOf(graph, domain, { member: 'source', given: input.source! });
  const target = await conceptOf(graph, domain, { member: 'target', given: input.target! });
  const relation = input.relation!.toUpperCase();
  const between = await graph.getEdges({ source_id: source.id, target_id: target.id });
  const edge = between.find((found) => found.relation_type === relation);
  const names = { source: source.name, target: target.name };
  const key = { source: source.id, relation, target: target.id };
  const { confidence, properties } = input;
  if (input.type === 'add_edge') {
    if (edge !== undefined) throw conflict('relation', `${edge.id} exists already; use type change_edge to change it.`);
    return { body: { type: 'add_edge', ...key, confidence, properties }, before: names };
  }
  if (edge === undefined) {
    const there = between.map((found) => found.relation_type).join(', ');
    const what = there === '' ? 'no edge leads from source to target' : `from source to target there is ${there}`;
    throw new SvcError('not_found', `relation ${relation} does not exist: ${what}.`, { member: 'relation' });
  }
  const before = { ...names, confidence: edge.confidence, properties: edge.properties };
  if (input.type === 'remove_edge') return { body: { type: 'remove_edge', ...key }, before };
  return { body: changeOf(edge, { key, between, input }), before };
}

function changeOf(
  edge: GraphEdge,
  {
    key,
    between,
    input,
  }: {
    readonly key: { readonly source: string; readonly relation: string; readonly target: string };
    readonly between: readonly GraphEdge[];
    readonly input: EditInput;
  },
): EditBody {
  const { confidence, properties } = input;
  const relation = input.new_relation?.toUpperCase();
  if (relation === undefined || relation === key.relation) {
    if (confidence === undefined && properties === undefined) {
      throw invalid('new_relation', 'new_relation is the one that the edge has; send what is to be different.');
    }
    return { type: 'change_edge', ...key, confidence, properties };
  }
  const taken = between.find((found) => found.relation_type === relation);
  if (taken !== undefined) throw conflict('new_relation', `${taken.id} exists already; remove one of the two instead.`);
  // The edge of the new relation stands by itself.
  const whole = { confidence: confidence ?? edge.confidence, properties: properties ?? edge.properties };
  return { type: 'change_edge', ...key, new_relation: relation, ...whole };
}

async function addRule(graph: GraphBackend, input: EditInput): Promise<EditRequest> {
  const { domain, category, confidence, concepts } = input;
  const text = input.text!.trim();
  const rule_id = ruleId(domain, { text, ...(input.name === undefined ? {} : { name: input.name }) });
  if ((await rulesOf(graph, domain, rule_id)).length > 0) {
    throw conflict(input.name === undefined ? 'text' : 'name', `Rule ${rule_id} exists already; use type change_rule.`);
  }
  return { body: { type: 'add_rule', rule_id, text, category, confidence, concepts }, before: {} };
}

async function editRule(graph: GraphBackend, input: EditInput): Promise<EditRequest> {
  const { domain, category, confidence, concepts } = input;
  const rule_id = input.rule_id!;
  const [rule] = await rulesOf(graph, domain, rule_id);
  if (rule === undefined) {
    if (rule_id.startsWith('derived:')) {
      throw invalid('rule_id', 'rule_id is of a rule derived from an edge; change or remove that edge instead.');
    }
    throw new SvcError(
      'not_found',
      `rule_id ${rule_id} is no rule of domain ${domain}; list the rules to see theirs.`,
      {
        member: 'rule_id',
      },
    );
  }
  const before = { text: rule.text, category: rule.category, confidence: rule.confidence };
  if (input.type === 'remove_rule') return { body: { type: 'remove_rule', rule_id }, before };
  return { body: { type: 'change_rule', rule_id, text: input.text?.trim(), category, confidence, concepts }, before };
}

function rulesOf(graph: GraphBackend, domain: string, id: string): Promise<GraphRule[]> {
  return graph.getRules({ ids: [id], domains: [domain], include_derived: false });
}

/** Returns the concept that has this name now, and the node that the name makes an id of: it may have another one since. */
async function nodesNamed(graph: GraphBackend, domain: string, name: string) {
  const id = conceptId(domain, name);
  const infos = await graph.lookupKeys([domain], [nameKey(name)]);
  const nodes = await graph.getNodes([...new Set([id, ...infos.flatMap(({ about }) => about)])]);
  const norm = normaliseName(name);
  const now = nodes.find(
    (node) => node.kind === 'concept' && node.domain === domain && normaliseName(node.name) === norm,
  );
  return { now, before: nodes.find((node) => node.id === id) };
}

/** Returns the concept of a domain that an id or a name stands for: its name of now, else the one it had. */
async function conceptOf(
  graph: GraphBackend,
  domain: string,
  { member, given }: { readonly member: string; readonly given: string },
): Promise<GraphNode> {
  const [byId, { now, before }] = await Promise.all([graph.getNode(given), nodesNamed(graph, domain, given)]);
  const node = [byId, now, before].find((found) => found?.domain === domain);
  if (node == null) {
    throw new SvcError('node_not_found', `${member} ${given} is no concept of domain ${domain}; send its id.`, {
      member,
    });
  }
  if (node.kind === 'concept') return node;
  throw invalid(
    member,
    node.kind === 'passage'
      ? `${member} is a passage of a document; edits change concepts. Ingest the document anew instead.`
      : `${member} is a bare name that texts mention; add it as a concept first, with type add_concept.`,
  );
}

function invalid(member: string, sentence: string): SvcError {
  return new SvcError('invalid_input', sentence, { member });
}

function conflict(member: string, sentence: string): SvcError {
  return new SvcError('conflict', sentence, { member });
}
