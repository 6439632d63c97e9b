import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ToolServerOptions, toolServer } from './tool-server.js';

/** Serves the tools on standard input and output; nothing but the protocol goes to standard output. */
export function serveToolsOnStdio(
  options: ToolServerOptions,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  return serveStdio(() => toolServer(options), { onerror: onError });
}
