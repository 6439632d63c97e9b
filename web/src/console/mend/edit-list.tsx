import { useState } from 'preact/hooks';
import { read, send } from '../../shared/api.js';
import { Card, Problem, query } from '../../shared/page.js';
import { DataTable } from '../../shared/table.js';
import { useData } from '../../shared/use-data.js';
import type { ViewProps } from '../main.js';
import { DomainChoice } from '../question-form.js';
import { Search } from '../look/search.js';
import type { Answer, Edit, Edits } from '../types.js';
import { labelOf, useMend } from './use-mend.js';

const PAGE = 50;

/** What people changed by hand, the newest first, each with its undo. */
export function EditList({ domains, refresh }: ViewProps) {
  const [domain, setDomain] = useState('');
  const [offset, setOffset] = useState(0);
  const listed = useData(() => read<Edits>(`/v1/edits${query({ domain: domain === '' ? undefined : domain, limit: PAGE, offset })}`), [domain, offset]);
  const mend = useMend(() => {
    listed.reload();
    refresh();
  });
  const { edits = [], total = 0 } = listed.data ?? {};
  return (
    <>
      <p>
        Every change by hand outranks what documents say, survives when they are read anew, and can be undone. Find
        what is wrong here or in <a href="#look">Look</a>: the page of a node changes its name and description, its edges and its rules, and merges it with another. Messages and
        sessions are removed in <a href="#documents">Documents</a>.
      </p>
      <Search
        domains={domains}
        find={(question) => send<Answer>('/v1/query', { ...question, top_k: 10 })}
        onChoose={(id) => {
          location.hash = `look/${encodeURIComponent(id)}`;
        }}
      />
      <Problem text={mend.error ?? listed.error} />
      <p class="state" role="status" aria-live="polite">{mend.note}</p>
      <Card title="Changes by hand" wide>
        <DomainChoice
          domains={domains}
          value={domain}
          onChange={(chosen) => {
            setDomain(chosen);
            setOffset(0);
          }}
        />
        {edits.length === 0 ? (
          <p class="empty">Nothing was changed by hand.</p>
        ) : (
          <DataTable
            caption={`Changes ${offset + 1} to ${offset + edits.length} of ${total}`}
            rows={edits}
            columns={[
              { title: 'change', of: (edit) => <Changed edit={edit} /> },
              { title: 'domain', of: (edit) => edit.domain },
              { title: 'state', of: ({ state }) => <span class="badge">{state === 'inert' ? 'inert: its target is gone' : state}</span> },
              { title: 'made', of: ({ created_at: at }) => at.slice(0, 16).replace('T', ' ') },
              {
                title: 'undo',
                of: (edit) =>
                  edit.undone_at === null && (
                    <button type="button" disabled={mend.busy} onClick={() => void mend.undo(edit)}>
                      Undo<span class="hidden"> that it {labelOf(edit)}</span>
                    </button>
                  ),
              },
            ]}
          />
        )}
        <div class="actions">
          {offset > 0 && <button type="button" onClick={() => setOffset(offset - PAGE)}>Newer</button>}
          {offset + edits.length < total && <button type="button" onClick={() => setOffset(offset + PAGE)}>Older</button>}
        </div>
      </Card>
    </>
  );
}

function Changed({ edit }: { readonly edit: Edit }) {
  const id = edit.change.id ?? edit.change.source ?? edit.change.into_id;
  return typeof id === 'string' ? <a href={`#look/${encodeURIComponent(id)}`}>{labelOf(edit)}</a> : <>{labelOf(edit)}</>;
}
