import { useState } from 'preact/hooks';
import { read } from '../../shared/api.js';
import { Problem, query } from '../../shared/page.js';
import { useData } from '../../shared/use-data.js';
import { useMend } from '../mend/use-mend.js';
import type { Messages } from '../types.js';

const PAGE = 100;

/** The turns of one conversation; each message, and the whole session, can be removed and brought back by undoing that. */
export function Turns({ domain, sessionId, onChange }: { readonly domain: string; readonly sessionId: string; readonly onChange: () => void }) {
  const [offset, setOffset] = useState(0);
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}/messages`;
  const { data, error, reload } = useData(() => read<Messages>(`${path}${query({ domain, limit: PAGE, offset })}`), [path, domain, offset]);
  const mend = useMend(({ type }) => {
    if (type === 'remove_message') reload();
    onChange();
  });
  const { messages = [], total = 0 } = data ?? {};
  return (
    <section aria-label={`Session ${sessionId}`}>
      <h3>
        {sessionId} <span class="badge">{domain}</span>
      </h3>
      <Problem text={mend.error ?? error} />
      <p class="state" role="status" aria-live="polite">{mend.note}</p>
      <ol class="turns">
        {messages.map(({ node_id: id, text, role, speaker, timestamp }) => (
          <li key={id}>
            <p class="meta">
              <a href={`#look/${encodeURIComponent(id)}`}>{speaker ?? role}</a> {timestamp?.slice(0, 16).replace('T', ' ')}{' '}
              <button type="button" class="link" disabled={mend.busy} onClick={() => void mend.make({ type: 'remove_message', domain, session_id: sessionId, node_id: id })}>
                Remove<span class="hidden"> the message {text.slice(0, 60)}</span>
              </button>
            </p>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <div class="actions">
        {offset > 0 && <button type="button" onClick={() => setOffset(offset - PAGE)}>Earlier</button>}
        {offset + messages.length < total && <button type="button" onClick={() => setOffset(offset + PAGE)}>Later</button>}
        {total > 0 && (
          <button type="button" class="danger" disabled={mend.busy} onClick={() => void mend.make({ type: 'remove_session', domain, session_id: sessionId })}>
            Remove session {sessionId}
          </button>
        )}
      </div>
    </section>
  );
}
