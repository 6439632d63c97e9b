import { useState } from 'preact/hooks';
import { read, remove } from '../../shared/api.js';
import { short } from '../../shared/format.js';
import { Card, Problem, query } from '../../shared/page.js';
import { DataTable } from '../../shared/table.js';
import { useAttempt } from '../../shared/use-attempt.js';
import { useData } from '../../shared/use-data.js';
import type { ViewProps } from '../main.js';
import { DomainChoice } from '../question-form.js';
import type { Document, Documents as Listed } from '../types.js';
import { Turns } from '../sessions/turns.js';
import { ForgetDialog, type Forgetting } from './forget-dialog.js';
import { SourceList } from './source-list.js';
import { Upload } from './upload.js';

const PAGE = 200;

/** What was ingested: upload, list, forget; connected databases. */
export function Documents({ domains, refresh }: ViewProps) {
  const [domain, setDomain] = useState('');
  const [forgetting, setForgetting] = useState<Forgetting>();
  const [session, setSession] = useState<Document>();
  const { error, attempt } = useAttempt();
  const [note, setNote] = useState('');
  const [version, setVersion] = useState(0);
  const listed = useData(() => read<Listed>(`/v1/documents${query({ domain: domain === '' ? undefined : domain, limit: PAGE })}`), [domain]);
  const again = (): void => {
    listed.reload();
    setVersion((before) => before + 1);
    refresh();
  };
  const forget = ({ path, label }: Forgetting) =>
    attempt(async () => {
      setForgetting(undefined);
      const { removed } = await remove<{ removed: number }>(path);
      setNote(`${label} is forgotten: ${removed} nodes no longer exist.`);
      again();
    });
  return (
    <>
      <Upload domains={domains} onDone={again} />
      <Problem text={error ?? listed.error} />
      <p class="state" role="status" aria-live="polite">{note}</p>
      <Card title="Domains" wide>
        <DomainList onForget={setForgetting} version={version} />
      </Card>
      <Card title="Documents, texts and sessions" wide>
        <DomainChoice domains={domains} value={domain} onChange={setDomain} />
        <DocumentList documents={listed.data?.documents ?? []} onForget={setForgetting} onOpen={setSession} />
        {typeof listed.data?.next === 'string' && <p class="empty">The first {PAGE} are shown; choose a domain to see others.</p>}
        {session !== undefined && <Turns key={session.source_id} domain={session.domain} sessionId={session.label} onChange={again} />}
      </Card>
      <Card title="Connected databases" wide>
        <SourceList />
      </Card>
      {forgetting !== undefined && <ForgetDialog forgetting={forgetting} onForget={() => void forget(forgetting)} onClose={() => setForgetting(undefined)} />}
    </>
  );
}

function DomainList({ onForget, version }: { readonly onForget: (forgetting: Forgetting) => void; readonly version: number }) {
  const { data, error } = useData(
    () => read<{ domains: ReadonlyArray<{ name: string; concept_count: number; edge_count: number; rule_count: number }> }>('/v1/domains'),
    [version],
  );
  if (error !== undefined) return <Problem text={error} />;
  return (
    <DataTable
      caption="Domains and what they hold"
      rows={data?.domains ?? []}
      columns={[
        { title: 'domain', of: ({ name }) => name },
        { title: 'concepts', of: ({ concept_count: count }) => short(count), right: true },
        { title: 'edges', of: ({ edge_count: count }) => short(count), right: true },
        { title: 'rules', of: ({ rule_count: count }) => short(count), right: true },
        {
          title: 'forget',
          of: (domain) => (
            <button
              type="button"
              onClick={() =>
                onForget({
                  label: `The domain ${domain.name}`,
                  path: `/v1/domains/${encodeURIComponent(domain.name)}`,
                  counts: { concept: domain.concept_count, edge: domain.edge_count, rule: domain.rule_count },
                  note: 'The whole domain goes, with all of its documents.',
                })
              }
            >
              Forget {domain.name}
            </button>
          ),
        },
      ]}
    />
  );
}

function DocumentList({ documents, onForget, onOpen }: { readonly documents: readonly Document[]; readonly onForget: (forgetting: Forgetting) => void; readonly onOpen: (session: Document) => void }) {
  if (documents.length === 0) return <p class="empty">Nothing was ingested.</p>;
  return (
    <DataTable
      caption="Sources and what each asserts"
      rows={documents}
      columns={[
        { title: 'source', of: ({ label }) => label },
        { title: 'kind', of: ({ kind }) => kind },
        { title: 'domain', of: ({ domain }) => domain },
        { title: 'passages', of: ({ passages }) => short(passages), right: true },
        { title: 'concepts', of: ({ concepts }) => short(concepts), right: true },
        { title: 'rules', of: ({ rules }) => short(rules), right: true },
        { title: 'changed', of: ({ updated_at: at }) => at.slice(0, 16).replace('T', ' ') },
        {
          title: 'messages',
          of: (document) =>
            document.kind === 'session' && (
              <button type="button" onClick={() => onOpen(document)}>
                Show<span class="hidden"> the messages of {document.label}</span>
              </button>
            ),
        },
        {
          title: 'forget',
          of: ({ source_id: id, label, kind, passages, concepts, edges, rules }) => kind === 'edits' ? <a href="#mend">Undo edits</a> : (
            <button
              type="button"
              onClick={() =>
                onForget({
                  label,
                  path: `/v1/documents/${encodeURIComponent(id)}`,
                  counts: { passage: passages, concept: concepts, edge: edges, rule: rules },
                  note: 'What other sources assert as well stays.',
                })
              }
            >
              Forget <span class="hidden">{label}</span>
            </button>
          ),
        },
      ]}
    />
  );
}
