import { useState } from 'preact/hooks';
import { upload } from '../../shared/api.js';
import { counted } from '../../shared/format.js';
import { Card } from '../../shared/page.js';
import type { Ingested } from '../types.js';

interface Sending {
  readonly name: string;
  /** 0 to 1; 1 while the service reads the file. */
  readonly sent: number;
  readonly result?: string;
  readonly failed?: boolean;
}

const ACCEPTED = '.txt,.md,.markdown,.pdf,.html,.htm,.docx';

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
      const form = new FormData();
      form.set('domain', domain);
      form.set('file', file);
      try {
        const done = await upload<Ingested>('/console/upload', form, (sent) => change(first + offset, { sent }));
        change(first + offset, { sent: 1, result: done.unchanged === true ? 'unchanged' : [counted(done.passages, 'passage'), counted(done.concepts, 'concept'), counted(done.rules, 'rule')].join(', ') });
      } catch (problem) {
        change(first + offset, { sent: 1, result: (problem as Error).message, failed: true });
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
        <p>Drop text, Markdown, PDF, HTML or DOCX files here, or choose them:</p>
        <label>
          Into the domain <input required value={domain} list="known-domains" onInput={(event) => setDomain(event.currentTarget.value)} />
        </label>
        <datalist id="known-domains">
          {domains.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label>
          Files <input type="file" multiple accept={ACCEPTED} onChange={(event) => void take([...(event.currentTarget.files ?? [])])} />
        </label>
      </section>
      <ul class="uploads" aria-live="polite">
        {files.map(({ name, sent, result, failed }, index) => (
          <li key={index}>
            {name} {result === undefined && <progress value={sent} max={1} aria-label={`${name} sent`} />}{' '}
            <span class={failed === true ? 'bad' : ''}>{result ?? (sent < 1 ? `${Math.round(100 * sent)} % sent` : 'the service reads it…')}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
