import { expect, it } from '@jest/globals';
import { decodeInPieces, decodeUtf8, parseJsonBytes } from '../../src/core/json/json-bytes.js';

it('decodes long texts in pieces as at once, wherever a character is cut', async () => {
  for (const before of [0, 1, 2, 3]) {
    const text = `${'a'.repeat(before)}${'漢😀é'.repeat(250_000)}`;
    expect((await decodeInPieces(Buffer.from(text))) === text).toBe(true);
  }
  const marked = Buffer.from(`\ufeff${'é'.repeat(800_000)}`);
  expect((await decodeInPieces(marked)) === decodeUtf8(marked)).toBe(true);
});

it('refuses bytes that are not UTF-8, also in the middle and at the end of a long text', async () => {
  const long = Buffer.from('é'.repeat(1_000_000));
  const broken = Buffer.concat([long, Buffer.from([0xff]), long]);
  for (const bytes of [broken, Buffer.concat([long, Buffer.from([0xc3])]), Buffer.from([0xff])]) {
    await expect(decodeInPieces(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(parseJsonBytes(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  }
});
