import { useState } from 'preact/hooks';
import { Problem } from '../../shared/page.js';
import { useAttempt } from '../../shared/use-attempt.js';
import { type Question, QuestionForm } from '../question-form.js';
import type { Answer, Item } from '../types.js';

interface SearchProps {
  readonly domains: readonly string[];
  readonly find: (question: Question) => Promise<Answer>;
  readonly onChoose: (id: string) => void;
}

/** Finds nodes by a question or a name; a hit goes to the canvas. */
export function Search({ domains, find, onChoose }: SearchProps) {
  const [hits, setHits] = useState<readonly Item[]>();
  const { error, attempt } = useAttempt();
  const search = (question: Question) => attempt(async () => setHits((await find(question)).items));
  return (
    <>
      <QuestionForm label="Search nodes" action="Search" domains={domains} onAsk={(question) => void search(question)} />
      <Problem text={error} />
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
