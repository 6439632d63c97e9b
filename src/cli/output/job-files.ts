import { conversionOf } from '../../ingest/read/file-type.js';
import { asIngested } from '../typed-names.js';
import { dim, shortened, table } from './output.js';
import { endOf } from './paths.js';
import { rendered } from './render.js';

export const UNREAD = 'not of a type that is read';

/** Returns why a file below a directory is left out, or what helps where it holds text in another form. */
export function unreadReason(path: string): string {
  return asIngested(conversionOf(path) ?? UNREAD);
}

interface JobFiles {
  readonly files: ReadonlyArray<{
    readonly number: number;
    readonly path: string;
    readonly state: string;
    readonly attempts: number;
    readonly result: { readonly passages: number; readonly unchanged?: boolean } | null;
    readonly error: string | null;
  }>;
  readonly next: number | null;
}

/** Formats a page of a job's files: what became of each, and why it failed or was left out. */
export function jobFileTable({ files, next }: JobFiles): string {
  const shown = table(files, [
    { title: 'File', of: ({ path }) => endOf(path), wide: 1 },
    { title: 'State', of: ({ state, result }) => (result?.unchanged === true ? 'unchanged' : state) },
    { title: 'Attempts', of: ({ attempts }) => attempts, right: true },
    { title: 'Passages', of: ({ result }) => result?.passages, right: true },
    { title: 'Reason', of: (file) => reasonOf(file), wide: 1 },
  ]);
  return next === null ? shown : `${shown}\n${dim(`more: --after ${next}`)}`;
}

/** A file that was left out before it was opened has no error: only its type can be the reason. */
function reasonOf({ path, state, error }: JobFiles['files'][number]): string {
  if (error !== null) return shortened(asIngested(error));
  return state === 'skipped' ? unreadReason(path) : '';
}

/** Files that were ingested and are gone: how many, and the first of them. */
export interface GoneFiles {
  readonly total: number;
  readonly files: readonly string[];
}

interface JobShown {
  readonly errors: ReadonlyArray<{ readonly error: string }>;
  /** This and `gone` are absent where the service is of a release before. */
  readonly skipped?: ReadonlyArray<{ readonly error: string }>;
  readonly gone?: GoneFiles;
}

/** Formats a job; errors of its files speak of the options of `ingest`. */
export function jobShown({ gone, skipped = [], ...job }: JobShown): string {
  const worded = (files: JobShown['errors']) => files.map((one) => ({ ...one, error: asIngested(one.error) }));
  const errors = worded(job.errors);
  const left = skipped.length === 0 ? {} : { skipped: worded(skipped) };
  return rendered({
    ...job,
    errors,
    ...left,
    ...(gone === undefined || gone.total === 0 ? {} : { gone: namesOfGone(gone) }),
  });
}

/** Returns the names of gone files as one text, and how many more there are. */
export function namesOfGone({ total, files }: GoneFiles): string {
  const more = total > files.length ? ` and ${total - files.length} more` : '';
  return `${files.map(endOf).join(', ')}${more}`;
}
