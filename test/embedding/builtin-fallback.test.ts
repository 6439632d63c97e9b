import Module from 'node:module';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';

/** Node's own resolver, which its types leave out. */
const resolver = Module as unknown as { _resolveFilename(request: string, ...rest: unknown[]): string };
const resolve = resolver._resolveFilename;
afterEach(() => {
  resolver._resolveFilename = resolve;
});

function withoutRuntime(): void {
  resolver._resolveFilename = (request, ...rest) => {
    if (request === 'onnxruntime-node') throw new Error("Cannot find module 'onnxruntime-node'\nRequire stack: …");
    return resolve(request, ...rest);
  };
}

// A file of its own: the runtime must not have been loaded before in this process.
describe('the built-in models', () => {
  it('fall back to the static one, with one line, where the runtime is absent', async () => {
    withoutRuntime();
    const said: string[] = [];
    const model = openBuiltin('minilm', (message) => said.push(message));
    expect(model.name).toBe('static');
    expect(await model.embed(['works'])).toHaveLength(1);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/Cannot find module 'onnxruntime-node'\)\.$/);
  });
});
