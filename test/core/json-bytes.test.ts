import { expect, it } from '@jest/globals';
import { parseJsonBytes } from '../../src/core/json/json-bytes.js';
import { requireUtf8 } from '../../src/core/json/utf8.js';

it('parses long texts as at once, wherever a character is cut', async () => {
  for (const before of [0, 1, 2, 3]) {
    const written = JSON.stringify({
      [`${'a'.repeat(before)}é`]: '漢😀é\ufeff'.repeat(100_000),
      b: ['é'.repeat(70_000)],
    });
    expect(await parseJsonBytes(Buffer.from(written))).toEqual(JSON.parse(written));
  }
});

it('takes a byte order mark away from the start, and leaves it within', async () => {
  for (const length of [1, 400_000]) {
    const value = [`\ufeff${'é'.repeat(length)}`, '\ufeff'];
    expect(await parseJsonBytes(Buffer.from(`\ufeff${JSON.stringify(value)}`))).toEqual(value);
  }
});

it('refuses bytes that are not UTF-8, also in the middle and at the end of a long text', async () => {
  const long = Buffer.from('é'.repeat(1_000_000));
  const broken = Buffer.concat([long, Buffer.from([0xff]), long]);
  for (const bytes of [broken, Buffer.concat([long, Buffer.from([0xc3])]), Buffer.from([0xff])]) {
    expect(() => requireUtf8(bytes)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    await expect(parseJsonBytes(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  }
});
