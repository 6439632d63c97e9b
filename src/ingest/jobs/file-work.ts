import { stat } from 'node:fs/promises';
import type { ClaimedFile } from '../../backends/store/jobs/claims.js';
import { noteProgress, type Outcome } from '../../backends/store/jobs/files.js';
import { readUpload, uploadSizes } from '../../backends/store/jobs/uploads.js';
import type { Store } from '../../backends/store/scope.js';
import { errorBody, SvcError, storeProblem, toSvcError } from '../../core/errors.js';
import type { Ingest } from '../ingest.js';
import type { LoadOptions, LoadResult } from '../write/ports.js';
import { ProgressNotes } from './progress-notes.js';
import type { StoreWaits } from './store-waits.js';

/** A file that was begun so often without an end is given up: it may be what ends the process. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 2000;
/** A file of more bytes is worked on by itself. */
const SMALL = 64 * 1024;

export interface Ended {
  /** What became of a file, or after how many milliseconds to try it again. */
  readonly outcome: Outcome | number;
  /** Whether the store refused the file. */
  readonly refused: boolean;
  /** Whether the attempt counts: those that the store refused do not, unless the file is the reason. */
  readonly counts: boolean;
}

/** The end of a file that is given up: whoever is free may begin it at once. */
export const GIVEN_BACK: Ended = { outcome: 0, refused: false, counts: false };

export interface FileWorkOptions {
  readonly holder: string;
  readonly host: string;
  readonly waits: StoreWaits;
  readonly onError: (error: unknown) => void;
}

/** Ingests the files of jobs that this process has claimed. */
export class FileWork {
  constructor(
    private readonly store: Store,
    private readonly ingest: Pick<Ingest, 'file' | 'uploaded' | 'isWrittenSince'>,
    private readonly options: FileWorkOptions,
  ) {}

  /** Divides files of one job into those to work on at once, one at least, and those that are too large for it, or not there. */
  async bySize(
    files: readonly ClaimedFile[],
  ): Promise<{ readonly together: readonly ClaimedFile[]; readonly later: readonly ClaimedFile[] }> {
    if (files.length < 2) return { together: files, later: [] };
    const sizes = await this.sizesOf(files).catch(() => new Map<number, number>());
    const names = new Set<string>();
    const small: ClaimedFile[] = [];
    for (const file of files) {
      // The later of two uploads of one name counts.
      if ((sizes.get(file.number) ?? Number.POSITIVE_INFINITY) > SMALL || names.has(file.path)) continue;
      names.add(file.path);
      small.push(file);
    }
    const together = small.length === 0 ? files.slice(0, 1) : small;
    return { together, later: files.filter((file) => !together.includes(file)) };
  }

  private async sizesOf(files: readonly ClaimedFile[]): Promise<ReadonlyMap<number, number>> {
    const [{ job_id, uploads }] = files as [ClaimedFile];
    const numbers = files.map(({ number }) => number);
    if (uploads === 1) return uploadSizes(this.store.db, job_id, numbers);
    const found = await Promise.all(files.map(({ path }) => stat(path).catch(() => undefined)));
    return new Map(found.flatMap((one, i) => (one === undefined ? [] : [[numbers[i]!, one.size] as const])));
  }

  /** Ingests a file; returns what became of it. */
  async outcomeOf(file: ClaimedFile, signal: AbortSignal): Promise<Ended> {
    const { waits } = this.options;
    try {
      if (file.attempts > MAX_ATTEMPTS) {
        const sentence = `The service ended ${MAX_ATTEMPTS} times while it worked on this file; ingest it by itself, or look at the log.`;
        throw new SvcError('unavailable', sentence);
      }
      signal.throwIfAborted();
      const result = await this.ownWork(file, await this.load(file, signal));
      const { passages, unchanged } = result;
      const ingested = { unchanged: unchanged === true, passages, result: JSON.stringify(result), error: null };
      return { outcome: { state: 'done', ...ingested }, refused: false, counts: true };
    } catch (thrown) {
      if (signal.aborted) return GIVEN_BACK;
      const error = toSvcError(thrown);
      if (error.code === 'internal') this.options.onError(thrown);
      const problem = storeProblem(error);
      const refused = problem !== undefined;
      const wait = refused ? waits.refused(file, problem) : undefined;
      if (wait !== undefined) return { outcome: wait, refused, counts: false };
      const later = error.code === 'unavailable' || error.retriable;
      if (later && file.attempts < MAX_ATTEMPTS)
        return { outcome: RETRY_MS * 2 ** (file.attempts - 1), refused, counts: true };
      const { error: sentence, code } = errorBody(error);
      const outcome: Outcome = {
        // An empty file says nothing yet, as many that were just made, and JSON may be settings: no retry would mend it.
        state: error.details?.empty === true || error.details?.skipped === true ? 'skipped' : 'failed',
        unchanged: false,
        passages: 0,
        result: null,
        error: JSON.stringify({ error: sentence, code }),
      };
      return { outcome, refused, counts: true };
    }
  }

  /** Returns what a file came to: one that this job wrote before its process was killed is not unchanged. */
  private async ownWork({ attempts, created_ms }: ClaimedFile, result: LoadResult): Promise<LoadResult> {
    if (result.unchanged !== true || attempts === 1) return result;
    if (!(await this.ingest.isWrittenSince(result.source_id, Number(created_ms)))) return result;
    const { unchanged: _, ...own } = result;
    return own;
  }

  private async load(file: ClaimedFile, signal: AbortSignal): Promise<LoadResult> {
    const { holder, waits } = this.options;
    const notes = new ProgressNotes(async (progress) => {
      const note = JSON.stringify(progress);
      await this.store.write(({ db }) => noteProgress(db, file, { holder, progress: note }), { durable: false });
      waits.progressed(file.job);
    });
    try {
      return await this.loadNoting(file, { signal, progress: notes.report });
    } finally {
      await notes.settled();
    }
  }

  private async loadNoting(file: ClaimedFile, given: Pick<LoadOptions, 'signal' | 'progress'>): Promise<LoadResult> {
    const { domain, source_type, path } = file;
    const options = { ...given, sourceType: source_type ?? undefined };
    // The command line of another machine could not read everything here: the roots hold for a job that is left over.
    const anywhere = file.host === this.options.host;
    if (file.uploads === 0) return this.ingest.file(path, domain, { ...options, anywhere });
    const bytes = await readUpload(this.store.db, file.job_id, file.number);
    if (bytes === null) throw new SvcError('not_found', 'The upload is not kept any more; send the file again.');
    return this.ingest.uploaded({ name: path, bytes }, { ...options, domain });
  }
}
