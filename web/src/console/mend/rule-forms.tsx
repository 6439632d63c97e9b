import { useState } from 'preact/hooks';
import type { GraphNode, Rule } from '../types.js';
import type { Mend } from './use-mend.js';

/** Buttons that change or remove an explicit rule; a derived one goes with its edge. */
export function RuleTools({ rule, mend }: { readonly rule: Rule; readonly mend: Mend }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(rule.text);
  const name = { domain: rule.domain, rule_id: rule.id };
  if (rule.derivation === 'derived') return <p class="meta">Derived from an edge: change or remove the edge.</p>;
  if (!open) {
    return (
      <p>
        <button type="button" class="link" onClick={() => setOpen(true)}>
          Change<span class="hidden"> the rule {rule.text}</span>
        </button>{' '}
        <button type="button" class="link" disabled={mend.busy} onClick={() => void mend.make({ type: 'remove_rule', ...name })}>
          Remove<span class="hidden"> the rule {rule.text}</span>
        </button>
      </p>
    );
  }
  const save = async (): Promise<void> => {
    if (await mend.make({ type: 'change_rule', ...name, text })) setOpen(false);
  };
  return (
    <form
      class="mend"
      aria-label="Change the rule"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Rule <textarea rows={3} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
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

/** Adds a rule that applies to this node. */
export function AddRule({ node, mend }: { readonly node: GraphNode; readonly mend: Mend }) {
  const [text, setText] = useState('');
  const add = async (): Promise<void> => {
    if (await mend.make({ type: 'add_rule', domain: node.domain, text, concepts: [node.id] })) setText('');
  };
  return (
    <details>
      <summary>Add a rule</summary>
      <form
        class="mend"
        aria-label="Add a rule"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Rule <textarea rows={3} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={mend.busy}>
          Add rule
        </button>
      </form>
    </details>
  );
}
