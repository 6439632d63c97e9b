import bars, { type Options, Presets, SingleBar } from 'cli-progress';
import { visible } from './visible.js';

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

  /** Shows that so much of the total is done; a part of one may be. */
  update(done: number, total: number | undefined, message: string): void {
    if (this.silent || Date.now() - this.started < PATIENCE_MS) return;
    const line = visible(message);
    const text = line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
    if (this.bar === undefined) {
      const format = '{bar} {percentage}% | {count}/{total} | {eta_formatted}{message}';
      const options = { format, formatTime: left, stream: process.stderr, clearOnComplete: true };
      this.bar = new SingleBar(options, Presets.shades_classic);
      this.bar.start(total ?? 0, done, { message: text, count: Math.floor(done) });
    }
    if (total !== undefined) this.bar.setTotal(total);
    this.bar.update(done, { message: text, count: Math.floor(done) });
  }

  stop(): void {
    this.bar?.stop();
  }
}

/** Formats the time left; nothing where there is no rate to tell it from, which the bar gives as a word. */
function left(seconds: unknown, options: Options, roundedTo: number): string {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return '';
  return `${bars.Format.TimeFormat(seconds, options, roundedTo)} left | `;
}
