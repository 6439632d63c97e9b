import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  addJob,
  cancelJobs,
  countOpenJobs,
  type JobRow,
  jobOfKey,
  listJobs,
  pruneJobs,
  readJob,
  retryJob,
} from '../../backends/store/jobs/jobs.js';
import { addUploadPart, deleteUnused } from '../../backends/store/jobs/uploads.js';
import type { JobFileState, JobState } from '../../backends/store/schema/jobs.js';
import type { Store } from '../../backends/store/scope.js';
import { canonicalJson } from '../../core/canonical-json.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { contentHash } from '../../core/ids.js';
import { kindsRead } from '../../core/wording/document-types.js';
import type { Ingest } from '../ingest.js';
import { documentType, isNamedFirst } from '../read/file-type.js';
import { type FoundFiles, findFiles } from './find-files.js';
import { hashOfFile } from './hash-of-file.js';
import { type JobDetails, type JobFile, type JobSummary, jobDetails, jobFiles, jobSummary } from './job-view.js';
import type { JobWorkers } from './job-workers.js';

export interface IngestJobsOptions {
  readonly clock: Clock;
  /** Directories that callers may name files of. */
  readonly roots: readonly string[];
  /** The machine and directory of this process: files that its own command line names are read here only. */
  readonly host: string;
  readonly retentionDays: number;
  readonly retentionRows: number;
  /** Finds files that were ingested from directories and are gone. */
  readonly goneFiles: Ingest['goneFiles'];
  /** Tells which of some files a domain holds. */
  readonly knownFiles: (of: {
    readonly domain: string;
    readonly paths: readonly string[];
  }) => Promise<ReadonlySet<string>>;
}

export interface JobRequest {
  readonly domain: string;
  readonly paths?: readonly string[] | undefined;
  /** Files that a surface spooled. */
  readonly uploads?: ReadonlyArray<{ readonly temporary_path: string; readonly file_name: string }> | undefined;
  readonly source_type?: string | undefined;
  /** Whether links that lead out of the directories of `paths` are followed. */
  readonly follow_links?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
  /** Who asks. */
  readonly owner: string;
  /** True for callers whose own permissions decide (the command line). */
  readonly anywhere: boolean;
}

const MAX_FILES = 100_000;
const MAX_OPEN = 1000;
/** Files that are gone, to name at most. */
const GONE_NAMED = 10;
const DAY_MS = 86_400_000;

/** Ingests of many files that go on by themselves: kept in the store, worked on by every process that serves it. */
export class IngestJobs {
  constructor(
    private readonly store: Store,
    private readonly workers: JobWorkers,
    private readonly options: IngestJobsOptions,
  ) {}

  /** Lets this process work on jobs, whoever asked for them. */
  start(): void {
    this.workers.start();
  }

  stop(): Promise<void> {
    return this.workers.stop();
  }

  /** Makes a job of files; returns the job there is where the same request came before under its idempotency key. */
  async create(requested: JobRequest): Promise<JobSummary> {
    const request = withUploadsInOrder(requested);
    const { owner, idempotency_key } = request;
    const request_hash = await hashOf(request);
    if (idempotency_key !== undefined) {
      const before = await jobOfKey(this.store.db, owner, idempotency_key);
      if (before !== undefined) return jobSummary(sameRequest(before, request_hash));
    }
    const named = await this.filesOf(request);
    if ((await countOpenJobs(this.store.db)) >= MAX_OPEN) {
      const sentence = `${MAX_OPEN} jobs are waiting already; try again when some are done, or cancel some.`;
      throw new SvcError('unavailable', sentence, undefined, { retriable: true, retryAfter: 30 });
    }
    const id = randomUUID();
    const now = this.options.clock();
    try {
      if (request.anywhere) await this.workers.notePresence();
      await this.keepUploads(id, request);
      const row = await this.store.write(({ db }) =>
        addJob(db, {
          id,
          owner,
          idempotency_key: idempotency_key ?? null,
          request_hash,
          domain: request.domain,
          source_type: request.source_type ?? null,
          host: request.anywhere ? this.options.host : null,
          uploads: request.uploads === undefined ? 0 : 1,
          ...named,
          now,
        }),
      );
      if (row !== null) {
        this.workers.wake();
        return jobSummary(row);
      }
    } catch (error) {
      // An error can come after the job was committed: a lost answer, or a failure of what follows.
      await this.store.write(({ db }) => deleteUnused(db, id)).catch(() => undefined);
      throw error;
    }
    // The same key came twice at once.
    await this.store.write(({ db }) => deleteUnused(db, id));
    const other = await jobOfKey(this.store.db, owner, idempotency_key!);
    if (other === undefined) throw new SvcError('conflict', 'A job of that Idempotency-Key was removed meanwhile.');
    return jobSummary(sameRequest(other, request_hash));
  }

  /** Lists jobs, the newest first; `next` is the job to go on after. */
  async list(filter: {
    readonly state?: JobState | undefined;
    readonly domain?: string | undefined;
    readonly domains?: readonly string[] | undefined;
    readonly owner?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<{ jobs: JobSummary[]; next: string | null }> {
    const { after, limit, ...rest } = filter;
    const before = after === undefined ? undefined : (await this.row(after)).ref;
    const rows = await listJobs(this.store.db, { ...rest, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    return { jobs: shown.map(jobSummary), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  /** Returns a job with its progress. Throws `job_not_found`. */
  async get(id: string): Promise<JobDetails> {
    const row = await this.row(id);
    const details = await jobDetails(this.store, row, this.options.clock());
    const open = row.state === 'queued' || row.state === 'running';
    const problem = open ? this.workers.problemOf(row.ref) : undefined;
    return problem === undefined ? details : { ...details, problem };
  }

  /** Lists the files of a job and what became of each. */
  async files(
    id: string,
    page: { readonly state?: JobFileState | undefined; readonly after: number; readonly limit: number },
  ): Promise<{ files: JobFile[]; next: number | null }> {
    return jobFiles(this.store, (await this.row(id)).ref, page);
  }

  /** Ends a job: no further file is begun, files under way are given up, what was ingested stays. `conflict` where it is finished. */
  async cancel(id: string): Promise<JobDetails> {
    const { ref, state } = await this.row(id);
    const cancelled = await this.store.write(({ db }) => cancelJobs(db, { id }, this.options.clock()));
    if (cancelled.length === 0 && state !== 'cancelled')
      throw new SvcError('conflict', `Job ${id} is finished; there is nothing to cancel.`);
    void this.workers.giveUp(ref);
    return this.get(id);
  }

  /** Cancels the jobs that ingest into a domain, for who removes it; resolves when this process writes nothing of them any more. */
  async cancelOfDomain(domain: string): Promise<void> {
    const open = await this.store.write(({ db }) => cancelJobs(db, { domain }, this.options.clock()));
    await Promise.all(open.map((ref) => this.workers.giveUp(ref)));
  }

  /** Works on the files of a finished job that failed or were not begun. `conflict` where there are none, or it is not finished. */
  async retry(id: string): Promise<JobDetails> {
    const { ref, state } = await this.row(id);
    if (!(await this.store.write(({ db }) => retryJob(db, id)))) {
      const why = state === 'completed' ? 'ended without a failure' : 'is not finished; cancel it first';
      throw new SvcError('conflict', `Job ${id} ${why}, so there is nothing to retry.`);
    }
    this.workers.clearProblem(ref);
    this.workers.wake();
    return this.get(id);
  }

  /** Removes finished jobs beyond the retention. */
  prune(): Promise<number> {
    const { clock, retentionDays, retentionRows } = this.options;
    const before = clock() - retentionDays * DAY_MS;
    return this.store.write(({ db }) => pruneJobs(db, { before, keep: retentionRows }));
  }

  /** Returns which of some files a domain holds: those written for programs are read again with their directory. */
  knownFiles(files: Parameters<IngestJobsOptions['knownFiles']>[0]): Promise<ReadonlySet<string>> {
    return this.options.knownFiles(files);
  }

  private async row(id: string): Promise<JobRow> {
    const row = await readJob(this.store.db, id);
    if (row === undefined)
      throw new SvcError('job_not_found', `Job ${id} does not exist; list the jobs to see their ids.`);
    return row;
  }

  private async filesOf({ domain, paths, uploads, source_type, follow_links = false, anywhere }: JobRequest) {
    if (uploads !== undefined) {
      for (const { file_name } of uploads) documentType(file_name, source_type);
      return { files: uploads.map(({ file_name }) => file_name), skipped: [], gone: null };
    }
    const { directories, ...below } = await findFiles(paths ?? [], {
      roots: anywhere ? undefined : this.options.roots,
      followLinks: follow_links,
      maxFiles: MAX_FILES,
    });
    const found = await this.withNamedBefore(domain, below);
    if (found.files.length > 0) {
      const known = new Set(found.files);
      const gone = await this.options.goneFiles({ directories, domain, known, limit: GONE_NAMED });
      return { ...found, gone: gone.total === 0 ? null : JSON.stringify(gone) };
    }
    const sentence = `paths lead to no file that can be ingested; readable are ${kindsRead('and')}.`;
    throw new SvcError('invalid_input', sentence, { member: 'paths' });
  }

  /** Adds files that are written for programs or whose name tells no type, if the domain holds them: somebody named them before. */
  private async withNamedBefore(
    domain: string,
    { files, skipped }: Pick<FoundFiles, 'files' | 'skipped'>,
  ): Promise<Pick<FoundFiles, 'files' | 'skipped'>> {
    const known = await this.options.knownFiles({ domain, paths: skipped.filter(isNamedFirst) });
    if (known.size === 0) return { files, skipped };
    return { files: [...files, ...known], skipped: skipped.filter((path) => !known.has(path)) };
  }

  /** Copies uploads into the store, a megabyte in a transaction, so that every process can read them and a kill loses none. */
  private async keepUploads(job_id: string, { uploads = [] }: JobRequest): Promise<void> {
    for (const [number, { temporary_path }] of uploads.entries()) {
      let part = 0;
      for await (const body of createReadStream(temporary_path, { highWaterMark: 1024 * 1024 })) {
        const at = { job_id, number, part };
        await this.store.write(({ db }) =>
          addUploadPart(db, at, { body: body as Uint8Array, now: this.options.clock() }),
        );
        part += 1;
      }
      if (part === 0) {
        throw new SvcError('invalid_input', `files holds an empty file, ${uploads[number]!.file_name}.`, {
          member: 'files',
        });
      }
    }
  }
}

/** Orders uploads by name: the files of a form are spooled side by side and end in any order. */
function withUploadsInOrder({ uploads, ...request }: JobRequest): JobRequest {
  if (uploads === undefined) return request;
  return {
    ...request,
    uploads: [...uploads].sort((a, b) => (a.file_name < b.file_name ? -1 : Number(a.file_name > b.file_name))),
  };
}

/** Returns what makes two requests the same: what they ask for, and the content of uploads. */
async function hashOf({ domain, paths, uploads, source_type, follow_links }: JobRequest): Promise<string> {
  const files: unknown[] = [];
  for (const { file_name, temporary_path } of uploads ?? []) files.push([file_name, await hashOfFile(temporary_path)]);
  return contentHash(canonicalJson({ domain, paths, source_type, follow_links: follow_links || undefined, files }));
}

function sameRequest(row: JobRow, request_hash: string): JobRow {
  if (row.request_hash === request_hash) return row;
  const sentence = 'idempotency_key was used for another request; send a new Idempotency-Key with each new job.';
  throw new SvcError('conflict', sentence, { member: 'idempotency_key', job_id: row.id });
}
