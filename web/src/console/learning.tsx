import { useState } from 'preact/hooks';
import { read } from '../shared/api.js';
import { counted } from '../shared/format.js';
import { Interval } from '../shared/interval.js';
import { Card, Choice, Problem, Tile } from '../shared/page.js';
import { served } from '../shared/served.js';
import { DataTable } from '../shared/table.js';
import { useData } from '../shared/use-data.js';
import type { ViewProps } from './main.js';
import type { Interoception, Posteriors, Stats } from './types.js';
import { useNames } from './use-names.js';

interface Taught {
  readonly report: Interoception;
  readonly stats: Stats;
}

/** What feedback taught: factors of edges and items with their reasons, weights of domains, learners with their arms. */
export function Learning(_props: ViewProps) {
  const { data, error } = useData<Taught>(async () => {
    const [report, stats] = await Promise.all([read<Interoception>('/v1/interoception?limit=50'), read<Stats>('/v1/stats')]);
    return { report, stats };
  }, []);
  return (
    <>
      <Problem text={error} />
      <p>
        Ratings of answers make edges and items count for more or less; a factor of 1 changes nothing. What runs of agents teach and cost is on two
        pages of their own: <a href={served('/__gateway__/api/learning/dashboard')}>Learning of agents</a> and <a href={served('/__gateway__/api/green/dashboard')}>Emissions</a>.
      </p>
      {data !== undefined && <Report {...data} />}
    </>
  );
}

function Report({ report, stats }: Taught) {
  const { factors, buffer, edges, items, domains } = report;
  const { outcomes, feedback_given: given } = stats.activity;
  const nameOf = useNames([...edges.flatMap(({ source_id: from, target_id: to }) => [from, to]), ...items.map(({ item_id: id }) => id)]);
  const learners = Object.keys(stats.learning.learner_breakdown).sort();
  return (
    <>
      <div class="tiles">
        <Tile label="Feedback" value={report.enabled ? 'on' : 'off'} note={`${counted(given, 'rating')}: ${outcomes.accepted ?? 0} accepted, ${outcomes.partial ?? 0} partly, ${outcomes.rejected ?? 0} rejected`} />
        <Tile label="Edge factors" value={factors.count} note={`from ${factors.min.toFixed(2)} to ${factors.max.toFixed(2)}, mean ${factors.mean.toFixed(2)}`} />
        <Tile label="Buffer" value={buffer.buffered_edges} note="pairs of items that were useful together" />
        <Tile label="Promoted" value={buffer.total_promoted} note="pairs that became edges" />
      </div>
      <Card title="Edges that feedback made stronger or weaker" wide>
        {edges.length === 0 ? (
          <p class="empty">None yet.</p>
        ) : (
          <DataTable
            caption="Edge factors, changed last first"
            rows={latestFirst(edges)}
            columns={[
              { title: 'edge', of: (edge) => <a href={`#look/${encodeURIComponent(edge.source_id)}`}>{`${nameOf(edge.source_id)} ${edge.relation_type} ${nameOf(edge.target_id)}`}</a> },
              { title: 'factor', of: ({ factor }) => factor.toFixed(3), right: true },
              { title: 'ratings', of: ({ events }) => events, right: true },
              { title: 'why', of: ({ why }) => why.map(({ query, outcome }) => `${query} (${outcome ?? 'rated'})`).join('; ') },
            ]}
          />
        )}
      </Card>
      <Card title="Items that feedback raised or lowered" wide>
        {items.length === 0 ? (
          <p class="empty">None yet.</p>
        ) : (
          <DataTable
            caption="Items, changed last first"
            rows={latestFirst(items)}
            columns={[
              { title: 'item', of: ({ item_id: id }) => <a href={`#look/${encodeURIComponent(id)}`}>{nameOf(id)}</a> },
              { title: 'question', of: ({ query }) => query },
              { title: 'factor', of: ({ factor }) => factor.toFixed(3), right: true },
              { title: 'ratings', of: ({ events }) => events, right: true },
            ]}
          />
        )}
      </Card>
      <Card title="Domains that rank in a way of their own" wide>
        {domains.length === 0 ? (
          <p class="empty">None yet: a domain learns from five rated questions on, with right and wrong items each.</p>
        ) : (
          <DataTable
            caption="Domains, most rated questions first"
            rows={domains}
            columns={[
              { title: 'domain', of: ({ domain }) => domain },
              { title: 'rated questions', of: ({ questions }) => questions, right: true },
              { title: 'counts for more', of: ({ changes }) => meaningsOf(changes.filter(({ from, to }) => to > from)) },
              { title: 'counts for less', of: ({ changes }) => meaningsOf(changes.filter(({ from, to }) => to < from)) },
            ]}
          />
        )}
      </Card>
      <Card title="Learners" wide>
        {learners.length === 0 ? <p class="empty">No learner has observed anything.</p> : <Learners names={learners} />}
      </Card>
    </>
  );
}

function Learners({ names }: { readonly names: readonly string[] }) {
  const [name, setName] = useState(names[0] ?? '');
  const { data, error } = useData(() => read<{ posteriors: Posteriors }>(`/v1/learning/${encodeURIComponent(name)}/posteriors`), [name]);
  const arms = Object.entries(data?.posteriors ?? {}).sort(([, a], [, b]) => b.mean - a.mean);
  return (
    <>
      <Choice label="Learner" value={name} options={names.map((one) => [one, one] as const)} onChange={setName} />
      <Problem text={error} />
      <DataTable
        caption={`Arms of ${name}, best first`}
        rows={arms.slice(0, 200)}
        columns={[
          { title: 'arm', of: ([id]) => id },
          { title: 'mean', of: ([, { mean }]) => mean.toFixed(3), right: true },
          { title: '95 % interval', of: ([, arm]) => intervalOf(arm), right: true },
          { title: 'from 0 to 1', of: ([, { mean, credible_interval: interval }]) => <Interval mean={mean} {...interval} /> },
          { title: 'pulls', of: ([, { pulls }]) => pulls, right: true },
        ]}
      />
    </>
  );
}

function intervalOf(arm: Posteriors[string]): string {
  const { lower, upper } = arm.credible_interval;
  return `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
}

/** What moved most in words, with the weights before and after. */
function meaningsOf(changes: Interoception['domains'][number]['changes']): string {
  return changes
    .slice(0, 3)
    .map(({ feature, meaning, from, to }) => `${feature}: ${meaning} (${from.toFixed(2)} → ${to.toFixed(2)})`)
    .join('; ');
}

/** Sorted by the last rating behind each, the newest first. */
function latestFirst<T extends { readonly why: Interoception['edges'][number]['why'] }>(rows: readonly T[]): T[] {
  const last = ({ why }: T): string => why.reduce((latest, { at }) => (at > latest ? at : latest), '');
  return [...rows].sort((a, b) => (last(a) < last(b) ? 1 : last(a) > last(b) ? -1 : 0));
}
