import { readFileSync } from 'node:fs';
import { post, type ServerProcess, startProcess } from '../../test/service/process.js';
import { type Answer, type Document, type Opened, type Peer, TOP, textOf } from './peer.js';

interface Item {
  readonly id: string;
  readonly content: string;
  readonly metadata: { readonly source?: string };
}

/** This service as a process of its own, over HTTP. */
export function ours(model: 'minilm' | 'static'): Peer {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return {
    name: `this service, \`${model}\``,
    version,
    means: {
      write: '`POST /v1/ingest/text`, one call a document, one after another',
      ask: '`POST /v1/query`; by vectors alone with `mode: vec`',
      forget: '`DELETE /v1/documents/{source_id}`',
      users: 'a domain each',
      feedback: '`POST /v1/feedback`',
    },
    open: async (directory) => new OurService(await startProcess(directory, { SVC_EMBEDDING: model })),
  };
}

class OurService implements Opened {
  readonly #titles = new Map<string, string>();
  readonly #sources = new Map<string, string>();

  constructor(readonly server: ServerProcess) {}

  get pid(): number {
    return this.server.pid;
  }

  async add(documents: readonly Document[], user: string): Promise<void> {
    for (const document of documents) await this.#write(document, user);
  }

  async addAtOnce(documents: readonly Document[], user: string): Promise<number> {
    const writes = await Promise.allSettled(documents.map((document) => this.#write(document, user)));
    return writes.filter(({ status }) => status === 'fulfilled').length;
  }

  ask(question: string, user: string): Promise<Answer> {
    return this.#asked(question, user, 'auto');
  }

  askVectors(question: string, user: string): Promise<Answer> {
    return this.#asked(question, user, 'vec');
  }

  async #asked(question: string, user: string, mode: 'auto' | 'vec'): Promise<Answer> {
    const began = performance.now();
    const { items } = await this.#query(question, user, mode);
    return { ms: performance.now() - began, found: items.map((item) => this.#found(item)) };
  }

  /** Passages of the user's documents: names and links are made of them. */
  async count(user: string): Promise<number> {
    let [count, after] = [0, ''];
    do {
      const response = await fetch(`${this.server.url}/v1/documents?domain=${user}${after}`);
      // A domain is there from its first write on.
      if (response.status === 404) return 0;
      const page = (await response.json()) as { documents: Array<{ passages: number }>; next: string | null };
      count += page.documents.reduce((sum, { passages }) => sum + passages, 0);
      after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (after !== '');
    return count;
  }

  async forget({ id }: Document, user: string): Promise<void> {
    const source = this.#sources.get(`${user} ${id}`);
    const response = await fetch(`${this.server.url}/v1/documents/${source}`, { method: 'DELETE' });
    if (!response.ok) throw new Error(`DELETE /v1/documents answered ${response.status}: ${await response.text()}`);
  }

  async prefer(question: string, user: string, text: string): Promise<void> {
    const { query_id, items } = await this.#query(question, user, 'auto');
    const wanted = items.find(({ content }) => content.includes(text))!;
    await this.#post('/v1/feedback', { query_id, outcomes: { [items[0]!.id]: 'rejected', [wanted.id]: 'accepted' } });
  }

  async modelCalls(): Promise<number> {
    return 0;
  }

  kill(): Promise<void> {
    return this.server.kill();
  }

  async close(): Promise<void> {
    await this.server.stop();
  }

  async #write(document: Document, user: string): Promise<void> {
    this.#titles.set(document.id, document.title);
    const { source_id } = await this.#post('/v1/ingest/text', {
      text: `# ${textOf(document)}`,
      format: 'markdown',
      name: document.id,
      domain: user,
    });
    this.#sources.set(`${user} ${document.id}`, source_id as string);
  }

  async #query(question: string, user: string, mode: 'auto' | 'vec') {
    const answer = await this.#post('/v1/query', { context: question, domains: [user], top_k: TOP, mode });
    return answer as unknown as { query_id: string; items: Item[] };
  }

  /** The title is cut off: a long passage is several items, each with it. */
  #found({ content, metadata }: Item) {
    const name = this.#titles.get(metadata.source ?? '') ?? '';
    const titled = name !== '' && content.startsWith(`${name}: `);
    return { name: titled ? name : '', text: titled ? content.slice(name.length + 2) : content };
  }

  async #post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await post(this.server.url, path, body);
    if (answer?.status !== 200) throw new Error(`${path} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
    return answer.body;
  }
}
