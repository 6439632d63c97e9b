import { useState } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../types.js';
import type { Mend } from './use-mend.js';

/** Returns true where an edge is asserted by sources, not derived from text: only such ones are edited. */
export function isEditable({ properties }: GraphEdge): boolean {
  return properties.derived !== true;
}

/** Buttons that change or remove an edge, and the form that changes it. */
export function EdgeTools({ edge, domain, label, mend }: { readonly edge: GraphEdge; readonly domain: string; readonly label: string; readonly mend: Mend }) {
  const [open, setOpen] = useState(false);
  const [relation, setRelation] = useState(edge.relation_type);
  const [confidence, setConfidence] = useState(String(edge.confidence));
  const { source_id: source, target_id: target, relation_type } = edge;
  const name = { domain, source, relation: relation_type, target };
  if (!open) {
    return (
      <>
        <button type="button" class="link" onClick={() => setOpen(true)}>
          Change<span class="hidden"> {label}</span>
        </button>{' '}
        <button type="button" class="link" disabled={mend.busy} onClick={() => void mend.make({ type: 'remove_edge', ...name })}>
          Remove<span class="hidden"> {label}</span>
        </button>
      </>
    );
  }
  const save = async (): Promise<void> => {
    const done = await mend.make({
      type: 'change_edge',
      ...name,
      ...(relation.toUpperCase() === relation_type ? {} : { new_relation: relation }),
      ...(Number(confidence) === edge.confidence ? {} : { confidence: Number(confidence) }),
    });
    if (done) setOpen(false);
  };
  return (
    <form
      class="mend"
      aria-label={`Change ${label}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Relation <input required value={relation} onInput={(event) => setRelation(event.currentTarget.value)} />
      </label>
      <label>
        Confidence <input type="number" min="0" max="1" step="any" required value={confidence} onInput={(event) => setConfidence(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="submit" disabled={mend.busy}>
          Save
        </button>
        <button type="button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Adds an edge from this node to a concept by its name or id. */
export function AddEdge({ node, mend }: { readonly node: GraphNode; readonly mend: Mend }) {
  const [relation, setRelation] = useState('');
  const [target, setTarget] = useState('');
  const add = async (): Promise<void> => {
    if (!(await mend.make({ type: 'add_edge', domain: node.domain, source: node.id, relation, target }))) return;
    setRelation('');
    setTarget('');
  };
  return (
    <details>
      <summary>Add an edge</summary>
      <form
        class="mend"
        aria-label="Add an edge"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Relation <input required placeholder="REQUIRES" value={relation} onInput={(event) => setRelation(event.currentTarget.value)} />
        </label>
        <label>
          To the concept <input required placeholder="name or id" value={target} onInput={(event) => setTarget(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={mend.busy}>
          Add edge
        </button>
      </form>
    </details>
  );
}
