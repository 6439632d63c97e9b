import { Agent, request } from 'node:http';
import { seededRandom } from '../../src/core/random.js';

export const KINDS = ['query', 'feedback', 'observe', 'ingest'] as const;
export type Kind = (typeof KINDS)[number];

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const SUBJECTS = ['pump', 'valve', 'boiler', 'filter', 'sensor', 'motor', 'turbine', 'gauge', 'tank', 'relay'];
const STATES = ['leaks', 'overheats', 'vibrates', 'stalls', 'rusts', 'drifts', 'clogs', 'trips', 'hums', 'cracks'];
const RELATIONS = ['REQUIRES', 'PART_OF', 'USES', 'CONTAINS', 'SUPPORTS'];
const DOCUMENTS = 500;
/** Queries whose items can be rated. */
const RECENT = 200;
const BATCH = 500;
/** Requests that are under way together while every concept is asked about. */
const AT_ONCE = 4;

/** The requests of the benchmark: a graph of a fixed size to begin with, and a mix that leaves it at that size. */
export class Traffic {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  private readonly random = seededRandom('load');
  private readonly recent: Array<{ readonly query_id: string; readonly item: string }> = [];
  private ingested = 0;

  constructor(
    private readonly url: string,
    private readonly concepts: number,
  ) {}

  /** Fills the service with the concepts, two edges each. */
  async fill(): Promise<void> {
    for (let start = 0; start < this.concepts; start += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, this.concepts - start) }, (_, i) => start + i);
      const answer = await this.post('/v1/ingest/structured', {
        domain: 'plant',
        concepts: numbers.map((i) => ({
          name: this.nameOf(i),
          description: `${this.state(i)} when the load is high.`,
        })),
        edges: numbers.flatMap((i) =>
          [1, 2].map((step) => ({
            source: this.nameOf(i),
            target: this.nameOf(Math.max(0, i - step * (1 + (i % 7)))),
            relation_type: RELATIONS[i % RELATIONS.length],
          })),
        ),
      });
      if (answer.status !== 200) throw new Error(`The service could not be filled: ${answer.text}`);
    }
    for (let i = 0; i < DOCUMENTS; i += 1) await this.send('ingest');
    for (let i = 0; i < 20; i += 1) await this.send('query');
  }

  /** Asks about every concept once: what the service keeps in memory of names and postings is there before anything is measured. */
  async askAll(): Promise<void> {
    let i = 0;
    const ask = async () => {
      while (i < this.concepts) await this.query(i++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  }

  /** Draws the kind of the next request: 70 % query, 10 % feedback, 10 % observe, 10 % ingest. */
  next(): Kind {
    const share = this.random();
    if (share < 0.7) return 'query';
    if (share < 0.8) return 'feedback';
    return share < 0.9 ? 'observe' : 'ingest';
  }

  async send(kind: Kind): Promise<Answer> {
    const i = Math.floor(this.random() * this.concepts);
    switch (kind) {
      case 'query':
        return this.query(i);
      case 'feedback': {
        const { query_id, item } = this.recent[Math.floor(this.random() * this.recent.length)]!;
        const outcome = ['accepted', 'partial', 'rejected'][i % 3];
        return this.post('/v1/feedback', { query_id, outcomes: { [item]: outcome }, source: 'load' });
      }
      case 'observe':
        return this.post('/v1/learning/observe', { learner: 'load', arm_id: `arm-${i % 20}`, outcome: 'accepted' });
      case 'ingest': {
        // A later text of the same name replaces the former: the store keeps its size.
        const number = this.ingested++ % DOCUMENTS;
        const text = [0, 1, 2].map(
          (k) => `${this.nameOf(i + k)} ${STATES[(i + k) % 10]} after ${this.ingested} hours.`,
        );
        return this.post('/v1/ingest/text', { domain: 'notes', name: `note ${number}`, text: text.join(' ') });
      }
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async query(i: number): Promise<Answer> {
    const context = `What does ${this.nameOf(i)} need when it ${STATES[i % STATES.length]}?`;
    const answer = await this.post('/v1/query', { context, domains: ['plant', 'notes'], top_k: 10 });
    if (answer.status === 200) this.remember(answer.text);
    return answer;
  }

  private nameOf(i: number): string {
    return `${SUBJECTS[i % SUBJECTS.length]!.replace(/^./, (letter) => letter.toUpperCase())} ${i % this.concepts}`;
  }

  private state(i: number): string {
    return `It ${STATES[i % STATES.length]} and ${STATES[(i * 7 + 3) % STATES.length]}`;
  }

  private remember(text: string): void {
    const { query_id, items } = JSON.parse(text) as { query_id: string; items: ReadonlyArray<{ id: string }> };
    const item = items[0]?.id;
    if (item === undefined) return;
    this.recent.push({ query_id, item });
    if (this.recent.length > RECENT) this.recent.shift();
  }

  private post(path: string, input: object): Promise<Answer> {
    const body = JSON.stringify(input);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sending = request(`${this.url}${path}`, { method: 'POST', agent: this.agent, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('error', reject);
        answer.once('end', () => {
          const retryAfter = answer.headers['retry-after'];
          resolve({ status: answer.statusCode ?? 0, retryAfter, text: Buffer.concat(parts).toString() });
        });
      });
      sending.once('error', reject);
      sending.end(body);
    });
  }
}
