import { Type } from '@sinclair/typebox';
import { operations as op } from '../../operations/index.js';
import { defaulted } from '../../operations/operation.js';
import { acceptUpload } from '../body/upload.js';
import { ClientExploreResult, ClientQueryResult, ClientRulesResult, clientRules } from './client-shapes.js';
import { foundNode } from './found-node.js';
import type { Input, RouteRow } from './row.js';

const FeedbackInput = Type.Object({
  ...op.feedback.input.properties,
  source: defaulted(op.feedback.input.properties.source, 'http'),
});
const Migrated = Type.Object({ migrated: Type.Integer(), duration_seconds: Type.Number() });

/** Variant B: ten routes. Every row accepts every member of its operation's input. */
export const variantB: readonly RouteRow[] = [
  { method: 'GET', path: '/api/v1/health', operation: op.health, auth: 'open' },
  {
    method: 'POST',
    path: '/api/v1/query',
    operation: op.query,
    reply: clientRules,
    shown: { output: ClientQueryResult },
  },
  {
    method: 'POST',
    path: '/api/v1/feedback',
    operation: op.feedback,
    accept: fromHttp,
    shown: { input: FeedbackInput },
  },
  {
    method: 'GET',
    path: '/api/v1/explore/{node_id}',
    operation: op.explore,
    reply: (output, input) => clientRules(foundNode(output, input)),
    shown: { output: ClientExploreResult },
  },
  {
    method: 'GET',
    path: '/api/v1/rules',
    operation: op.rules,
    reply: clientRules,
    shown: { output: ClientRulesResult },
  },
  {
    method: 'GET',
    path: '/api/v1/domains',
    operation: op.domains,
    reply: bareList,
    shown: { output: op.domains.output.properties.domains },
  },
  { method: 'GET', path: '/api/v1/status', operation: op.status },
  { method: 'POST', path: '/api/v1/ingest', operation: op.ingest_upload, body: 'multipart', accept: acceptUpload },
  { method: 'POST', path: '/api/v1/ingest/text', operation: op.ingest_text },
  { method: 'POST', path: '/api/v1/ingest/structured', operation: op.ingest_structured },
  {
    method: 'POST',
    path: '/api/v1/migrate/vec',
    operation: op.migrate_vec,
    reply: migrated,
    shown: { output: Migrated },
  },
];

function fromHttp(input: Input): Input {
  return { ...input, source: input.source ?? 'http' };
}

function bareList(output: { domains: unknown[] }): unknown {
  return output.domains;
}

function migrated(output: { vectors_written: number; duration_seconds: number }): unknown {
  return { migrated: output.vectors_written, duration_seconds: output.duration_seconds };
}
