import type { operations } from '../../src/operations/index.js';
import type { TestService } from '../service/harness.js';

/** A query of another key. */
export interface Logged {
  readonly query_id: string;
  readonly items: ReadonlyArray<{ readonly id: string }>;
}

/** What a key of domain `own` tries on domain `others`; every operation that is not an area's has its line. */
export async function foreignAttempts(
  test: TestService,
  logged: Logged,
): Promise<Partial<Record<keyof typeof operations, object>>> {
  const { graph } = test.service;
  const [concept, other] = (await graph.findNodes({ domain: 'others', kind: 'concept' })).map(({ id }) => id);
  const [source] = await graph.listSources({ domain: 'others' });
  const domain = 'others';
  const rule = {
    rule: 'x',
    category: 'y',
    provenance: { id: 'rule:x', domain, derivation: 'explicit', confidence: 1 },
  };
  const seed = { persona: 'p', version: 1, rules: [rule], metadata: { source: 'svc', rule_count: 1 } };
  return {
    status: {},
    domains: {},
    stats: {},
    query: { context: 'the vault and its key' },
    compare: { context: 'the vault and its key' },
    explore: { node_id: concept },
    nodes_named: { name: 'Vault' },
    rules: {},
    feedback: { query_id: logged.query_id, outcomes: { [logged.items[0]!.id]: 'rejected' } },
    queries: {},
    session_messages: { domain, session_id: 's' },
    forget_message: { domain, session_id: 's', message_id: 'm' },
    assertions: { node_id: concept },
    edits: {},
    edit: { domain, type: 'add_concept', name: 'Intruder' },
    edit_undo: { edit_id: 'none' },
    project: { persona: 'p' },
    ingest_upload: { domain, file_name: 'a.txt', temporary_path: '/nowhere' },
    ingest_text: { domain, text: 'Overwritten.', name: 'others book' },
    ingest_structured: { domain, concepts: [{ name: 'Intruder' }] },
    ingest_message: { domain, text: 'Intruder.', session_id: 's' },
    ingest_messages: { domain, messages: [{ text: 'Intruder.', session_id: 's' }] },
    ingest_seed: { seed },
    job_ingest: { domain, paths: ['a.txt'] },
    jobs: {},
    job: { job_id: 'none' },
    job_files: { job_id: 'none' },
    job_cancel: { job_id: 'none' },
    job_retry: { job_id: 'none' },
    documents: {},
    forget_document: { source_id: source!.source_id },
    forget_domain: { name: domain },
    entities_resolve: { domain },
    entities_merge: { domain, from_id: concept, into_id: other },
    entities_merges: {},
    entities_undo: { merge_id: 'none' },
  };
}
