import { useState } from 'preact/hooks';
import { Choice } from '../../shared/page.js';
import type { Answer, Item } from '../types.js';

interface SearchProps {
  readonly domains: readonly string[];
  readonly find: (question: { context: string; domains: readonly string[] }) => Promise<Answer>;
  readonly onChoose: (id: string) => void;
}

/** Finds nodes by a question or a name; a hit goes to the canvas. */
export function Search({ domains, find, onChoose }: SearchProps) {
  const [text, setText] = useState('');
  const [domain, setDomain] = useState('');
  const [hits, setHits] = useState<readonly Item[]>();
  const [error, setError] = useState<string>();
  const search = async (): Promise<void> => {
    try {
      setError(undefined);
      setHits((await find({ context: text, domains: domain === '' ? [] : [domain] })).items);
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <label class="grow">
          Search nodes
          <input type="search" required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <Choice label="Domain" value={domain} options={[['', 'all'], ...domains.map((name) => [name, name] as const)]} onChange={setDomain} />
        <button type="submit">Search</button>
      </form>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {hits !== undefined && (
        <ul class="hits" aria-label="Nodes that were found">
          {hits.length === 0 && <li class="empty">Nothing was found.</li>}
          {hits.map((item) => (
            <li key={item.id}>
              <button type="button" onClick={() => onChoose(item.node_id)}>
                {item.content.length > 70 ? `${item.content.slice(0, 68)}…` : item.content}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
