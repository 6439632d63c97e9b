import { invoke } from '../operations/invoke.js';
import type { Service } from '../service.js';
import type { ToolCall } from './tool-server.js';

/** Calls that enter through the door of a service in this process. */
export function callsInto(service: Service, authenticated: boolean): ToolCall {
  return (tool, input, context) =>
    invoke(service, tool.operation, input, {
      surface: 'tool',
      authenticated,
      signal: context.signal,
      progress: context.progress,
    });
}
