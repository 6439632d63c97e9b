import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { slicer } from '../../../core/async/slices.js';
import type { DocumentType } from '../../../core/wording/document-types.js';
import { LIMITS } from '../limits.js';
import type { Part } from '../parts.js';

/** What a parser works on; bytes of text are UTF-8. */
export type ParseJob =
  | { readonly type: DocumentType | 'rst' | 'eml' | 'mbox'; readonly bytes: Uint8Array; readonly name?: string }
  | { readonly type: 'markdown' | 'text'; readonly text: string };

/** Why a parser ended without a result: a limit of `LIMITS`, or an error of the parsing library. */
export interface ParseFailure {
  readonly name: string;
  readonly message: string;
  readonly limit?: string;
}

export class ParserFailed extends Error {
  constructor(readonly failure: ParseFailure) {
    super(failure.message);
  }
}

/** What a parser finds: of a batch, or of a whole document. */
export interface ParserAnswer {
  readonly title?: string;
  readonly aliases?: readonly string[];
  readonly notice?: string;
  readonly parts: Part[];
}

type Answer = ParserAnswer | { readonly done: true } | { readonly failed: ParseFailure };

/** Bytes, or characters, of a job in one message. */
const PIECE = 128 * 1024;
/** Characters of the standard error that are kept. */
const SAID = 20_000;

/**
 * A parser in a process of its own: V8 ends the process whose heap runs over in one allocation, whatever limits its threads
 * have, and a document of a few hundred bytes may ask for that.
 */
export class ParserProcess {
  private readonly child: ChildProcess;
  private said = '';

  constructor() {
    this.child = fork(fileURLToPath(new URL('./parser.js', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${LIMITS.heapMib}`],
      serialization: 'advanced',
      // Ctrl-C at a terminal is for the service, which ends the document that it works on.
      detached: true,
      // It needs no setting, and must not know a secret.
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.setEncoding('latin1').on('data', (text: string) => {
      this.said = (this.said + text).slice(-SAID);
    });
    // What fails is noticed by its end.
    this.child.on('error', () => {});
  }

  get isAlive(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Resolves when the process has ended. */
  async end(): Promise<void> {
    const { child } = this;
    if (!this.isAlive) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Lets the service end while the process has nothing to do. */
  rest(): void {
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stderr as { unref?: () => void } | null)?.unref?.();
  }

  work(): void {
    this.child.ref();
    this.child.channel?.ref();
    (this.child.stderr as { ref?: () => void } | null)?.ref?.();
  }

  /** Runs a job; throws `ParserFailed`, or the signal's reason, and must be ended then. */
  run(job: ParseJob, signal: AbortSignal | undefined): Promise<ParserAnswer> {
    const { child } = this;
    const parts: Part[] = [];
    let names: Omit<ParserAnswer, 'parts'> = {};
    let finish = (): void => {};
    const result = new Promise<ParserAnswer>((resolve, reject) => {
      const fail = (failure: ParseFailure): void => reject(new ParserFailed(failure));
      const onMessage = (answer: Answer): void => {
        if ('failed' in answer) fail(answer.failed);
        else if ('done' in answer) resolve({ ...names, parts });
        else {
          const { parts: more, ...found } = answer;
          names = { ...found, ...names };
          for (const part of more) parts.push(part);
          this.send({ next: true }).catch(() => undefined);
        }
      };
      const onClose = (): void => fail(this.reason());
      const onAbort = (): void => reject(signal?.reason);
      const timer = setTimeout(() => fail(limitFailure('seconds')), LIMITS.seconds * 1000);
      child.on('message', onMessage).once('close', onClose);
      signal?.addEventListener('abort', onAbort, { once: true });
      finish = () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('close', onClose);
        signal?.removeEventListener('abort', onAbort);
      };
      // A process that ends meanwhile says so with `close`.
      this.give(job).catch(() => this.isAlive || onClose());
    });
    return result.finally(() => finish());
  }

  /** Sends a job in pieces: one of many megabytes would be copied in one step. */
  private async give(job: ParseJob): Promise<void> {
    const pause = slicer();
    await this.send({ type: job.type, name: 'name' in job ? job.name : undefined });
    for (const piece of 'text' in job ? encoded(job.text) : cut(job.bytes)) {
      await this.send({ piece });
      await pause();
    }
    await this.send({ end: true });
  }

  private send(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.send(message, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  private reason(): ParseFailure {
    const limit = /^limit:(\w+)$/mu.exec(this.said)?.[1];
    if (limit !== undefined) return limitFailure(limit as keyof typeof MESSAGES);
    if (/out of memory|invalid (?:size|array|table)/u.test(this.said)) return limitFailure('heapMib');
    return { name: 'Exit', message: 'could not be read' };
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Yields a text as UTF-8, never cut between the halves of a surrogate pair. */
function* encoded(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + PIECE - 1);
    const end = at + PIECE - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield Buffer.from(text.slice(at, end));
    at = end;
  }
}

const MEMORY = 'of memory to parse; split it or convert it to text';
const MESSAGES = {
  seconds: `takes more than ${LIMITS.seconds} s to parse; split it or convert it to text`,
  processorSeconds: `takes more than ${LIMITS.processorSeconds} s of processor time to parse; split it or convert it to text`,
  heapMib: `needs more than ${LIMITS.heapMib} MiB ${MEMORY}`,
  residentMib: `needs more than ${LIMITS.residentMib} MiB ${MEMORY}`,
} as const;

function limitFailure(limit: keyof typeof MESSAGES): ParseFailure {
  return { name: 'LimitExceeded', limit, message: MESSAGES[limit] };
}
