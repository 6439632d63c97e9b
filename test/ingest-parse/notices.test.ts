import { describe, expect, it } from '@jest/globals';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { documentManifest, fileDocument } from '../../src/ingest/document.js';
import { yamlParts } from '../../src/ingest/parse/structure/yaml.js';
import { fileSource } from '../../src/ingest/sources.js';
import { processorTime } from '../support/processor-time.js';

async function warnings(name: string, type: DocumentType, text: string): Promise<readonly string[]> {
  const file = { path: `/absent/${name}`, name, type, bytes: Buffer.from(text), hash: 'aa' };
  return (await documentManifest(fileDocument(file, fileSource('d', file)))).warnings;
}

describe('what was read as plain text against what its name tells', () => {
  it('is named with the line where YAML breaks', async () => {
    const [warning = '', ...others] = await warnings('kit.yaml', 'yaml', 'order: 3\nsupplier: Ash: wear\n');
    expect(others).toEqual([]);
    expect(warning).toMatch(/^It is no YAML from line 2 on \(.+\), and was read as plain text; mend the line/u);
    expect(warning).not.toContain('\n');
    const [secret] = await warnings('kit.yaml', 'yaml', 'order: 3\npassword: |hunter2\n');
    expect(secret).toMatch(/^It is no YAML from line 2 on \(Block scalar header includes extra characters\),/u);
  });

  it('is named without the letters that YAML does not expect there', async () => {
    const [warning] = await warnings('kit.yaml', 'yaml', 'order: 3\nitems: [a]]\nsupplier: Ash: wear\n');
    expect(warning).toMatch(/^It is no YAML from line 2 on \([^()\]]+\),/u);
  });

  it('is told where YAML is nested too deeply', async () => {
    const [warning] = await warnings('kit.yaml', 'yaml', `words: ${'['.repeat(100_000)}`);
    expect(warning).toMatch(/^It is no YAML from line 1 on \(it is nested too deeply\),/u);
  });

  it.each([
    ['0.9 MB', 'a bracket too many', '*x ', '}'],
    ['1.8 MB', 'a letter behind a quote', '', `'"`],
  ])('takes no longer where each of %s has %s than for a whole file', async (size, _, head, unit) => {
    const text = head + unit.repeat((Number.parseFloat(size) * 1e6) / unit.length);
    const spent = await processorTime(() => {
      yamlParts(text);
    });
    expect(spent).toBeLessThan(5000);
  });

  it('is not named where a program fills it in, nor where nothing is wrong', async () => {
    expect(await warnings('chart.yaml', 'yaml', 'port: {{ .Values.port }}\n{{- if .x }}\nhost: a\n')).toEqual([]);
    expect(await warnings('chart.yaml', 'yaml', '# Nothing but a remark\n')).toEqual([]);
    expect(await warnings('chart.yaml', 'yaml', 'order: 3\n')).toEqual([]);
  });

  it('is named where a mail is none, and where some of a box are none', async () => {
    expect(await warnings('claim.eml', 'text', 'The kettle is dented.\n\nBest, Ada\n')).toEqual([
      expect.stringMatching(/^It does not begin as a mail does/u),
    ]);
    expect(await warnings('claim.eml', 'text', 'Subject: Kettle\n\nIt is dented.\n')).toEqual([]);
    const mail = (head: string) => `From ada@x.example Mon Mar  2 10:00:00 2026\n${head}\n\nRed.\n\n`;
    const long = `X-A: ${'a '.repeat(150_000)}`;
    expect(await warnings('in.mbox', 'text', mail('Subject: Tiles') + mail(long))).toEqual([
      '1 of the 2 mails of the box is no readable mail, and was read as plain text; it begins on line 6.',
    ]);
    const box = mail('Subject: Tiles') + mail(long).repeat(7);
    expect(await warnings('in.mbox', 'text', box)).toEqual([
      expect.stringMatching(/^7 of the 8 mails .*; they begin on lines 6, 11, 16, 21, 26 and 2 more\.$/u),
    ]);
    expect(await warnings('in.mbox', 'text', mail('Subject: Tiles'))).toEqual([]);
  });
});
