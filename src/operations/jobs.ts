import { Type } from '@sinclair/typebox';
import { SourceType } from './ingest.js';
import { defaulted, operation } from './operation.js';
import { constrained, exactlyOne } from './schema/constraints.js';
import { DomainName, IngestResult } from './shapes.js';

const JobState = Type.Union(
  ['queued', 'running', 'completed', 'failed', 'cancelled'].map((state) => Type.Literal(state)),
  { description: 'queued, running, completed, failed (at least one file failed) or cancelled.' },
);
const FileState = Type.Union(
  ['pending', 'running', 'done', 'failed', 'skipped'].map((state) => Type.Literal(state)),
  { description: 'pending, running, done, failed or skipped.' },
);
const JobId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of the job, as its start answered it.' });
const Time = Type.Union([Type.String(), Type.Null()]);

const summary = {
  job_id: Type.String(),
  kind: Type.Literal('ingest'),
  state: JobState,
  domain: Type.String(),
  created_at: Type.String(),
  started_at: Time,
  finished_at: Time,
  files: Type.Object({
    total: Type.Integer(),
    done: Type.Integer(),
    unchanged: Type.Integer({ description: 'Of those done: the same content was ingested before.' }),
    failed: Type.Integer(),
    skipped: Type.Integer({ description: 'Empty, or below a directory and of a type that is not read.' }),
  }),
  passages: Type.Integer(),
};
const JobSummary = Type.Object(summary);
const JobDetails = Type.Object({
  ...summary,
  rate: Type.Object({ files_per_second: Type.Number(), passages_per_second: Type.Number() }),
  remaining_seconds: Type.Union([Type.Number(), Type.Null()]),
  current: Type.Array(Type.String(), { description: 'Files that are being worked on.' }),
  progress: Type.Array(
    Type.Object({
      path: Type.String(),
      step: Type.String({ description: 'What is being done, in words.' }),
      done: Type.Integer({ description: 'Of total: texts that are embedded and, of a large file, what is written.' }),
      total: Type.Union([Type.Integer(), Type.Null()]),
      passages: Type.Union([
        Type.Object({
          parsed: Type.Integer(),
          embedded: Type.Integer(),
          written: Type.Integer({
            description: 'Of a large file, which is written in steps; another one is written at once.',
          }),
        }),
        Type.Null(),
      ]),
    }),
    {
      description:
        'How far the files in current are, noted twice a second at most; a file without an entry is being read and parsed.',
    },
  ),
  problem: Type.Optional(
    Type.String({ description: 'Why its work waits for the store, such as a full disk; absent while it goes on.' }),
  ),
  errors: Type.Array(Type.Object({ path: Type.String(), error: Type.String(), code: Type.String() }), {
    description: 'The first hundred files that failed.',
  }),
  skipped: Type.Array(Type.Object({ path: Type.String(), error: Type.String(), code: Type.String() }), {
    description:
      'The first hundred files that were skipped when they were opened; `job_files` also lists those of types that are not read.',
  }),
  gone: Type.Object(
    {
      total: Type.Integer(),
      files: Type.Array(Type.String(), { description: 'The first ten, below their directory as paths gives it.' }),
    },
    {
      description:
        'Files of its directories that were ingested into the domain earlier and were gone when the job was made: what they say still answers, until `forget_missing` or `svc ingest --forget-missing` forgets them.',
    },
  ),
});

export const JobPaths = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  minItems: 1,
  maxItems: 10_000,
  description: 'Files, and directories with all below them, of the machine the service runs on.',
});
export const IdempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: 'The same key with the same request answers the job that was made first.',
  }),
);

export const jobIngest = operation({
  name: 'job_ingest',
  summary: 'Start a job that ingests files and directories.',
  rules: {
    paths:
      'paths name files or directories below SVC_INGEST_ROOTS that hold at least one readable file, 100,000 at most.',
    idempotency_key: 'Another request under the same Idempotency-Key is 409.',
  },
  input: constrained(
    Type.Object({
      domain: DomainName,
      paths: Type.Optional(JobPaths),
      uploads: Type.Optional(
        Type.Array(
          Type.Object({
            temporary_path: Type.String({ minLength: 1 }),
            file_name: Type.String({ minLength: 1, maxLength: 1024 }),
          }),
          { minItems: 1, maxItems: 1000, description: 'Files that the surface spooled.' },
        ),
      ),
      source_type: Type.Optional(SourceType),
      follow_links: Type.Optional(
        Type.Boolean({
          description:
            'Whether links that lead out of the directories of paths are followed; they are left out otherwise. Never out of SVC_INGEST_ROOTS.',
        }),
      ),
      idempotency_key: IdempotencyKey,
    }),
    exactlyOne('paths', 'uploads'),
  ),
  output: JobSummary,
  run: (service, input, context) =>
    service.jobs.create({
      ...input,
      owner: context.caller ?? 'local',
      // As for the ingest of one file.
      anywhere: context.surface === 'cli' || context.surface === 'client',
    }),
});

export const jobs = operation({
  name: 'jobs',
  summary: 'List jobs, the newest first.',
  rules: { after: 'after names a job that exists.' },
  readOnly: true,
  input: Type.Object({
    state: Type.Optional(JobState),
    domain: Type.Optional(DomainName),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Jobs to list at most.' }), 50),
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Continue after this job_id, with older jobs.' }),
    ),
  }),
  output: Type.Object({ jobs: Type.Array(JobSummary), next: Type.Union([Type.String(), Type.Null()]) }),
  run: (service, input) => service.jobs.list(input as Parameters<typeof service.jobs.list>[0]),
});

export const job = operation({
  name: 'job',
  summary: 'Show a job: its progress, rate, what is being worked on and what failed.',
  readOnly: true,
  input: Type.Object({ job_id: JobId }),
  output: JobDetails,
  run: (service, input) => service.jobs.get(input.job_id),
});

export const jobFiles = operation({
  name: 'job_files',
  summary: 'List the files of a job and what became of each.',
  readOnly: true,
  input: Type.Object({
    job_id: JobId,
    state: Type.Optional(FileState),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Files to list at most.' }), 100),
    after: defaulted(
      Type.Integer({ minimum: -1, maximum: 1_000_000, description: 'Continue after the file of this number.' }),
      -1,
    ),
  }),
  output: Type.Object({
    files: Type.Array(
      Type.Object({
        number: Type.Integer(),
        path: Type.String(),
        state: FileState,
        attempts: Type.Integer({ description: 'How often it was begun.' }),
        result: Type.Union([IngestResult, Type.Null()]),
        error: Type.Union([Type.String(), Type.Null()]),
        code: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    next: Type.Union([Type.Integer(), Type.Null()]),
  }),
  run: (service, { job_id, ...page }) => service.jobs.files(job_id, page as Parameters<typeof service.jobs.files>[1]),
});

export const jobCancel = operation({
  name: 'job_cancel',
  summary: 'Cancel a job; what it ingested stays.',
  idempotent: true,
  input: Type.Object({ job_id: JobId }),
  output: JobDetails,
  run: (service, input) => service.jobs.cancel(input.job_id),
});

export const jobRetry = operation({
  name: 'job_retry',
  summary: 'Work again on the files of a job that failed or were not begun.',
  input: Type.Object({ job_id: JobId }),
  output: JobDetails,
  run: (service, input) => service.jobs.retry(input.job_id),
});
