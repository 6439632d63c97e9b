import { describe, expect, it } from '@jest/globals';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';

const source = { domain: 'd', kind: 'file', key: 'stock.csv', label: 'stock.csv' } as const;

async function texts(bytes: Uint8Array): Promise<string[]> {
  const passages = await chunk(await parse({ bytes, name: 'stock.csv', type: 'csv' }), { source, title: 'stock.csv' });
  return passages.map(({ title, text }) => `${title}: ${text}`);
}

describe('a table as CSV', () => {
  it('may be saved in Shift JIS, be its cells short or long', async () => {
    // "name,city,phone number" and "山田,東京,…", and "電話番号" alone among many letters.
    const rows = [
      [0x8e, 0x52, 0x93, 0x63],
      [0x2c],
      [0x93, 0x8c, 0x8b, 0x9e],
      [...Buffer.from(',0312345678 office\n')],
    ].flat();
    const head = [...Buffer.from('name,city,telephone number of the office in the mornings and evenings\n')];
    expect(await texts(Buffer.from([...head, ...rows]))).toEqual([
      'stock > 山田: city: 東京; telephone number of the office in the mornings and evenings: 0312345678 office.',
    ]);
    // "名前,かな" and "山田,やまだ".
    const kana = [0x96, 0xbc, 0x91, 0x4f, 0x2c, 0x82, 0xa9, 0x82, 0xc8, 0x0a, 0x8e, 0x52, 0x93, 0x63, 0x2c];
    expect((await texts(Buffer.from([...kana, 0x82, 0xe2, 0x82, 0xdc, 0x82, 0xbe, 0x0a]))).join()).toContain('やまだ');
    // In Western languages marks of quotation and accents stand before letters too.
    for (const [bytes, text] of [
      ['name,note\nTea,it\x92s \x93green\x94\n', 'it’s “green”'],
      ['name,note\nTea,l\x92\xe9l\xe9vation\n', 'l’élévation'],
      ['name,note\nT\xe9l\xe9vision,B\xe4ckerei\n', 'Bäckerei'],
    ] as const)
      expect((await texts(Buffer.from(bytes, 'latin1'))).join()).toContain(text);
  });

  it('may be saved in Shift JIS with katakana of half a width, alone or among kanji', async () => {
    const halfWidth = (text: string) =>
      [...text].map((char) => {
        const code = char.charCodeAt(0);
        return code >= 0xff61 && code <= 0xff9f ? code - 0xff61 + 0xa1 : code;
      });
    const rows = 'ﾔﾏﾀﾞ ﾀﾛｳ,ﾄｳｷｮｳ,3\nｻﾄｳ ﾊﾅｺ,ｵｵｻｶ,4\n';
    expect(await texts(Buffer.from(halfWidth(`name,ﾏﾁ,floor\n${rows}`)))).toEqual([
      'stock > ﾔﾏﾀﾞ ﾀﾛｳ: ﾏﾁ: ﾄｳｷｮｳ; floor: 3.',
      'stock > ｻﾄｳ ﾊﾅｺ: ﾏﾁ: ｵｵｻｶ; floor: 4.',
    ]);
    // "名前,…": the head in kanji.
    const kanji = [0x96, 0xbc, 0x91, 0x4f, ...halfWidth(',city,floor\n')];
    expect((await texts(Buffer.from([...kanji, ...halfWidth(rows)]))).join()).toContain('ﾄｳｷｮｳ');
    // Capitals of Western and Cyrillic texts have the same bytes.
    expect(await texts(Buffer.from('NAME,ÜBER\nTEA,ÀÉ CHÂTEAU\n', 'latin1'))).toEqual([
      'stock > TEA: ÜBER: ÀÉ CHÂTEAU.',
    ]);
    const moscow = [0xcc, 0xce, 0xd1, 0xca, 0xc2, 0xc0];
    const cyrillic = Buffer.from([...moscow, 0x2c, ...moscow, 0x0a, ...moscow, 0x2c, 0x31, 0x0a]);
    await expect(texts(cyrillic)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('may be saved in the charset of spreadsheets in Western languages, and in none of other alphabets but Unicode', async () => {
    const written = 'Name;Straße\nBäckerei Löw;Königsallee 3\n';
    expect(await texts(Buffer.from(written, 'latin1'))).toEqual(['stock > Bäckerei Löw: straße: Königsallee 3.']);
    expect(await texts(Buffer.from(`\ufeff${written}`, 'utf16le'))).toEqual([
      'stock > Bäckerei Löw: straße: Königsallee 3.',
    ]);
    // "Имя;Город" in Windows-1251: read as a Western text it would be other letters.
    const cyrillic = Buffer.from([
      0xc8, 0xec, 0xff, 0x3b, 0xc3, 0xee, 0xf0, 0xee, 0xe4, 0x0a, 0xcc, 0xe8, 0xf0, 0x3b, 0x31,
    ]);
    await expect(texts(cyrillic)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
