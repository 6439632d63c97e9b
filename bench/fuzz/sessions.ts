import { httpV1, type ToolClient } from '../../test/mcp/connections.js';

/**
 * Calls of one session. The client library gives the one signal of its connection to each of its requests, and `fetch`
 * listens to it until the memory of the request is collected: from 1,500 listeners on Node.js warns at every call.
 */
const CALLS = 1000;

export type ToolCalls = Pick<ToolClient, 'call' | 'close'>;

/** Calls tools in sessions that follow one another, all of them open until `close`. */
export function sessions(url: string): ToolCalls {
  const opened: Array<Promise<ToolClient>> = [];
  let calls = 0;
  return {
    call: async (...call) => {
      if (calls % CALLS === 0) opened.push(httpV1(url));
      calls += 1;
      return (await opened.at(-1)!).call(...call);
    },
    close: async () => {
      for (const client of opened) await (await client).close();
    },
  };
}
