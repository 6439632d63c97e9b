import { read } from '../../shared/api.js';
import type { Job, JobFiles } from '../types.js';

export type JobFile = JobFiles['files'][number];

const SOON_MS = 400;

/** Follows a job of one file to its end and reports the file as it changes and how far it is; resolves when it has ended. */
export async function followJob(id: string, report: (file: JobFile, progress: Job['progress'][number] | undefined) => void): Promise<void> {
  for (;;) {
    const { state, progress } = await read<Job>(`/v1/jobs/${encodeURIComponent(id)}`);
    const { files } = await read<JobFiles>(`/v1/jobs/${encodeURIComponent(id)}/files`);
    for (const file of files) report(file, progress[0]);
    if (state !== 'queued' && state !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, SOON_MS));
  }
}
