import { useEffect, useState } from 'preact/hooks';
import { read } from '../../shared/api.js';
import { Problem } from '../../shared/page.js';
import { DataTable } from '../../shared/table.js';
import { useData } from '../../shared/use-data.js';
import type { Jobs } from '../types.js';
import { JobDetails } from './job-details.js';

const SOON_MS = 1000;

/** Jobs, the newest first, and more of one of them: the newest without a choice. Read every second while one runs. */
export function JobList() {
  const { data, error, reload } = useData(() => read<Jobs>('/v1/jobs?limit=50'), []);
  const [chosen, setChosen] = useState<string>();
  const jobs = data?.jobs ?? [];
  const shown = jobs.find(({ job_id: id }) => id === chosen) ?? jobs[0];
  const running = jobs.some(({ state }) => state === 'queued' || state === 'running');
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(reload, SOON_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (error !== undefined) return <Problem text={error} />;
  if (shown === undefined) return <p class="empty">None yet.</p>;
  return (
    <>
      <DataTable
        caption="Jobs and how far they are"
        rows={jobs}
        columns={[
          { title: 'job', of: ({ job_id: id }) => id },
          { title: 'domain', of: ({ domain }) => domain },
          { title: 'state', of: ({ state }) => <span class={`badge ${state === 'failed' ? 'off' : 'on'}`}>{state}</span> },
          {
            title: 'files',
            of: ({ job_id: id, files: { total, done, failed, skipped } }) => (
              <>
                <progress value={done + failed + skipped} max={Math.max(1, total)} aria-label={`Progress of job ${id}`} /> {done} of {total}
                {failed > 0 && <span class="bad"> {failed} failed</span>}
              </>
            ),
          },
          { title: 'passages', of: ({ passages }) => passages, right: true },
          { title: 'started', of: ({ created_at: at }) => at.slice(0, 16).replace('T', ' ') },
          {
            title: 'more',
            of: ({ job_id: id }) => (
              <button type="button" aria-pressed={id === shown.job_id} aria-label={`Show job ${id}`} onClick={() => setChosen(id)}>
                Show
              </button>
            ),
          },
        ]}
      />
      <JobDetails id={shown.job_id} of={data} />
    </>
  );
}
