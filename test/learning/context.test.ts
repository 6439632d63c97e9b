import { describe, expect, it } from '@jest/globals';
import { contextKey } from '../../src/learning/learner/context-key.js';
import { learnerConfig } from '../../src/learning/learner/learner-config.js';

describe('the context of a learner', () => {
  it('that is too large is refused after the first members beyond the limit', () => {
    const names = Array.from({ length: 400_000 }, (_, i) => `member ${i}`);
    let read = 0;
    const huge = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
      get: (target, name) => {
        read += 1;
        return Reflect.get(target, name);
      },
    });
    expect(() => contextKey(huge)).toThrow('16384');
    expect(read).toBeLessThan(16_384);
  });

  it('counts nested members and items too', () => {
    expect(() => contextKey({ a: { b: Array.from({ length: 20_000 }, () => 1) } })).toThrow('16384');
    expect(() => contextKey({ a: 'x'.repeat(20_000) })).toThrow('16384');
    expect(contextKey({ a: { b: [1, 2, 3] } }).json).toBe('{"a":{"b":[1,2,3]}}');
  });

  it('may be as long as the limit says, to the character', () => {
    const fits = { a: 'x'.repeat(16_384 - '{"a":""}'.length) };
    expect(contextKey(fits).json).toHaveLength(16_384);
    expect(() => contextKey({ a: `${fits.a}x` })).toThrow('16384');
  });
});

describe('the name of a learner', () => {
  it.each(['default', 'gateway:ranker', 'team/search', 'a b', '50% off', 'v1.2+x', 'me@example'])(
    'may be %s',
    (name) => {
      expect(learnerConfig(name).name).toBe(name);
    },
  );
  it.each(['', '/team', ' a', 'a\n', 'a\0b', 'ä', 'x'.repeat(129)])('may not be %j', (name) => {
    expect(() => learnerConfig(name)).toThrow('learner must start');
  });
});
