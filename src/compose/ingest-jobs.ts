import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Store } from '../backends/store/scope.js';
import type { Config } from '../config.js';
import type { Clock } from '../core/clock.js';
import type { Ingest } from '../ingest/ingest.js';
import { IngestJobs } from '../ingest/jobs/ingest-jobs.js';
import { JobWorkers } from '../ingest/jobs/job-workers.js';
import { knownFiles } from '../ingest/known-files.js';
import type { RepeatedFailures } from '../telemetry/repeated-failures.js';

/** Makes the jobs of a service; it begins to work on them when it is told to, or when it makes one. */
export function openIngestJobs(
  { store, ingest, clock }: { readonly store: Store; readonly ingest: Ingest; readonly clock: Clock },
  config: Config,
  failures: RepeatedFailures,
): IngestJobs {
  // A directory has one process, whatever its machine is called today; replicas on PostgreSQL are told apart.
  const directory = resolve(config.data.dir);
  const host = config.store.kind === 'sqlite' ? directory : `${hostname()} ${directory}`;
  const workers = new JobWorkers(store, ingest, {
    clock,
    workers: config.jobs.workers,
    // A language model has its own pace, and limits of requests.
    together: !ingest.asksModel,
    host,
    onError: (error) => failures.noted('ingest', error, 'a job met a failure'),
  });
  return new IngestJobs(store, workers, {
    clock,
    roots: config.ingest.roots,
    host,
    retentionDays: config.jobs.retention_days,
    retentionRows: config.jobs.retention_rows,
    goneFiles: ingest.goneFiles.bind(ingest),
    knownFiles: (of) => knownFiles(ingest.ports, of),
  });
}
