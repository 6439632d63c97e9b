import { useEffect, useRef } from 'preact/hooks';
import { counted } from '../../shared/format.js';

/** What is about to be forgotten. */
export interface Forgetting {
  readonly label: string;
  /** Where it is deleted. */
  readonly path: string;
  /** What it asserts: noun in the singular → how many. */
  readonly counts: Readonly<Record<string, number>>;
  readonly note: string;
}

/** Shows what would go, and asks. */
export function ForgetDialog({ forgetting, onForget, onClose }: { readonly forgetting: Forgetting; readonly onForget: () => void; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={`Forget ${forgetting.label}`} onClose={onClose}>
      <h2>Forget {forgetting.label}?</h2>
      <p>It asserts:</p>
      <ul>
        {Object.entries(forgetting.counts).map(([name, count]) => (
          <li key={name}>
            {counted(count, name)}
          </li>
        ))}
      </ul>
      <p>{forgetting.note}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={onForget}>
          Forget it
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep it
        </button>
      </div>
    </dialog>
  );
}
