import { expect, test } from '@jest/globals';
import { polarStatement } from '../../src/core/contradictions/rules.js';

test('a text that is longer than a statement says nothing that another could contradict', () => {
  const long = (length: number) => `Never ${'open valve '.repeat(length / 11)}`;
  expect(polarStatement(long(900))).toMatchObject({ negative: true });
  expect(polarStatement(long(1100))).toBeNull();
});
