import { dim } from './output.js';
import { endOf } from './paths.js';
import { visible } from './visible.js';

/** A file that takes longer is told of, and again after as long, ms. */
const PATIENCE_MS = 5000;

/** How far a file is. */
export interface FileStep {
  readonly path: string;
  /** In words; without it the file is being read. */
  readonly step?: string | undefined;
  readonly done?: number | undefined;
  readonly total?: number | null | undefined;
}

/** Lines on standard error about files that take long, where no progress bar is shown. */
export class ProgressLines {
  private readonly tellAt = new Map<string, number>();

  constructor(private readonly silent: boolean) {}

  /** Takes how far the files are that are being worked on; writes a line for each that it is time for. */
  update(files: readonly FileStep[]): void {
    if (this.silent) return;
    const now = Date.now();
    const current = new Set(files.map(({ path }) => path));
    for (const path of this.tellAt.keys()) if (!current.has(path)) this.tellAt.delete(path);
    for (const file of files) {
      const at = this.tellAt.get(file.path);
      if (at === undefined || now >= at) this.tellAt.set(file.path, now + PATIENCE_MS);
      if (at !== undefined && now >= at)
        process.stderr.write(`${dim(visible(`working   ${endOf(file.path)}  ${said(file)}`))}\n`);
    }
  }
}

function said({ step = 'being read', done, total }: FileStep): string {
  return done === undefined || total === undefined || total === null || total === 0
    ? step
    : `${step} (${Math.floor((100 * done) / total)} %)`;
}
