import { Type } from '@sinclair/typebox';
import { operations as op } from '../../operations/index.js';
import { JobPaths } from '../../operations/jobs.js';
import { acceptFiles } from '../body/upload.js';
import type { RouteRow } from './row.js';

const { uploads: _, ...members } = op.job_ingest.input.properties;
/** The files of a form take the place of `paths`. */
const JobInput = Type.Object({ ...members, paths: JobPaths });

/** Jobs that callers ask for. */
export const jobRows: readonly RouteRow[] = [
  {
    method: 'POST',
    path: '/v1/jobs/ingest',
    operation: op.job_ingest,
    body: 'json-or-files',
    headers: { idempotency_key: 'Idempotency-Key' },
    status: 202,
    accept: acceptFiles,
    shown: { input: JobInput },
  },
  { method: 'GET', path: '/v1/jobs', operation: op.jobs },
  { method: 'GET', path: '/v1/jobs/{job_id}', operation: op.job },
  { method: 'GET', path: '/v1/jobs/{job_id}/files', operation: op.job_files },
  { method: 'POST', path: '/v1/jobs/{job_id}/cancel', operation: op.job_cancel },
  { method: 'POST', path: '/v1/jobs/{job_id}/retry', operation: op.job_retry },
];
