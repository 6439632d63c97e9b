import { join } from 'node:path';
import { pythonEnvironment } from '../../scripts/live/process.js';

/** A Python that has the MCP package, made once. */
export function pythonWithTools(): string {
  const environment = (pythonEnvironment as (name: string, packages: string[]) => string)('tools', ['mcp==2.3']);
  return join(environment, 'bin', 'python');
}
