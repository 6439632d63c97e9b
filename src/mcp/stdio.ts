import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { StdioTransport } from './stdio-transport.js';
import { type ToolServerOptions, toolServer } from './tool-server.js';

export interface StdioStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

export interface StdioServer {
  /** Resolves when the input has ended and what was read of it is answered. */
  readonly ended: Promise<void>;
  /** Reads nothing more; `ended` resolves once what was read is answered. */
  finish(): void;
  close(): Promise<void>;
}

/** Serves the tools on standard input and output; nothing but the protocol goes to standard output. */
export function serveToolsOnStdio(
  options: ToolServerOptions,
  onError: (error: Error) => void,
  { stdin, stdout }: StdioStreams = process,
): StdioServer {
  const transport = new StdioTransport(stdin, stdout);
  const server = serveStdio(() => toolServer(options), { transport, onerror: onError });
  return { ended: transport.ended, finish: () => transport.finish(), close: () => server.close() };
}
