import { read } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Card, Problem } from '../../shared/page.js';
import { useData } from '../../shared/use-data.js';
import { readStarts } from '../starts.js';
import type { Documents, Domains } from '../types.js';
import { ScoreBar } from './score-bar.js';

const STARTS = 6;
const NAMED_DOCUMENTS = 4;

/** What somebody sees who has never been here: what the service knows, why it answers as it does, and how to make it better. */
export function Introduction({ empty, onAsk }: { readonly empty: boolean; readonly onAsk: (question: string) => void }) {
  return (
    <div class="introduction">
      <Card title="What it knows">{empty ? <NothingYet /> : <Known onAsk={onAsk} />}</Card>
      <Card title="Why it answers so">
        <p>Every item of an answer shows its score and how much of it came from the meaning of its text (vector), from its words (text) and from the graph:</p>
        <div aria-hidden="true">
          <ScoreBar score={0.8} metadata={{ vec_score: 0.5, text_score: 0.2, ppr_score: 0.3 }} />
        </div>
        <p>Below stand the words and names it shares with the question and, as a chain of cards, the way through the graph that led to it, with the sentence that says so.</p>
        <p>
          <a href="#compare">Compare</a> shows what vectors alone would have answered; <a href="#look">Look</a> draws the graph.
        </p>
      </Card>
      <Card title="How to make it better">
        <ul>
          <li>Accept or reject what an answer returned: the list ranks again at once, and later questions profit.</li>
          <li>
            Correct a name, a fact or a rule on the page of a node in <a href="#look">Look</a>; <a href="#mend">Mend</a> lists every change with its undo.
          </li>
          <li>
            Add and forget documents in <a href="#documents">Documents</a>.
          </li>
          <li>
            See what agents asked in <a href="#agents">Agents</a> and what ratings taught in <a href="#learning">Learning</a>.
          </li>
        </ul>
      </Card>
    </div>
  );
}

function NothingYet() {
  return (
    <p>
      The service knows nothing yet. Add documents under <a href="#documents">Documents</a>.
    </p>
  );
}

function Known({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const { data, error } = useData(async () => {
    const [{ domains }, { documents }, starts] = await Promise.all([
      read<{ domains: Domains }>('/v1/domains'),
      read<Documents>('/v1/documents?limit=200'),
      readStarts(STARTS),
    ]);
    return { domains, documents, starts };
  }, []);
  if (data === undefined) return <Problem text={error} />;
  return (
    <>
      <ul class="domains">
        {data.domains.map(({ name, concept_count: concepts, rule_count: rules }) => (
          <li key={name}>
            <strong>{name}</strong>: {counted(concepts, 'concept')}, {counted(rules, 'rule')}
            <span class="meta"> {documentsOf(data.documents, name)}</span>
          </li>
        ))}
      </ul>
      {data.starts.length > 0 && (
        <>
          <p>Try a question:</p>
          <ul class="hits" aria-label="Try one of these">
            {data.starts.map(({ id, name }) => (
              <li key={id}>
                <button type="button" onClick={() => onAsk(`What is ${name}?`)}>
                  What is {name}?
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** `from handbook.md and 3 more`. */
function documentsOf(documents: Documents['documents'], domain: string): string {
  const labels = documents.filter((document) => document.domain === domain && document.kind !== 'edits').map(({ label }) => label);
  if (labels.length === 0) return '';
  const more = labels.length - NAMED_DOCUMENTS;
  return `from ${labels.slice(0, NAMED_DOCUMENTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
