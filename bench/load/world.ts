import { type ChildProcess, fork } from 'node:child_process';
import { START_FLAGS } from '../../scripts/start-flags.js';
import type { MemorySample } from './memory.js';

export interface World {
  readonly url: string;
  /** Memory since the last call, ending with the heap after a collection that is asked for. */
  memory(): Promise<MemorySample[]>;
  /** Latencies of health since the last call, ms. */
  health(): Promise<number[]>;
  close(): Promise<void>;
}

/** A service as `npm start` runs it, and a process that asks it for health. */
export async function startWorld(embedding: string): Promise<World> {
  const flags = [...START_FLAGS, '--expose-gc'];
  const serving = start('./serve.ts', flags, { ...process.env, LOAD_EMBEDDING: embedding });
  const { url } = await messageOf<{ url: string }>(serving);
  const probe = start('../hostile/probe.ts', []);
  probe.send({ url: `${url}/v1/health` });
  return {
    url,
    memory: async () => {
      serving.send('memory');
      return (await messageOf<{ samples: MemorySample[] }>(serving)).samples;
    },
    health: async () => {
      probe.send({});
      return (await messageOf<{ times: number[] }>(probe)).times;
    },
    close: async () => {
      probe.disconnect();
      const ended = new Promise((resolve) => serving.once('exit', resolve));
      serving.send('end');
      await ended;
    },
  };
}

function start(file: string, flags: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  return fork(new URL(file, import.meta.url), { execArgv: [...flags, '--import', 'tsx'], env });
}

/** The next message of a child; throws where it ends instead. */
function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
