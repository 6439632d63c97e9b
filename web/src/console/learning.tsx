import { useState } from 'preact/hooks';
import { read } from '../shared/api.js';
import { Card, Choice, Problem, Tile } from '../shared/page.js';
import { DataTable } from '../shared/table.js';
import { useData } from '../shared/use-data.js';
import type { ViewProps } from './main.js';
import type { Interoception, Posteriors, Stats } from './types.js';

interface Taught {
  readonly report: Interoception;
  readonly stats: Stats;
}

/** What feedback taught: factors of edges and items with their reasons, learners with their arms. */
export function Learning(_props: ViewProps) {
  const { data, error } = useData<Taught>(async () => {
    const [report, stats] = await Promise.all([read<Interoception>('/v1/interoception?limit=50'), read<Stats>('/v1/stats')]);
    return { report, stats };
  }, []);
  return (
    <>
      <Problem text={error} />
      <p>
        What agent runs teach and cost is on two pages of their own: <a href="/__gateway__/api/learning/dashboard">Learning</a> and{' '}
        <a href="/__gateway__/api/green/dashboard">Emissions</a>.
      </p>
      {data !== undefined && <Report {...data} />}
    </>
  );
}

function Report({ report, stats }: Taught) {
  const { factors, buffer, edges, items } = report;
  const { outcomes, feedback_given: given } = stats.activity;
  const learners = Object.keys(stats.learning.learner_breakdown).sort();
  return (
    <>
      <div class="tiles">
        <Tile label="Feedback" value={report.enabled ? 'on' : 'off'} note={`${given} ratings: ${outcomes.accepted ?? 0} accepted, ${outcomes.partial ?? 0} partly, ${outcomes.rejected ?? 0} rejected`} />
        <Tile label="Edge factors" value={factors.count} note={`from ${factors.min.toFixed(2)} to ${factors.max.toFixed(2)}, mean ${factors.mean.toFixed(2)}`} />
        <Tile label="Buffer" value={buffer.buffered_edges} note="pairs of items that were useful together" />
        <Tile label="Promoted" value={buffer.total_promoted} note="pairs that became edges" />
      </div>
      <Card title="Edges that feedback made stronger or weaker" wide>
        {edges.length === 0 ? (
          <p class="empty">None yet.</p>
        ) : (
          <DataTable
            caption="Edge factors, strongest first"
            rows={edges}
            columns={[
              { title: 'edge', of: (edge) => <a href={`#look/${encodeURIComponent(edge.source_id)}`}>{`${edge.source_id} ${edge.relation_type} ${edge.target_id}`}</a> },
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
            caption="Item priors, strongest first"
            rows={items}
            columns={[
              { title: 'item', of: ({ item_id: id }) => <a href={`#look/${encodeURIComponent(id)}`}>{id}</a> },
              { title: 'question', of: ({ query }) => query },
              { title: 'factor', of: ({ factor }) => factor.toFixed(3), right: true },
              { title: 'ratings', of: ({ events }) => events, right: true },
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
