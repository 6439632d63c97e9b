import { useState } from 'preact/hooks';
import { Problem } from '../../shared/page.js';
import { useAttempt } from '../../shared/use-attempt.js';
import { type Question, QuestionForm } from '../question-form.js';
import { Content } from '../crumbs.js';
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
              <button type="button" onClick={() => {
                  setHits(undefined);
                  onChoose(item.node_id);
                }}>
                <Content text={shortened(item.content)} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Without the headings above the last one, and not longer than a line. */
function shortened(content: string): string {
  const title = content.slice(0, Math.max(0, content.indexOf(': ')));
  const text = content.slice(title.lastIndexOf(' > ') + (title.includes(' > ') ? 3 : 1));
  return text.length > 70 ? `${text.slice(0, 68)}…` : text;
}
