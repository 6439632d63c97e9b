import { Content } from '../crumbs.js';
import type { Item, ItemMetadata, Outcome } from '../types.js';
import { ScoreBar } from './score-bar.js';
import { WhyChain } from './why-chain.js';

const OUTCOMES: ReadonlyArray<readonly [Outcome, string]> = [
  ['accepted', 'Accept'],
  ['partial', 'Partly'],
  ['rejected', 'Reject'],
];

interface ItemCardProps {
  readonly item: Item;
  /** From 1. */
  readonly rank: number;
  /** All items of the answer: a way may start at one of them. */
  readonly items: readonly Item[];
  readonly outcome: Outcome | undefined;
  readonly busy: boolean;
  readonly onRate: (outcome: Outcome) => void;
}

/** One item: its text, its score, why it is here, and what the person says of it. */
export function ItemCard({ item, rank, items, outcome, busy, onRate }: ItemCardProps) {
  const metadata = item.metadata as ItemMetadata;
  return (
    <li class="card item" data-id={item.id}>
      <p class="meta">
        <span class="rank">{rank}</span> <span class="badge">{item.domain}</span> {metadata.kind !== undefined && <span class="badge">{metadata.kind}</span>}{' '}
        {metadata.source !== undefined && <span class="source">{metadata.source}</span>}
      </p>
      <p class="content">
        <Content text={item.content} />
      </p>
      <ScoreBar score={item.score} metadata={metadata} />
      {metadata.why !== undefined && <WhyChain item={item} why={metadata.why} items={items} />}
      {/* A button that is disabled while it has the focus loses it. */}
      <div class="actions" role="group" aria-label={`What you say of item ${rank}`}>
        {OUTCOMES.map(([name, text]) => (
          <button key={name} type="button" aria-disabled={busy} aria-pressed={outcome === name} onClick={() => busy || onRate(name)}>
            {text}
          </button>
        ))}
        <a href={`#look/${encodeURIComponent(item.node_id)}`}>Look at it in the graph</a>
      </div>
    </li>
  );
}
