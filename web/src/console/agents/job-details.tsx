import { read } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Problem } from '../../shared/page.js';
import { useData } from '../../shared/use-data.js';
import type { Job } from '../types.js';

/** What a job does now, which files failed, and which are gone from its directories; read anew whenever `of` changes. */
export function JobDetails({ id, of }: { readonly id: string; readonly of: unknown }) {
  const { data, error } = useData(() => read<Job>(`/v1/jobs/${encodeURIComponent(id)}`), [id, of]);
  if (error !== undefined) return <Problem text={error} />;
  if (data?.job_id !== id) return null;
  const { current, errors, gone, domain } = data;
  return (
    <section aria-label={`Job ${id}`}>
      <h3>Job {id}</h3>
      {current.length > 0 && (
        <ul>
          {current.map((path) => (
            <li key={path}>
              <FileProgress path={path} job={data} />
            </li>
          ))}
        </ul>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, error: reason }) => (
            <li key={path} class="bad">
              {path}: {reason}
            </li>
          ))}
        </ul>
      )}
      {gone.total > 0 && (
        <>
          <p>
            {counted(gone.total, 'file')} of its directories {gone.total === 1 ? 'was' : 'were'} gone when it was made and still{' '}
            {gone.total === 1 ? 'answers' : 'answer'}; <code>svc ingest DIRECTORY --domain {domain} --forget-missing</code> forgets what is gone:
          </p>
          <ul>
            {gone.files.map((path) => (
              <li key={path}>{path}</li>
            ))}
            {gone.total > gone.files.length && <li>and {gone.total - gone.files.length} more</li>}
          </ul>
        </>
      )}
      {current.length + errors.length + gone.total === 0 && <p class="empty">No file is worked on, failed or is gone.</p>}
    </section>
  );
}

/** How far a file is: what is done, in words, and a bar where its length is known. */
function FileProgress({ path, job }: { readonly path: string; readonly job: Job }) {
  const found = job.progress.find((one) => one.path === path);
  if (found === undefined) return <>{path}: being read</>;
  return (
    <>
      {path}: {stepOf(found)}
      {found.total !== null && <progress value={found.done} max={Math.max(1, found.total)} aria-label={`Progress of ${path}`} />}
    </>
  );
}

/** Returns what is done with a file and how far that is, in words. */
export function stepOf({ step, done, total, passages }: Job['progress'][number]): string {
  const written = passages === null ? '' : `, ${passages.written} of ${counted(passages.parsed, 'passage')} written`;
  return `${step}${total === null ? '' : `, ${done} of ${total}`}${written} `;
}
