import { type ChildProcess, fork } from 'node:child_process';
import { START_FLAGS } from '../../scripts/start-flags.js';
import type { Holds } from './monitor.js';

function start(file: string): ChildProcess {
  const execArgv = [...START_FLAGS, ...process.execArgv, ...own()];
  return fork(new URL(file, import.meta.url), { execArgv });
}

/** Loads TypeScript in the child as in this process. */
function own(): string[] {
  return process.execArgv.some((argument) => argument.includes('tsx')) ? [] : ['--import', 'tsx'];
}

/** The next message of a child; throws where it ends instead. */
function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

export interface World {
  readonly a: string;
  readonly b: string;
  /** Longest holds of the service's event loop since the last call. */
  holds(): Promise<Holds>;
  /** Latencies of health since the last call, ms, in order of size. */
  latencies(): Promise<number[]>;
  close(): Promise<void>;
}

/** A service and who asks it for health, each in a process of its own. */
export async function startWorld(): Promise<World> {
  const serving = start('serve.ts');
  serving.once('exit', (code, signal) => process.stderr.write(`The service ended with ${signal ?? code}.\n`));
  const { urls } = await answerOf<{ urls: { a: string; b: string } }>(serving);
  const probe = start('probe.ts');
  probe.send({ url: `${urls.a}/v1/health` });
  return {
    ...urls,
    holds: async () => {
      serving.send('holds');
      return (await answerOf<{ holds: Holds }>(serving)).holds;
    },
    latencies: async () => {
      probe.send({});
      return (await answerOf<{ times: number[] }>(probe)).times.sort((a, b) => a - b);
    },
    close: async () => {
      probe.disconnect();
      serving.removeAllListeners('exit');
      const ended = new Promise((resolve) => serving.once('exit', resolve));
      serving.send('end');
      await ended;
    },
  };
}
