import { useState } from 'preact/hooks';
import { read, send } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Problem } from '../../shared/page.js';
import { DataTable } from '../../shared/table.js';
import { useAttempt } from '../../shared/use-attempt.js';
import { useData } from '../../shared/use-data.js';
import type { Sources, Synced, SyncState } from '../types.js';

/** Connected databases, how far each was read, and a button that reads it anew. */
export function SourceList() {
  const listed = useData(async () => {
    const { sources } = await read<{ sources: Sources }>('/v1/sources');
    return Promise.all(sources.map(({ source_id: id }) => read<SyncState>(pathOf(id))));
  }, []);
  const { busy, error, attempt } = useAttempt();
  const [note, setNote] = useState('');
  const sync = (id: string) =>
    attempt(async () => {
      setNote(`Reading ${id} anew…`);
      try {
        setNote(`${id}: ${resultOf(await send<Synced>(pathOf(id), {}))}`);
      } catch (problem) {
        setNote('');
        throw problem;
      } finally {
        listed.reload();
      }
    });
  const sources = listed.data;
  return (
    <>
      <Problem text={error ?? listed.error} />
      <p class="state" role="status" aria-live="polite">{note}</p>
      {sources?.length === 0 && (
        <p class="empty">None. Connect one by <code>svc sources connect</code> or over HTTP.</p>
      )}
      {sources !== undefined && sources.length > 0 && (
        <DataTable
          caption="Databases and how far they were read"
          rows={sources}
          columns={[
            { title: 'database', of: ({ source_id: id }) => id },
            { title: 'tables', of: ({ tables }) => tables.length, right: true },
            { title: 'state', of: (source) => stateOf(source) },
            { title: 'rows read last', of: ({ tables }) => tables.reduce((sum, { rows_read: rows }) => sum + rows, 0), right: true },
            {
              title: 'sync',
              of: ({ source_id: id }) => (
                <button type="button" disabled={busy} onClick={() => void sync(id)}>
                  Read {id} anew
                </button>
              ),
            },
          ]}
        />
      )}
    </>
  );
}

const pathOf = (id: string): string => `/v1/sources/${encodeURIComponent(id)}/sync`;

/** Says of a database which tables are not read to their end. */
function stateOf({ tables }: SyncState): string {
  const named = (state: string): string[] => tables.filter((table) => table.state === state).map(({ name }) => name);
  const [never, incomplete] = [named('never'), named('incomplete')];
  if (never.length === tables.length) return 'never read';
  const open = [
    ...(incomplete.length === 0 ? [] : [`not read to the end: ${incomplete.join(', ')}`]),
    ...(never.length === 0 ? [] : [`never read: ${never.join(', ')}`]),
  ];
  return open.length === 0 ? 'read to the end' : open.join('; ');
}

function resultOf({ rows_read: read, rows_added: added, rows_forgotten: forgotten, errors }: Synced): string {
  const done = `${counted(read, 'row')} read, ${added} new or changed, ${forgotten} forgotten.`;
  return errors.length === 0 ? done : `${done} ${errors.join(' ')}`;
}
