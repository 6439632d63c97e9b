import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Answer, type Document, type Opened, type Peer, TOP } from './peer.js';

const MANIFEST = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json');

interface Entity {
  readonly name: string;
  readonly observations: readonly string[];
}

/** The protocol's own memory server over stdio. A document is an observation of the entity of its title. */
export function memoryServer(): Peer {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
  return {
    name: '@modelcontextprotocol/server-memory',
    version,
    means: {
      write: '`create_entities`, 100 documents a call; `add_observations` where the title is there already',
      ask: '`search_nodes` with each word of four letters or more, ranked by how many are found',
      forget: '`delete_observations` with the whole text',
      users: 'none; a process and a file each would be needed',
      feedback: 'none',
    },
    open: (directory) => MemoryServer.start(join(directory, 'memory.jsonl')),
  };
}

const BATCH = 100;

class MemoryServer implements Opened {
  private constructor(
    readonly client: Client,
    readonly pid: number,
  ) {}

  static async start(file: string): Promise<MemoryServer> {
    const client = new Client({ name: 'bench', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(MANIFEST), 'dist', 'index.js')],
      env: { PATH: process.env.PATH ?? '', MEMORY_FILE_PATH: file },
      stderr: 'ignore',
    });
    await client.connect(transport);
    return new MemoryServer(client, transport.pid!);
  }

  async add(documents: readonly Document[]): Promise<void> {
    for (let at = 0; at < documents.length; at += BATCH) await this.#write(documents.slice(at, at + BATCH));
  }

  async addAtOnce(documents: readonly Document[]): Promise<number> {
    const writes = await Promise.allSettled(documents.map((document) => this.#write([document])));
    return writes.filter(({ status }) => status === 'fulfilled').length;
  }

  async ask(question: string): Promise<Answer> {
    const began = performance.now();
    const words = new Set(question.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
    const found = new Map<string, { readonly entity: Entity; words: number }>();
    for (const query of words)
      for (const entity of await this.#entities('search_nodes', { query })) {
        const one = found.get(entity.name) ?? { entity, words: 0 };
        found.set(entity.name, { entity, words: one.words + 1 });
      }
    const ms = performance.now() - began;
    const best = [...found.values()].sort((a, b) => b.words - a.words).map(({ entity }) => entity);
    const texts = best.flatMap(({ name, observations }) => observations.map((text) => ({ name, text })));
    return { ms, found: texts.slice(0, TOP) };
  }

  async count(): Promise<number> {
    const entities = await this.#entities('read_graph', {});
    return entities.reduce((sum, { observations }) => sum + observations.length, 0);
  }

  async forget({ title, text }: Document): Promise<void> {
    await this.#call('delete_observations', { deletions: [{ entityName: title, observations: [text] }] });
  }

  async modelCalls(): Promise<number> {
    return 0;
  }

  async kill(): Promise<void> {
    const closed = new Promise<void>((done) => {
      this.client.onclose = done;
    });
    process.kill(this.pid, 'SIGKILL');
    await closed;
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** An entity that is there already is not made: what it lacks is added to it. */
  async #write(documents: readonly Document[]): Promise<void> {
    const texts = new Map<string, string[]>();
    for (const { title, text } of documents) texts.set(title, [...(texts.get(title) ?? []), text]);
    const entities = [...texts].map(([name, observations]) => ({ name, entityType: 'passage', observations }));
    const made = JSON.parse(await this.#call('create_entities', { entities })) as Entity[];
    for (const { name } of made) texts.delete(name);
    const observations = [...texts].map(([entityName, contents]) => ({ entityName, contents }));
    if (observations.length > 0) await this.#call('add_observations', { observations });
  }

  async #entities(tool: string, input: Record<string, unknown>): Promise<readonly Entity[]> {
    return (JSON.parse(await this.#call(tool, input)) as { entities: Entity[] }).entities;
  }

  async #call(name: string, input: Record<string, unknown>): Promise<string> {
    const answer = (await this.client.callTool({ name, arguments: input })) as {
      isError?: boolean;
      content: Array<{ text: string }>;
    };
    if (answer.isError === true) throw new Error(`${name}: ${answer.content[0]?.text}`);
    return answer.content[0]!.text;
  }
}
