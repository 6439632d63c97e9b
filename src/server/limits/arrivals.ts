import type { IncomingMessage } from 'node:http';
import { SvcError } from '../../core/errors.js';

export interface ArrivalLimits {
  /** Bodies that are on their way at once. */
  readonly most: number;
  /** Bytes of all bodies in memory: on their way, waiting for a slot, and worked on. */
  readonly bytes: number;
  /** Bytes of one body in memory: a larger one is refused as such, and takes no room. */
  readonly largest: number;
}

/** One request with a body, from its headers to its answer. */
export interface Arrival {
  /** Rejects with `unavailable` where the body is cut off because it is the slowest. */
  readonly cutOff: Promise<never>;
  readonly leave: () => void;
}

interface Entry {
  readonly request: IncomingMessage;
  readonly began: number;
  /** Bytes that the connection had received before. */
  readonly before: number;
  /** Bytes that the headers announce, 0 for none, and for a body that goes to disk. */
  readonly declared: number;
  readonly inMemory: boolean;
  readonly cut: (error: SvcError) => void;
}

const growing = new WeakMap<IncomingMessage, () => void>();

/**
 * Throws `unavailable` where a body that announced no length makes all bodies take more memory than is set apart for them.
 * Call it with each chunk; a body that does not count costs nothing.
 */
export function requireRoomToGrow(request: IncomingMessage): void {
  growing.get(request)?.();
}

/** Time that every body gets, in milliseconds, before it can be the slowest. */
const GRACE_MS = 5000;

/**
 * Bounds the bodies that arrive at once, apart from the slots in which requests run. Where too many are on their way, or
 * too many bytes, the slowest of those that had some seconds are cut off, so that senders that drip cannot keep others out.
 */
export class Arrivals {
  private readonly entries = new Set<Entry>();
  /** Those among them that count and announced no length. */
  private readonly unannounced = new Set<Entry>();
  /** Bytes that the others announced. */
  private declared = 0;

  constructor(
    private readonly limits: ArrivalLimits,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** Lets the body of a request arrive. Throws `unavailable` where there are too many, or too many bytes. */
  enter(request: IncomingMessage, inMemory: boolean): Arrival {
    const announced = inMemory ? Number(request.headers['content-length'] ?? 0) : 0;
    const declared = announced > this.limits.largest ? 0 : announced;
    this.requireBytes(declared);
    this.requirePlace();
    let cut: Entry['cut'] = () => undefined;
    const cutOff = new Promise<never>((_resolve, reject) => {
      cut = reject;
    });
    const entry = { request, began: performance.now(), before: request.socket.bytesRead, declared, inMemory, cut };
    this.entries.add(entry);
    this.declared += declared;
    if (inMemory && declared === 0) {
      this.unannounced.add(entry);
      growing.set(request, () => this.requireGrowth(entry));
    }
    return { cutOff, leave: () => this.remove(entry) };
  }

  private requireBytes(declared: number): void {
    // A single body always has room: it has a limit of its own.
    if (this.entries.size === 0) return;
    let sum = declared + this.occupied();
    if (sum <= this.limits.bytes) return;
    const given: Entry[] = [];
    for (const slow of this.slowestFirst()) {
      if (sum <= this.limits.bytes) break;
      if (occupiedBytes(slow) === 0) continue;
      sum -= occupiedBytes(slow);
      given.push(slow);
    }
    if (sum > this.limits.bytes) throw tooMany('The bodies of other requests fill the memory set apart for them');
    for (const slow of given) this.cutOff(slow);
  }

  /** A body of a length that was announced has its room since it came. */
  private requireGrowth(entry: Entry): void {
    if (!this.entries.has(entry) || this.entries.size === 1) return;
    if (this.occupied() > this.limits.bytes)
      throw tooMany('The bodies of other requests fill the memory set apart for them');
  }

  /** Bytes of memory that all bodies take, or will take. */
  private occupied(): number {
    let sum = this.declared;
    for (const entry of this.unannounced) sum += received(entry);
    return sum;
  }

  private requirePlace(): void {
    if (this.entries.size < this.limits.most) return;
    const arriving = [...this.entries].filter(({ request }) => !request.complete);
    if (arriving.length < this.limits.most) return;
    const [slowest] = this.slowestFirst();
    if (slowest === undefined) throw tooMany('Too many bodies are on their way');
    this.cutOff(slowest);
  }

  /** Returns the bodies on their way that had their time. */
  private slowestFirst(): Entry[] {
    const now = performance.now();
    const slow = [...this.entries].filter(({ request, began }) => !request.complete && now - began > this.graceMs);
    return slow.sort((a, b) => rate(a) - rate(b));
  }

  private remove(entry: Entry): void {
    if (!this.entries.delete(entry)) return;
    this.unannounced.delete(entry);
    this.declared -= entry.declared;
  }

  private cutOff(slowest: Entry): void {
    this.remove(slowest);
    slowest.cut(tooMany('The body arrived slower than all others, and others wait for its place'));
  }
}

/** Bytes of memory that a body takes, or will take: those that it announced, else those that came. */
function occupiedBytes(entry: Entry): number {
  if (!entry.inMemory) return 0;
  return entry.declared > 0 ? entry.declared : received(entry);
}

function received({ request, before }: Entry): number {
  return request.socket.bytesRead - before;
}

/** Bytes a millisecond. */
function rate(entry: Entry): number {
  return received(entry) / (performance.now() - entry.began);
}

function tooMany(what: string): SvcError {
  return new SvcError('unavailable', `${what}; send the request again later.`, undefined, {
    retryAfter: 1,
    retriable: true,
  });
}
