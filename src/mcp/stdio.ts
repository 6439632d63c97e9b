import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { StdioTransport } from './stdio-transport.js';
import { type ToolServerOptions, toolServer } from './tool-server.js';

export interface StdioStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Serves the tools on standard input and output; nothing but the protocol goes to standard output. */
export function serveToolsOnStdio(
  options: ToolServerOptions,
  onError: (error: Error) => void,
  { stdin, stdout }: StdioStreams = process,
): { close(): Promise<void> } {
  return serveStdio(() => toolServer(options), { transport: new StdioTransport(stdin, stdout), onerror: onError });
}
