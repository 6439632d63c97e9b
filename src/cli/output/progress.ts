import { Presets, SingleBar } from 'cli-progress';

const PATIENCE_MS = 1000;
const WIDTH = 70;

/** A progress bar on standard error that appears after a second, and only on a terminal. */
export class Progress {
  private bar: SingleBar | undefined;
  private readonly started = Date.now();
  private readonly silent: boolean;

  constructor(silent: boolean) {
    this.silent = silent || !process.stderr.isTTY;
  }

  update(done: number, total: number | undefined, message: string): void {
    if (this.silent || Date.now() - this.started < PATIENCE_MS) return;
    const text = message.length > WIDTH ? `${message.slice(0, WIDTH - 1)}…` : message;
    if (this.bar === undefined) {
      const format = '{bar} {percentage}% | {value}/{total} | {eta_formatted} left | {message}';
      this.bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true }, Presets.shades_classic);
      this.bar.start(total ?? 0, done, { message: text });
    }
    if (total !== undefined) this.bar.setTotal(total);
    this.bar.update(done, { message: text });
  }

  stop(): void {
    this.bar?.stop();
  }
}
