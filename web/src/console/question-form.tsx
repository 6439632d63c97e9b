import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Choice } from '../shared/page.js';

/** What is asked of the service: a text, and the domains to look in (none: all). */
export interface Question {
  readonly context: string;
  readonly domains: readonly string[];
}

interface QuestionFormProps {
  readonly label: string;
  /** Text of the button. */
  readonly action: string;
  readonly domains: readonly string[];
  readonly disabled?: boolean;
  /** Text that takes the place of what was typed. */
  readonly suggested?: string | undefined;
  readonly onAsk: (question: Question) => void;
  /** Further controls, before the button. */
  readonly children?: ComponentChildren;
}

/** A text and a domain, and a button that asks. */
export function QuestionForm({ label, action, domains, disabled, suggested, onAsk, children }: QuestionFormProps) {
  const [text, setText] = useState('');
  const [domain, setDomain] = useState('');
  useEffect(() => {
    if (suggested !== undefined) setText(suggested);
  }, [suggested]);
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ context: text, domains: domain === '' ? [] : [domain] });
      }}
    >
      <label class="grow">
        {label}
        <input type="search" required value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <DomainChoice domains={domains} value={domain} onChange={setDomain} />
      {children}
      <button type="submit" disabled={disabled}>
        {action}
      </button>
    </form>
  );
}

interface DomainChoiceProps {
  readonly domains: readonly string[];
  /** Empty for all. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Chooses one domain, or all. */
export function DomainChoice({ domains, value, onChange }: DomainChoiceProps) {
  return <Choice label="Domain" value={value} options={[['', 'all'], ...domains.map((name) => [name, name] as const)]} onChange={onChange} />;
}
