import type { Generated } from 'kysely';

export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
export type JobFileState = 'pending' | 'running' | 'done' | 'failed' | 'skipped';

/** Jobs that callers asked for. Times are milliseconds since the epoch, of the PostgreSQL server where there is one. */
export interface JobTables {
  job: {
    ref: Generated<number>;
    id: string;
    /** Who asked; idempotency keys are told apart by it. */
    owner: string;
    idempotency_key: string | null;
    request_hash: string;
    state: JobState;
    domain: string;
    source_type: string | null;
    /** The machine and directory whose processes alone work on it: files that a command line names. Null for any. */
    host: string | null;
    /** 1 where the files came with the request. */
    uploads: number;
    files_total: number;
    files_done: number;
    /** Of those done: the same content was there before. */
    files_unchanged: number;
    files_failed: number;
    files_skipped: number;
    passages: number;
    created_ms: number;
    started_ms: number | null;
    finished_ms: number | null;
    /** When a file of it was last begun: jobs take turns. */
    claimed_ms: number;
    /** JSON: how many files of its directories were gone when it was made, and the first of them. Null for none. */
    gone: string | null;
  };
  job_file: {
    job: number;
    number: number;
    path: string;
    state: JobFileState;
    /** Who works on it, until `expires_ms` unless renewed. */
    holder: string | null;
    expires_ms: number;
    not_before_ms: number;
    /** How often it was begun without coming to an end. */
    attempts: number;
    finished_ms: number | null;
    /** JSON. */
    result: string | null;
    /** JSON: sentence and code. */
    error: string | null;
    /** JSON: how far its holder is with it. */
    progress: string | null;
  };
  /** Bytes of uploaded files, until they are ingested; written before the job is. */
  job_upload: { job_id: string; number: number; part: number; created_ms: number; body: Uint8Array };
}
