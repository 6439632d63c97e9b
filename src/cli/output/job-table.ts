import { dim, table } from './output.js';
import { timeOf } from './render.js';

interface Jobs {
  readonly jobs: ReadonlyArray<{
    readonly job_id: string;
    readonly state: string;
    readonly domain: string;
    readonly created_at: string;
    readonly files: Readonly<Record<'total' | 'done' | 'unchanged' | 'failed' | 'skipped', number>>;
    readonly passages: number;
  }>;
  readonly next: string | null;
}

/** Formats a page of jobs: of each its files by what became of them. */
export function jobTable({ jobs, next }: Jobs): string {
  const shown = table(jobs, [
    { title: 'Job', of: (job) => job.job_id },
    { title: 'Begun', of: (job) => timeOf(job.created_at) },
    { title: 'Domain', of: (job) => job.domain },
    { title: 'State', of: (job) => job.state },
    { title: 'Files', of: ({ files }) => files.total, right: true },
    { title: 'Done', of: ({ files }) => files.done, right: true },
    { title: 'Unchanged', of: ({ files }) => files.unchanged, right: true },
    { title: 'Failed', of: ({ files }) => files.failed, right: true },
    { title: 'Skipped', of: ({ files }) => files.skipped, right: true },
    { title: 'Passages', of: (job) => job.passages, right: true },
  ]);
  return next === null ? shown : `${shown}\n${dim(`older ones: --after ${next}`)}`;
}
