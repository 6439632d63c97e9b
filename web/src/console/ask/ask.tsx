import { useRef, useState } from 'preact/hooks';
import { send } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Choice, Problem } from '../../shared/page.js';
import { useAttempt } from '../../shared/use-attempt.js';
import type { ViewProps } from '../main.js';
import { type Question, QuestionForm } from '../question-form.js';
import { RuleList } from '../rule-list.js';
import type { Answer, Outcome } from '../types.js';
import { Introduction } from './introduction.js';
import { ItemCard } from './item-card.js';
import { useMovingList } from './moving-list.js';

const MODES = [
  ['auto', 'automatic'],
  ['graph', 'graph'],
  ['vec', 'vectors only'],
] as const;
const SHOWN = 10;

type QuestionInMode = Question & { readonly mode: string };

/** A question, what was found and why, and buttons that teach. */
export function Ask({ domains, refresh }: ViewProps) {
  const [mode, setMode] = useState('auto');
  const [sent, setSent] = useState<QuestionInMode>();
  const [answer, setAnswer] = useState<Answer>();
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const [note, setNote] = useState('');
  const [suggested, setSuggested] = useState<string>();
  const { busy, error, attempt } = useAttempt();
  const list = useRef<HTMLOListElement>(null);
  useMovingList(list, answer);
  const find = (question: QuestionInMode): Promise<Answer> => send<Answer>('/v1/query', { ...question, top_k: SHOWN });
  const ask = (question: QuestionInMode) =>
    attempt(async () => {
      const found = await find(question);
      setSent(question);
      setAnswer(found);
      setOutcomes({});
      refresh();
      setNote(`${counted(found.items.length, 'item')}. Accept what helps and reject what does not: the list ranks again.`);
    });
  const rate = (id: string, outcome: Outcome) =>
    attempt(async () => {
      if (sent === undefined || answer === undefined) return;
      await send('/v1/feedback', { query_id: answer.query_id, outcomes: { [id]: outcome }, source: 'console' });
      setOutcomes({ ...outcomes, [id]: outcome });
      const before = answer.items.findIndex((item) => item.id === id);
      const again = await find(sent);
      const after = again.items.findIndex((item) => item.id === id);
      setAnswer(again);
      setNote(moved(before, after));
    });

  const suggest = (text: string): void => {
    setSuggested(text);
    void ask({ context: text, domains: [], mode });
  };
  return (
    <>
      <QuestionForm label="Question" action="Ask" domains={domains} disabled={busy} suggested={suggested} onAsk={(question) => void ask({ ...question, mode })}>
        <Choice label="Mode" value={mode} options={MODES} onChange={setMode} />
      </QuestionForm>
      <Problem text={error} />
      <p class="state" role="status" aria-live="polite">
        {busy ? 'Asking…' : note}
      </p>
      {answer === undefined && <Introduction empty={domains.length === 0} onAsk={suggest} />}
      {answer !== undefined && (
        <div class="answer">
          <section>
            <h2>Found</h2>
            {answer.warnings?.map((warning) => <p class="warning" key={warning}>{warning}</p>)}
            {answer.items.length === 0 && <p class="empty">Nothing was found. Ask in other words, or add documents.</p>}
            <ol class="items" ref={list}>
              {answer.items.map((item, index) => (
                <ItemCard key={item.id} item={item} rank={index + 1} items={answer.items} outcome={outcomes[item.id]} busy={busy} onRate={(outcome) => void rate(item.id, outcome)} />
              ))}
            </ol>
          </section>
          <section>
            <h2>Rules that apply</h2>
            <RuleList rules={answer.rules} />
          </section>
        </div>
      )}
    </>
  );
}

function moved(before: number, after: number): string {
  if (after === -1) return 'Ranked again: the item is no longer among the first.';
  if (before === after) return `Ranked again: the item stays at ${after + 1}.`;
  return `Ranked again: the item moved from ${before + 1} to ${after + 1}.`;
}
