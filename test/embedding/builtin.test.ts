import { describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { MinilmPool } from '../../src/backends/embedding/minilm/minilm-pool.js';

describe('the built-in models', () => {
  it('are opened by their kind, without a word', async () => {
    const logged: string[] = [];
    for (const kind of ['minilm', 'static'] as const) {
      const model = openBuiltin(kind, (message) => logged.push(message));
      expect(model.name).toBe(kind);
      await model.close();
    }
    expect(logged).toEqual([]);
  });

  it('say what to do when the model cannot be loaded, at every call', async () => {
    const pool = new MinilmPool({ modelFile: 'no-such-model.onnx', dimension: 384 });
    const text = { ids: Int32Array.of(101, 102), ranges: new Int32Array(0) };
    for (let call = 0; call < 2; call += 1) {
      await expect(pool.encode([text], { urgent: true })).rejects.toMatchObject({
        code: 'unavailable',
        message: /cannot be loaded .*SVC_EMBEDDING=static/,
      });
    }
    await pool.close();
  });
});
