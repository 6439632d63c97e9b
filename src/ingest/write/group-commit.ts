import type { GraphDelta } from '../../backends/graph/port.js';
import { storeProblem } from '../../core/errors.js';
import { sourceId } from '../../core/ids.js';
import { shareOfStep } from './pieces.js';
import type { LoadPorts } from './ports.js';
import { type SourceWrite, writeSources } from './write-sources.js';

/** A source that waits to be written. */
interface Waiting {
  readonly source: SourceWrite;
  /** Public id of the source. */
  readonly id: string;
  readonly share: number;
  readonly signal: AbortSignal | undefined;
  readonly written: (delta: GraphDelta) => void;
  readonly failed: (error: unknown) => void;
  /** Gives it up, while it waits. */
  readonly leave: () => void;
}

/** Sources of one transaction. */
const MOST = 100;

/**
 * Writes sources of one domain, one transaction after the other. Those that come while one is running go together into
 * the next: what a transaction costs is paid once for all of them, and nobody waits for company.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(
    private readonly ports: LoadPorts,
    private readonly ended: () => void,
  ) {}

  /**
   * Resolves when the source is committed. Rejects with its own failure or the store's: that of another of its group is
   * not shared. A source whose signal is aborted while it waits is not written, and rejects at once.
   */
  write(source: SourceWrite, signal?: AbortSignal): Promise<GraphDelta> {
    const id = sourceId(source.manifest.source);
    const share = shareOfStep(source.manifest);
    return new Promise((written, failed) => {
      if (signal?.aborted === true) return failed(signal.reason);
      const one: Waiting = { source, id, share, signal, written, failed, leave: () => this.leave(one) };
      signal?.addEventListener('abort', one.leave, { once: true });
      this.waiting.push(one);
      if (!this.running) void this.run();
    });
  }

  /** Takes one that still waits out of the queue. */
  private leave(one: Waiting): void {
    this.waiting = this.waiting.filter((other) => other !== one);
    one.failed(one.signal?.reason);
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let group = this.next(); group.length > 0; group = this.next()) await this.together(group);
    this.running = false;
    this.ended();
  }

  /**
   * Takes the first of those that wait, and as many after it as make one step of writing. Messages of a session that is
   * written already in that step wait for the next: what they leave of earlier texts is read before.
   */
  private next(): Waiting[] {
    const ids = new Set<string>();
    let sum = 0;
    let end = 0;
    for (; end < Math.min(this.waiting.length, MOST); end += 1) {
      const { id, share, source } = this.waiting[end]!;
      sum += share;
      if (end > 0 && (sum > 1 || (source.turn !== undefined && ids.has(id)))) break;
      ids.add(id);
    }
    const group = this.waiting.splice(0, end);
    for (const { signal, leave } of group) signal?.removeEventListener('abort', leave);
    return group;
  }

  private async together(group: readonly Waiting[]): Promise<void> {
    const wanted = group.filter(({ signal, failed }) => {
      if (signal?.aborted !== true) return true;
      failed(signal.reason);
      return false;
    });
    if (wanted.length === 0) return;
    try {
      const deltas = await writeSources(
        this.ports,
        wanted.map(({ source }) => source),
      );
      for (const [i, { written }] of wanted.entries()) written(deltas[i]!);
    } catch (error) {
      // What the store refuses, or may have taken before it was lost, it does not refuse for the sake of one of them.
      if (wanted.length === 1 || storeProblem(error) !== undefined) for (const { failed } of wanted) failed(error);
      // One of them is the reason; none was written.
      else for (const one of wanted) await this.together([one]);
    }
  }
}

const groups = new WeakMap<LoadPorts, Map<string, GroupCommit>>();

/** Returns what writes the small sources of a domain. */
export function groupCommit(ports: LoadPorts, domain: string): GroupCommit {
  const ofPorts = groups.get(ports) ?? new Map<string, GroupCommit>();
  groups.set(ports, ofPorts);
  const known = ofPorts.get(domain);
  if (known !== undefined) return known;
  const made = new GroupCommit(ports, () => ofPorts.delete(domain));
  ofPorts.set(domain, made);
  return made;
}
