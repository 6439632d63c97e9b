import type { ComponentChildren } from 'preact';
import type { Rule } from './types.js';

/** Rules with their category and where they come from. */
export function RuleList({ rules, tools }: { readonly rules: readonly Rule[]; readonly tools?: (rule: Rule) => ComponentChildren }) {
  if (rules.length === 0) return <p class="empty">No rules.</p>;
  return (
    <ul class="rules">
      {rules.map((rule) => (
        <li key={rule.id} class="card">
          <p>{rule.text}</p>
          <p class="meta">
            <span class="badge">{rule.category}</span> <span class="badge">{rule.derivation}</span> {rule.domain} · confidence {rule.confidence.toFixed(2)}
          </p>
          {tools?.(rule)}
        </li>
      ))}
    </ul>
  );
}
