import { describe, expect, it, jest } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';

function withoutRuntime(): void {
  jest.doMock('onnxruntime-node', () => {
    throw new Error("Cannot find module 'onnxruntime-node'\nRequire stack: …");
  });
}

// A file of its own: the runtime must not have been loaded before in this process.
describe('the built-in models', () => {
  it('fall back to the static one, with one line, where the runtime is absent', async () => {
    withoutRuntime();
    const logged: string[] = [];
    const model = openBuiltin('minilm', (message) => logged.push(message));
    expect(model.name).toBe('static');
    expect(await model.embed(['works'])).toHaveLength(1);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/Cannot find module 'onnxruntime-node'\)\.$/);
  });
});
