import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../shared/page.js';
import { ConceptForm } from '../mend/concept-form.js';
import { AddEdge, EdgeTools, isEditable } from '../mend/edge-forms.js';
import { AddRule, RuleTools } from '../mend/rule-forms.js';
import type { Mend } from '../mend/use-mend.js';
import { RuleList } from '../rule-list.js';
import { lastCrumb } from '../crumbs.js';
import type { Assertions, GraphEdge, GraphNode, Rule } from '../types.js';
import { edgeKey, type GraphState, kindOf, nameOf } from './graph-state.js';

interface NodePageProps {
  readonly node: GraphNode;
  readonly state: GraphState;
  readonly rules: readonly Rule[];
  readonly assertions: Assertions['assertions'];
  readonly mend: Mend;
  /** Name of the node where a path starts. */
  readonly start: string | undefined;
  readonly onStart: () => void;
  readonly onConnect: () => void;
  /** Takes the chosen start and this node for one. */
  readonly onMerge: () => void;
  readonly onOpen: (id: string) => void;
}

/** A node with its text, its evidence, its edges and its rules. */
export function NodePage({ node, state, rules, assertions, mend, start, onStart, onConnect, onMerge, onOpen }: NodePageProps) {
  const [changing, setChanging] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form belongs to one node
  useEffect(() => setChanging(false), [node.id]);
  const kind = kindOf(node);
  const edges = [...state.edges.values()].filter(({ source_id: from, target_id: to }) => from === node.id || to === node.id);
  const evidence = edges.filter(({ relation_type: relation, target_id: to }) => relation === 'MENTIONS' && to === node.id);
  return (
    <section class="node" aria-label="Node">
      <h2>{lastCrumb(nameOf(state, node.id))}</h2>
      <p class="meta">
        <span class="badge">{node.domain}</span> <span class="badge">{kind}</span> confidence {node.confidence.toFixed(2)}
      </p>
      {node.description !== '' && <p>{node.description}</p>}
      <Problem text={mend.error} />
      <p class="state" role="status" aria-live="polite">{mend.note}</p>
      {changing && <ConceptForm key={node.id} node={node} kind={kind} mend={mend} onClose={() => setChanging(false)} />}
      <div class="actions">
        {kind !== 'passage' && !changing && (
          <button type="button" onClick={() => setChanging(true)}>
            {kind === 'entity' ? 'Describe' : 'Change'}
          </button>
        )}
        <button type="button" onClick={onStart}>
          Path from here
        </button>
        <button type="button" disabled={start === undefined} onClick={onConnect}>
          {start === undefined ? 'Path to here' : `Path from ${start} to here`}
        </button>
        {start !== undefined && kind === 'concept' && (
          <button type="button" disabled={mend.busy} onClick={onMerge}>
            Merge {start} into this
          </button>
        )}
      </div>
      <Sources assertions={assertions} />
      {evidence.length > 0 && (
        <>
          <h3>Evidence</h3>
          <ul>
            {evidence.map((edge) => (
              <li key={edgeKey(edge)}>
                <q>{state.nodes.get(edge.source_id)?.description.slice(0, 300) ?? edge.source_id}</q>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Edges</h3>
      {edges.length === 0 && <p class="empty">None.</p>}
      <ul class="edges">
        {edges.slice(0, 200).map((edge) => (
          <EdgeLine key={edgeKey(edge)} edge={edge} node={node} state={state} mend={mend} onOpen={onOpen} />
        ))}
      </ul>
      {edges.length > 200 && <p class="empty">{edges.length - 200} more are on the canvas.</p>}
      {kind === 'concept' && <AddEdge node={node} mend={mend} />}
      <h3>Rules</h3>
      <RuleList rules={rules} tools={(rule) => <RuleTools key={rule.id} rule={rule} mend={mend} />} />
      {kind === 'concept' && <AddRule node={node} mend={mend} />}
    </section>
  );
}

function EdgeLine({ edge, node, state, mend, onOpen }: { readonly edge: GraphEdge; readonly node: GraphNode; readonly state: GraphState; readonly mend: Mend; readonly onOpen: (id: string) => void }) {
  const outward = edge.source_id === node.id;
  const other = outward ? edge.target_id : edge.source_id;
  const label = `the edge ${edge.relation_type} ${outward ? 'to' : 'from'} ${nameOf(state, other)}`;
  return (
    <li>
      <span aria-hidden="true">{outward ? '→' : '←'}</span> {edge.relation_type}{' '}
      <button type="button" class="link" onClick={() => onOpen(other)}>
        {lastCrumb(nameOf(state, other))}
      </button>{' '}
      <span class="meta">{edge.confidence.toFixed(2)}</span>
      {typeof edge.properties.evidence === 'string' && <q class="meta">{edge.properties.evidence.slice(0, 300)}</q>}{' '}
      {isEditable(edge) && <EdgeTools edge={edge} domain={node.domain} label={label} mend={mend} />}
    </li>
  );
}

/** What each source says of the node, what is visible first. */
function Sources({ assertions }: { readonly assertions: Assertions['assertions'] }) {
  if (assertions.length === 0) return null;
  return (
    <>
      <h3>Sources</h3>
      <ul class="edges">
        {assertions.map(({ source_id: id, label, kind, name, description, visible }) => (
          <li key={id}>
            {label} <span class="badge">{kind}</span>
            {!visible && <span class="meta"> says {description === '' ? name : `${name}: ${description}`}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
