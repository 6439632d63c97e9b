import { conceptId } from '../../src/core/ids.js';
import type { Random } from '../../src/core/random.js';

/** What one request brings: a source whole, or one message of a session. */
export interface Write {
  /** The source that it belongs to: a later write of the same slot replaces it, a message joins it. */
  readonly slot: string;
  /** Id of the message within its session. */
  readonly message?: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Step =
  | { readonly kind: 'write'; readonly writes: readonly Write[] }
  | { readonly kind: 'again'; readonly write: Write }
  | { readonly kind: 'forget'; readonly slot: string }
  | { readonly kind: 'forget message'; readonly slot: string; readonly message: string }
  /** A change by hand, where what it names is there; all are undone by `undo` and at the end. */
  | { readonly kind: 'edit'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'undo' }
  | { readonly kind: 'restart' }
  /** The service is killed while it handles the write, started again, and sent the write once more. */
  | { readonly kind: 'kill'; readonly write: Write };

export interface History {
  readonly domain: string;
  readonly steps: readonly Step[];
  readonly questions: readonly string[];
}

/** Names that break tokenisers, among ordinary ones; two differ only in case, two share a word. */
const NAMES = [
  'Aldra Tower',
  'Mira Voss',
  'Skarn Island',
  'C#',
  'C++',
  'Node.js',
  'ﬁber Net',
  'Fiber Net',
  '東京タワー',
  'O’Brien Ltd',
  'Café Zürich',
  'Port Helm',
  'Helm Port Authority',
  'aldra tower',
  'Quartz Relay',
  'Relay',
];
const SENTENCES: ReadonlyArray<(a: string, b: string, c: string) => string> = [
  (a, b) => `${a} is a part of ${b}.`,
  (a, b) => `${a} requires ${b}.`,
  (a, b, c) => `${a} was built by ${b} near ${c}.`,
  (a, b) => `Always check ${a} before you touch ${b}.`,
  (a, b) => `You must never start ${a} without ${b}.`,
  (a, b, c) => `Usually ${a} and ${b} depend on ${c}, however always with care.`,
  (a) => `${a} hums at night.`,
  (a, b) => `The keeper of ${a} wrote to ${b} in 1911.`,
];
const RELATIONS = ['requires', 'part_of', 'uses', 'similar_to', 'contains'];
const SLOTS = ['text-0', 'text-1', 'text-2', 'page-0', 'page-1', 'facts-0', 'facts-1', 'talk-0', 'talk-1'];

/** Draws a history of one domain; with `kills`, the service dies in some of its steps. */
export function drawHistory(
  random: Random,
  { domain, kills = false }: { readonly domain: string; readonly kills?: boolean },
): History {
  const draw = new Draw(random, domain);
  const steps: Step[] = [];
  const written: Write[] = [];
  for (let left = 4 + draw.below(9); left > 0; left -= 1) {
    const dice = draw.below(25);
    const last = written[draw.below(written.length)];
    if (dice < 10 || last === undefined) {
      const writes = draw.writes(dice < 2 ? 3 : 1);
      written.push(...writes);
      steps.push({ kind: 'write', writes });
    } else if (dice < 12) steps.push({ kind: 'again', write: last });
    else if (dice < 17) steps.push({ kind: 'forget', slot: last.slot });
    else if (dice < 20) steps.push({ kind: 'edit', body: draw.edit() });
    else if (dice < 21) steps.push({ kind: 'undo' });
    else if (dice < 23) {
      // The newest of a session: the others keep their turns.
      const message = remaining(steps).findLast((write) => write.message !== undefined && write.slot === last.slot);
      if (message !== undefined) steps.push({ kind: 'forget message', slot: message.slot, message: message.message! });
    } else if (dice < 24 || !kills) steps.push({ kind: 'restart' });
    else {
      const [write] = draw.writes(1);
      written.push(write!);
      steps.push({ kind: 'kill', write: write! });
    }
  }
  const questions = [draw.question(), draw.question(), 'always check', draw.name()];
  return { domain, steps, questions };
}

/** The writes that a service which never saw what was forgotten or replaced would get, in order. */
export function remaining(steps: readonly Step[]): Write[] {
  // A write that says the same as before changes nothing, so it keeps its place.
  const present = new Map<string, Write>();
  const put = (write: Write): void => {
    const key = write.message === undefined ? write.slot : `${write.slot} ${write.message}`;
    const before = present.get(key);
    if (before !== undefined && JSON.stringify(before.body) === JSON.stringify(write.body)) return;
    // A message that is sent again keeps its turn, a source that changed is newer than all others.
    if (write.message === undefined) present.delete(key);
    present.set(key, write);
  };
  for (const step of steps) {
    if (step.kind === 'write') for (const write of step.writes) put(write);
    else if (step.kind === 'again' || step.kind === 'kill') put(step.write);
    else if (step.kind === 'forget') {
      for (const [key, write] of present) if (write.slot === step.slot) present.delete(key);
    } else if (step.kind === 'forget message') present.delete(`${step.slot} ${step.message}`);
  }
  return [...present.values()];
}

class Draw {
  private messages = 0;

  constructor(
    private readonly random: Random,
    private readonly domain: string,
  ) {}

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  name(): string {
    return NAMES[this.below(NAMES.length)]!;
  }

  question(): string {
    return `What does ${this.name()} have to do with ${this.name()}?`;
  }

  /** A new name of a concept, or a merge of two. */
  edit() {
    const { domain } = this;
    const [id, into_id] = [conceptId(domain, this.name()), conceptId(domain, this.name())];
    if (this.below(3) === 0) return { domain, type: 'merge', from_id: id, into_id };
    return { domain, type: 'change_concept', id, name: this.name() };
  }

  /**
   * Writes of different sources, to be sent together. All but one are messages: of two sources that say the same, the one
   * that came last is named, and which that is nobody knows of writes at once.
   */
  writes(count: number): Write[] {
    const slots = new Set([SLOTS[this.below(SLOTS.length)]!]);
    for (const slot of SLOTS) if (slot.startsWith('talk') && slots.size < count) slots.add(slot);
    return [...slots].map((slot) => this.write(slot));
  }

  private write(slot: string): Write {
    const { domain } = this;
    const name = `${domain} ${slot}`;
    if (slot.startsWith('talk')) {
      const message = `m${this.below(3) === 0 ? this.below(this.messages + 1) : this.messages++}`;
      const body = { domain, session_id: name, role: 'user', message_id: message, text: this.sentences(2) };
      return { slot, message, path: '/v1/ingest/message', body };
    }
    if (slot.startsWith('facts')) return { slot, path: '/v1/ingest/structured', body: this.facts(name) };
    const format = slot.startsWith('page') ? 'markdown' : 'text';
    const text = format === 'text' ? this.paragraphs() : this.page();
    return { slot, path: '/v1/ingest/text', body: { domain, name, format, text } };
  }

  private sentences(most: number): string {
    return Array.from({ length: 1 + this.below(most) }, () =>
      SENTENCES[this.below(SENTENCES.length)]!(this.name(), this.name(), this.name()),
    ).join(' ');
  }

  private paragraphs(): string {
    return Array.from({ length: 1 + this.below(3) }, () => this.sentences(4)).join('\n\n');
  }

  private page(): string {
    return Array.from({ length: 1 + this.below(3) }, () => `# ${this.name()}\n\n${this.paragraphs()}`).join('\n\n');
  }

  private facts(source_id: string) {
    const names = Array.from({ length: 1 + this.below(4) }, () => this.name());
    const some = <T>(most: number, make: () => T): T[] => Array.from({ length: this.below(most + 1) }, make);
    return {
      domain: this.domain,
      source_id,
      concepts: [...new Set(names)].map((name) => ({
        name,
        description: this.sentences(1),
        confidence: (1 + this.below(4)) / 4,
      })),
      edges: some(4, () => ({
        source: this.name(),
        target: this.name(),
        relation: RELATIONS[this.below(RELATIONS.length)]!,
        confidence: (1 + this.below(4)) / 4,
      })),
      rules: some(2, () => ({ text: this.sentences(1) })),
    };
  }
}
