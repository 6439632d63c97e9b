import { useState } from 'preact/hooks';
import type { GraphNode } from '../types.js';
import type { Mend } from './use-mend.js';

/** Changes a concept's name and description; a bare name found in text becomes a concept. */
export function ConceptForm({ node, kind, mend, onClose }: { readonly node: GraphNode; readonly kind: string; readonly mend: Mend; readonly onClose: () => void }) {
  const [name, setName] = useState(node.name);
  const [description, setDescription] = useState(node.description);
  const save = async (): Promise<void> => {
    const { domain, id } = node;
    const changed = { ...(name === node.name ? {} : { name }), ...(description === node.description ? {} : { description }) };
    const done =
      kind === 'entity'
        ? await mend.make({ type: 'add_concept', domain, name, description })
        : await mend.make({ type: 'change_concept', domain, id, ...changed });
    if (done) onClose();
  };
  return (
    <form
      class="mend"
      aria-label="Change the concept"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Name <input required value={name} readOnly={kind === 'entity'} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        Description <textarea rows={4} value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="submit" disabled={mend.busy}>
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
