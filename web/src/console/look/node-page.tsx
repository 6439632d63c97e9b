import { RuleList } from '../rule-list.js';
import type { GraphEdge, GraphNode, Rule } from '../types.js';
import { edgeKey, type GraphState, kindOf, sourceOf } from './graph-state.js';

interface NodePageProps {
  readonly node: GraphNode;
  readonly state: GraphState;
  readonly rules: readonly Rule[];
  /** Name of the node where a path starts. */
  readonly start: string | undefined;
  readonly onStart: () => void;
  readonly onConnect: () => void;
  readonly onOpen: (id: string) => void;
}

/** A node with its text, its evidence, its edges and its rules. */
export function NodePage({ node, state, rules, start, onStart, onConnect, onOpen }: NodePageProps) {
  const edges = [...state.edges.values()].filter(({ source_id: from, target_id: to }) => from === node.id || to === node.id);
  const evidence = edges.filter(({ relation_type: relation, target_id: to }) => relation === 'MENTIONS' && to === node.id);
  const source = sourceOf(node);
  return (
    <section class="node" aria-label="Node">
      <h2>{node.name}</h2>
      <p class="meta">
        <span class="badge">{node.domain}</span> <span class="badge">{kindOf(node)}</span> confidence {node.confidence.toFixed(2)}
      </p>
      {node.description !== '' && <p>{node.description}</p>}
      {source !== '' && <p class="meta">Source {source}</p>}
      <div class="actions">
        <button type="button" onClick={onStart}>
          Path from here
        </button>
        <button type="button" disabled={start === undefined} onClick={onConnect}>
          {start === undefined ? 'Path to here' : `Path from ${start} to here`}
        </button>
      </div>
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
          <EdgeLine key={edgeKey(edge)} edge={edge} node={node} state={state} onOpen={onOpen} />
        ))}
      </ul>
      {edges.length > 200 && <p class="empty">{edges.length - 200} more are on the canvas.</p>}
      <h3>Rules</h3>
      <RuleList rules={rules} />
    </section>
  );
}

function EdgeLine({ edge, node, state, onOpen }: { readonly edge: GraphEdge; readonly node: GraphNode; readonly state: GraphState; readonly onOpen: (id: string) => void }) {
  const outward = edge.source_id === node.id;
  const other = outward ? edge.target_id : edge.source_id;
  return (
    <li>
      <span aria-hidden="true">{outward ? '→' : '←'}</span> {edge.relation_type}{' '}
      <button type="button" class="link" onClick={() => onOpen(other)}>
        {state.nodes.get(other)?.name ?? other}
      </button>{' '}
      <span class="meta">{edge.confidence.toFixed(2)}</span>
    </li>
  );
}
