import { invoke } from '../operations/invoke.js';
import type { Service } from '../service.js';
import type { ToolCall } from './tool-server.js';

/** Returns a dispatcher that invokes operations on a service of this process. */
export function dispatchTo(service: Service, authenticated: boolean): ToolCall {
  return (tool, input, context) =>
    invoke(service, tool.operation, input, {
      surface: 'tool',
      authenticated,
      signal: context.signal,
      progress: context.progress,
      onUnfinished: context.onUnfinished,
    });
}
