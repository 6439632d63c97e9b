import { join } from 'node:path';
import { pythonEnvironment } from '../../scripts/live/process.js';

/** A Python that has the MCP package, made once. */
export function pythonWithTools(): string {
  const environment = (pythonEnvironment as (name: string, packages: string[]) => string)('tools', ['mcp==2.3']);
  return join(environment, 'bin', 'python');
}

/** Returns a Python that has a validator of JSON Schema and a reader of YAML, made once. */
export function pythonWithJsonSchema(): string {
  const packages = ['jsonschema==4.23.0', 'PyYAML==6.0.2'];
  const environment = (pythonEnvironment as (name: string, packages: string[]) => string)('jsonschema', packages);
  return join(environment, 'bin', 'python');
}
