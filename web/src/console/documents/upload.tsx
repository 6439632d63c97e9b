import { useState } from 'preact/hooks';
import { DOCUMENT_EXTENSIONS } from '../../../../src/core/wording/document-types.js';
import { upload } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Card } from '../../shared/page.js';
import { stepOf } from '../agents/job-details.js';
import type { Job } from '../types.js';
import { followJob, type JobFile } from './follow-job.js';

interface Sending {
  readonly name: string;
  /** 0 to 1; 1 while the service reads the file. */
  readonly sent: number;
  /** What the service does with it now. */
  readonly step?: string;
  readonly result?: string;
  readonly failed?: boolean;
}

/** What is said of a file of a job. */
function shownAs({ state, result, error }: JobFile, progress?: Job['progress'][number]): Partial<Sending> {
  if (error !== null) return { result: error, failed: true };
  if (state === 'running') return { step: progress === undefined ? 'the service reads it…' : stepOf(progress).trim() };
  if (result === null) return state === 'skipped' ? { result: 'of a type that is not read', failed: true } : {};
  const { unchanged, passages, concepts, rules } = result;
  return { result: unchanged === true ? 'unchanged' : [counted(passages, 'passage'), counted(concepts, 'concept'), counted(rules, 'rule')].join(', ') };
}

/** Takes files by drag and drop or by the file picker, one after the other, each with its progress. */
export function Upload({ domains, onDone }: { readonly domains: readonly string[]; readonly onDone: () => void }) {
  const [domain, setDomain] = useState(domains[0] ?? 'notes');
  const [over, setOver] = useState(false);
  const [files, setFiles] = useState<readonly Sending[]>([]);
  const change = (index: number, more: Partial<Sending>): void =>
    setFiles((before) => before.map((file, at) => (at === index ? { ...file, ...more } : file)));
  const take = async (chosen: readonly File[]): Promise<void> => {
    const first = files.length;
    setFiles((before) => [...before, ...chosen.map(({ name }) => ({ name, sent: 0 }))]);
    for (const [offset, file] of chosen.entries()) {
      const at = first + offset;
      const form = new FormData();
      form.set('domain', domain);
      form.set('files', file);
      try {
        // A job each: a file of a type that is not read leaves the others alone.
        const { job_id: id } = await upload<Job>('/v1/jobs/ingest', form, (sent) => change(at, { sent }));
        change(at, { sent: 1 });
        await followJob(id, (found, progress) => change(at, shownAs(found, progress)));
      } catch (problem) {
        change(at, { sent: 1, result: (problem as Error).message, failed: true });
      }
    }
    onDone();
  };
  return (
    <Card title="Add documents" wide>
      <section
        class={over ? 'drop over' : 'drop'}
        aria-label="Drop files here"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <p>Drop documents, spreadsheets, presentations, mails, calendars or data files here, or choose them:</p>
        <label>
          Into the domain <input required value={domain} list="known-domains" onInput={(event) => setDomain(event.currentTarget.value)} />
        </label>
        <datalist id="known-domains">
          {domains.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label>
          Files <input type="file" multiple accept={DOCUMENT_EXTENSIONS.join(',')} onChange={(event) => void take([...(event.currentTarget.files ?? [])])} />
        </label>
      </section>
      <ul class="uploads" aria-live="polite">
        {files.map(({ name, sent, step, result, failed }, index) => (
          <li key={index}>
            {name} {result === undefined && <progress value={sent} max={1} aria-label={`${name} sent`} />}{' '}
            <span class={failed === true ? 'bad' : ''}>{result ?? (sent < 1 ? `${Math.round(100 * sent)} % sent` : (step ?? 'waits for its turn…'))}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
