import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { send } from '../shared/api.js';
import { Problem } from '../shared/page.js';
import { useAttempt } from '../shared/use-attempt.js';
import { Content } from './crumbs.js';
import type { ViewProps } from './main.js';
import { type Question, QuestionForm } from './question-form.js';
import { RuleList } from './rule-list.js';
import type { Comparison, Item } from './types.js';

const SHOWN = 8;

/** Cosine alone beside graph-enhanced retrieval: what moved, and what each found that the other missed. */
export function Compare({ domains }: ViewProps) {
  const [comparison, setComparison] = useState<Comparison>();
  const { busy, error, attempt } = useAttempt();
  const ask = (question: Question) =>
    attempt(async () => setComparison(await send<Comparison>('/v1/compare', { ...question, top_k: SHOWN })));
  return (
    <>
      <QuestionForm label="Question" action="Compare" domains={domains} disabled={busy} onAsk={(question) => void ask(question)} />
      <Problem text={error} />
      <p class="summary" role="status" aria-live="polite">
        {busy ? 'Comparing…' : (comparison?.summary ?? '')}
      </p>
      {comparison === undefined ? (
        <p class="empty">Asks the same question twice: by vectors alone, and with words, graph and rules.</p>
      ) : (
        <Both comparison={comparison} />
      )}
    </>
  );
}

interface Line {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

function Both({ comparison }: { readonly comparison: Comparison }) {
  const { vec_only: vectors, graph_enhanced: graph, diff } = comparison;
  const frame = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const missedByCosine = new Set(diff.graph_found_that_cosine_missed.map(({ id }) => id));
  const droppedByGraph = new Set(diff.cosine_found_that_graph_dropped.map(({ id }) => id));
  const delta = new Map(diff.rank_changes.map((change) => [change.id, change.delta]));
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = frame.current?.getBoundingClientRect();
      if (box === undefined) return;
      const middle = (side: string, id: string): number | undefined => {
        const place = frame.current?.querySelector(`[data-side="${side}"][data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();
        return place === undefined ? undefined : place.top - box.top + place.height / 2;
      };
      const joined = vectors.items.flatMap(({ id }) => {
        const [from, to] = [middle('vectors', id), middle('graph', id)];
        return from === undefined || to === undefined ? [] : [{ id, from, to }];
      });
      setLines(joined);
    };
    measure();
    const watch = new ResizeObserver(measure);
    if (frame.current !== null) watch.observe(frame.current);
    return () => watch.disconnect();
  }, [comparison]);
  return (
    <>
      <div class="both" ref={frame}>
        <Side side="vectors" title="Vectors only" items={vectors.items} alone={droppedByGraph} note="not found with the graph" delta={delta} />
        <svg class="lines" aria-hidden="true">
          {lines.map(({ id, from, to }) => (
            <line key={id} x1="0" x2="100%" y1={from} y2={to} class={(delta.get(id) ?? 0) > 0 ? 'up' : (delta.get(id) ?? 0) < 0 ? 'down' : ''} />
          ))}
        </svg>
        <Side side="graph" title="With the graph" items={graph.items} alone={missedByCosine} note="missed by vectors" delta={delta} />
      </div>
      <section>
        <h2>Rules that only the graph brings</h2>
        <RuleList rules={graph.rules} />
      </section>
    </>
  );
}

interface SideProps {
  readonly side: string;
  readonly title: string;
  readonly items: readonly Item[];
  /** Items that the other side does not have. */
  readonly alone: ReadonlySet<string>;
  readonly note: string;
  /** Places gained with the graph. */
  readonly delta: ReadonlyMap<string, number>;
}

function Side({ side, title, items, alone, note, delta }: SideProps) {
  return (
    <section>
      <h2>{title}</h2>
      {items.length === 0 && <p class="empty">Nothing.</p>}
      <ol class="items">
        {items.map((item, index) => (
          <li key={item.id} class={`card item${alone.has(item.id) ? ` alone ${side}` : ''}`} data-side={side} data-id={item.id}>
            <p class="meta">
              <span class="rank">{index + 1}</span> {item.score.toFixed(3)} {alone.has(item.id) && <span class={side === 'graph' ? 'badge on' : 'badge off'}>{note}</span>}
              {side === 'graph' && <Moved by={delta.get(item.id) ?? 0} />}
            </p>
            <p class="content short">
              <Content text={item.content} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Moved({ by }: { readonly by: number }) {
  if (by === 0) return null;
  return <span class={by > 0 ? 'badge on' : 'badge off'}>{by > 0 ? `up ${by}` : `down ${-by}`}</span>;
}
