import type { GraphDelta } from '../../backends/graph/port.js';
import { shareOfStep } from './pieces.js';
import type { LoadPorts } from './ports.js';
import { type SourceWrite, writeSources } from './write-sources.js';

/** A source that waits to be written. */
interface Waiting {
  readonly source: SourceWrite;
  readonly signal: AbortSignal | undefined;
  readonly written: (delta: GraphDelta) => void;
  readonly failed: (error: unknown) => void;
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

  /** Resolves when the source is committed. Rejects with its own failure only: that of another of its group is not shared. */
  write(source: SourceWrite, signal?: AbortSignal): Promise<GraphDelta> {
    return new Promise((written, failed) => {
      this.waiting.push({ source, signal, written, failed });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let group = this.next(); group.length > 0; group = this.next()) await this.together(group);
    this.running = false;
    this.ended();
  }

  /** Takes the first of those that wait, and as many after it as make one step of writing. */
  private next(): Waiting[] {
    let share = 0;
    let end = 0;
    for (; end < Math.min(this.waiting.length, MOST); end += 1) {
      share += shareOfStep(this.waiting[end]!.source.manifest);
      if (end > 0 && share > 1) break;
    }
    return this.waiting.splice(0, end);
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
      if (wanted.length === 1) wanted[0]!.failed(error);
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
