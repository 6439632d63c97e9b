import { describe, expect, it } from '@jest/globals';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { LEFT_OUT } from '../../src/core/wording/secret-forms.js';
import { cellWithoutSecret } from '../../src/core/wording/secrets.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';

async function texts(written: string, name: string): Promise<string[]> {
  const source = { domain: 'd', kind: 'file', key: name, label: name } as const;
  const type: DocumentType = documentType(name);
  const parsed = await parse({ bytes: new TextEncoder().encode(written), name, type });
  return (await chunk(parsed, { source, title: name })).map(({ text }) => text);
}

describe('codes of cards beside pins of boards', () => {
  it.each(['data', 'map', 'location', 'signal', 'header', 'board', 'input'])(
    'are left out below an object that is called %s, in JSON, YAML and rows',
    async (above) => {
      const card = { card: 'Visa', pin: '4021' };
      const read = [
        ...(await texts(JSON.stringify({ [above]: card }), 'x.json')),
        ...(await texts(JSON.stringify([{ name: 'Bo', [above]: card }]), 'rows.json')),
        ...(await texts(`person:\n  ${above}:\n    pin: 4021\n`, 'x.yaml')),
        ...(await texts(`name,${above}.pin\nBo,4021\n`, 'x.csv')),
      ].join('\n');
      expect(read).not.toContain('4021');
      expect(read.split(LEFT_OUT)).toHaveLength(5);
    },
  );

  it('are left out of a column of several words, as the header of a call is; joined names are pins of a board', async () => {
    const taken = [
      ['Signal PIN', '4021'],
      ['Data pin', '4021'],
      ['Dashboard PIN', '4021'],
      ['header.authorization', 'Bearer abc12345'],
      ['header_authorization', 'Bearer abc12345'],
    ] as const;
    for (const [column, cell] of taken) expect([column, cellWithoutSecret(column, cell)]).toEqual([column, LEFT_OUT]);
    for (const column of 'signalPin,data_pin,clock-pin,settings.trigger_pin,mapPin,LED pin,drop_pin,Map pin'.split(','))
      expect([column, cellWithoutSecret(column, '4021')]).toEqual([column, '4021']);
  });
});
