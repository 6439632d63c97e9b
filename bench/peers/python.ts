import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cacheDir, pythonEnvironment } from '../../scripts/live/process.js';
import type { EmbeddingsEndpoint } from './embeddings.js';
import { type Answer, type Document, type Opened, type Peer, TOP, textOf } from './peer.js';

interface PythonPeer {
  readonly name: string;
  readonly version: string;
  /** With their versions, as pip takes them. */
  readonly packages: readonly string[];
  readonly driver: string;
  readonly means: Peer['means'];
}

export const MEM0: PythonPeer = {
  name: 'mem0',
  version: '2.2.1',
  packages: ['mem0ai==2.2.1'],
  driver: 'mem0_driver.py',
  means: {
    write: '`Memory.add(…, infer=False)`, one call a document, one after another; embedded Qdrant',
    ask: '`Memory.search`',
    forget: '`delete_all(user_id, run_id)`, the document being its run',
    users: '`user_id`',
    feedback: 'in its hosted service only',
  },
};

export const LIGHTRAG: PythonPeer = {
  name: 'LightRAG',
  version: '1.5.7',
  packages: ['lightrag-hku==1.5.7', 'openai==3.57.0'],
  driver: 'lightrag_driver.py',
  means: {
    write: '`ainsert` with all documents, embedded storage; the language model is a function that finds no entities',
    ask: '`aquery_data`, mode `naive`: vectors alone',
    forget: '`adelete_by_doc_id`',
    users: 'a workspace each',
    feedback: 'none',
  },
};

/** The peer with an environment of its own; undefined where that is not installed and `install` is false. */
export function pythonPeer(peer: PythonPeer, endpoint: EmbeddingsEndpoint, install: boolean): Peer | undefined {
  const name = `peer-${peer.name.toLowerCase()}`;
  if (!install && !existsSync(join(cacheDir, 'python', name, 'packages.txt'))) return undefined;
  const python = join(pythonEnvironment(name, [...peer.packages]), 'bin', 'python');
  const driver = fileURLToPath(new URL(peer.driver, import.meta.url));
  return {
    ...peer,
    endpoint,
    open: async (directory) => {
      const env = {
        PATH: process.env.PATH ?? '',
        HOME: directory,
        PYTHONDONTWRITEBYTECODE: '1',
        MEM0_DIR: directory,
        MEM0_TELEMETRY: 'False',
        PEER_EMBEDDINGS: endpoint.url,
        PEER_DIMENSION: String(endpoint.dimension),
      };
      const opened = new Driven(spawn(python, [driver], { cwd: directory, env }));
      await opened.modelCalls();
      return opened;
    },
  };
}

class Driven implements Opened {
  readonly #waiting: Array<{ resolve(result: unknown): void; reject(error: Error): void }> = [];
  readonly #ended: Promise<void>;
  #said = '';

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-2000);
    });
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { ok, error } = JSON.parse(line) as { ok?: unknown; error?: string };
      const { resolve, reject } = this.#waiting.shift()!;
      if (error === undefined) resolve(ok);
      else reject(new Error(error));
    });
    this.#ended = new Promise((ended) =>
      child.once('close', () => {
        for (const { reject } of this.#waiting) reject(new Error(`The driver ended: ${this.#said}`));
        ended();
      }),
    );
  }

  get pid(): number {
    return this.child.pid!;
  }

  async add(documents: readonly Document[], user: string): Promise<void> {
    await this.#do('add', { documents: documents.map(written), user });
  }

  async addAtOnce(documents: readonly Document[], user: string): Promise<number> {
    return (await this.#do('add_at_once', { documents: documents.map(written), user })) as number;
  }

  async ask(question: string, user: string): Promise<Answer> {
    const { ms, texts } = (await this.#do('ask', { question, user, top: TOP })) as { ms: number; texts: string[] };
    return { ms, found: texts.map((text) => ({ name: '', text })) };
  }

  /** Without downloads and a language model these peers have nothing else. */
  askVectors(question: string, user: string): Promise<Answer> {
    return this.ask(question, user);
  }

  async count(user: string): Promise<number> {
    return (await this.#do('count', { user })) as number;
  }

  async forget(document: Document, user: string): Promise<void> {
    await this.#do('forget', { document: written(document), user });
  }

  async modelCalls(): Promise<number> {
    return (await this.#do('model_calls', {})) as number;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  async close(): Promise<void> {
    await this.#do('end', {});
    this.child.stdin.end();
    await this.#ended;
  }

  #do(method: string, input: Record<string, unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.child.stdin.write(`${JSON.stringify({ do: method, with: input })}\n`);
    });
  }
}

function written(document: Document): { id: string; text: string } {
  return { id: document.id, text: textOf(document) };
}
