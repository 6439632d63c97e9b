import { useState } from 'preact/hooks';
import { read } from '../../shared/api.js';
import { short } from '../../shared/format.js';
import { Card, Problem } from '../../shared/page.js';
import { DataTable } from '../../shared/table.js';
import { useData } from '../../shared/use-data.js';
import { lastCrumb } from '../crumbs.js';
import type { ViewProps } from '../main.js';
import { Turns } from '../sessions/turns.js';
import type { Document, Documents, Queries } from '../types.js';
import { JobList } from './job-list.js';

/** What agents do: their questions with what came back and how it was rated, their conversations, jobs as they run. */
export function Agents({ refresh }: ViewProps) {
  return (
    <>
      <RecentQueries />
      <Sessions refresh={refresh} />
      <Card title="Jobs" wide>
        <JobList />
      </Card>
    </>
  );
}

const PAGE = 25;

function RecentQueries() {
  const [offset, setOffset] = useState(0);
  const { data, error, reload } = useData(() => read<Queries>(`/v1/queries?limit=${PAGE}&offset=${offset}`), [offset]);
  const { queries = [], total = 0 } = data ?? {};
  return (
    <Card title="Recent queries" wide>
      <Problem text={error} />
      {queries.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <DataTable
          caption={`Queries ${offset + 1} to ${offset + queries.length} of ${total}`}
          rows={queries}
          columns={[
            { title: 'query', of: ({ query }) => query },
            { title: 'domains', of: ({ domains }) => (domains.length === 0 ? 'all' : domains.join(', ')) },
            { title: 'mode', of: ({ mode }) => mode },
            { title: 'returned', of: ({ items }) => <Returned items={items} /> },
            { title: 'at', of: ({ at }) => at.slice(0, 16).replace('T', ' ') },
          ]}
        />
      )}
      <div class="actions">
        {offset > 0 && <button type="button" onClick={() => setOffset(offset - PAGE)}>Newer queries</button>}
        {offset + queries.length < total && <button type="button" onClick={() => setOffset(offset + PAGE)}>Older queries</button>}
        <button type="button" onClick={reload}>Read queries anew</button>
      </div>
    </Card>
  );
}

function Returned({ items }: Pick<Queries['queries'][number], 'items'>) {
  if (items.length === 0) return <>nothing</>;
  return (
    <ol class="returned">
      {items.slice(0, 5).map(({ id, name, score, ratings }) => (
        <li key={id}>
          <a href={`#look/${encodeURIComponent(id)}`}>{name === null || name === '' ? id : lastCrumb(name)}</a> {score.toFixed(2)}{' '}
          {ratings.map(({ source, outcome }) => (
            <span key={source} class={`badge ${outcome === 'rejected' ? 'off' : 'on'}`}>
              {outcome} by {source}
            </span>
          ))}
        </li>
      ))}
      {items.length > 5 && <li class="empty more">{items.length - 5} more</li>}
    </ol>
  );
}

function Sessions({ refresh }: { readonly refresh: () => void }) {
  const [open, setOpen] = useState<Document>();
  const { data, error, reload } = useData(() => read<Documents>('/v1/documents?limit=10000'), []);
  const sessions = (data?.documents ?? []).filter(({ kind }) => kind === 'session');
  return (
    <Card title="Conversations" wide>
      <Problem text={error} />
      {sessions.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <DataTable
          caption="Sessions"
          rows={sessions}
          columns={[
            { title: 'session', of: ({ label }) => label },
            { title: 'domain', of: ({ domain }) => domain },
            { title: 'messages', of: ({ passages }) => short(passages), right: true },
            { title: 'changed', of: ({ updated_at: at }) => at.slice(0, 16).replace('T', ' ') },
            {
              title: 'turns',
              of: (session) => (
                <button type="button" onClick={() => setOpen(session)}>
                  Show<span class="hidden"> the turns of {session.label}</span>
                </button>
              ),
            },
          ]}
        />
      )}
      {open !== undefined && (
        <Turns
          key={open.source_id}
          domain={open.domain}
          sessionId={open.label}
          onChange={() => {
            reload();
            refresh();
          }}
        />
      )}
    </Card>
  );
}
