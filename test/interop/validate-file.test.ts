import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { validateFile } from '../../src/interop/validate-file.js';

const RULE = `  - rule: Rinse the filter.
    category: general
    provenance: { id: 'rule:one', domain: ops, derivation: explicit, confidence: 1 }
`;
const SEED = `persona: operator
version: 1
rules:
${RULE}metadata: { source: svc, rule_count: 1 }
`;
const folder = mkdtempSync(join(tmpdir(), 'rule-sets-'));

function checked(content: string | Uint8Array, name = 'set.yaml') {
  const file = join(folder, name);
  writeFileSync(file, content);
  return validateFile(file);
}

describe('the check of a file with a rule set', () => {
  it.each([
    ['as it is', SEED],
    ['with a byte order mark', `\ufeff${SEED}`],
    ['with CRLF', SEED.replaceAll('\n', '\r\n')],
  ])('takes one %s', (_how, content) => {
    expect(checked(content)).toEqual({ file: join(folder, 'set.yaml'), kind: 'rule set', errors: [] });
  });

  it.each([
    ['nothing', ''],
    ['only a remark', '\n# nothing\n'],
  ])('says of a file with %s that it is empty', (_what, content) => {
    expect(checked(content).errors).toEqual(['/: is empty; write persona, version, rules and metadata']);
  });

  it.each([
    ['a list', '- a\n- b\n', 'a list'],
    ['a text', 'hello there\n', 'a string'],
  ])('says of %s what it must be', (_what, content, found) => {
    expect(checked(content).errors).toEqual([
      `/: must be an object with persona, version, rules and metadata, not ${found}`,
    ]);
  });

  it.each([
    ['in UTF-16', Buffer.from(`\ufeff${SEED}`, 'utf16le'), 'is in UTF-16; save it in UTF-8.'],
    ['in Latin-1', Buffer.from(SEED.replace('Rinse', 'Sp\xfcle'), 'latin1'), 'is not UTF-8; save it in UTF-8.'],
    [
      'with bytes of another kind',
      Buffer.concat([Buffer.from(SEED), Buffer.alloc(8)]),
      'is binary; name a text file with a rule set.',
    ],
  ])('refuses a file %s', (_what, content, error) => {
    const { file, errors } = checked(content);
    expect(errors).toEqual([`${file} ${error}`]);
  });

  it('names what is there where the type is wrong', () => {
    const wrong = SEED.replace('Rinse the filter.', '[a, b]').replace('confidence: 1', 'confidence: high');
    expect(checked(wrong).errors).toEqual([
      '/rules/0/rule: must be a string, not a list',
      '/rules/0/provenance/confidence: must be a number, not a string',
    ]);
    expect(checked(SEED.replace(`\n${RULE}`, '\n')).errors).toEqual(['/rules: must be a list, not null']);
  });

  it('says of values out of range and of formats what to write', () => {
    const wrong = SEED.replace('operator', '""').replace('rule_count: 1', 'rule_count: 1, projected_at: yesterday');
    expect(checked(wrong).errors).toEqual([
      '/persona: must not be empty',
      '/metadata/projected_at: must be a date and time such as 2026-01-01T00:00:00Z',
    ]);
  });

  it.each([
    ['two documents', `${SEED}---\n${SEED}`, /holds several documents .*; write each into a file of its own\.$/],
    ['an alias', SEED.replace('operator', '&a x').replace('general', '*a'), /\*name.*; write the value itself\.$/],
    ['a broken line', SEED.replace('confidence: 1 }', 'confidence: 1'), /at line 7, column 1\.$/],
    ['a member twice', `${SEED}version: 2\n`, /Map keys must be unique at line 8, column 1\.$/],
  ])('names the place of %s', (_what, content, error) => {
    expect(checked(content).errors).toEqual([expect.stringMatching(error)]);
  });

  it('says where JSON is broken', () => {
    expect(checked('{"persona": "x",, }', 'set.json').errors).toEqual([
      expect.stringMatching(/Unexpected , .* at line 1, column 17\.$/),
    ]);
  });

  it('says beside a missing member which one was misspelt', () => {
    expect(checked(SEED.replace('category', 'categry')).errors).toEqual([
      '/rules/0: category is missing; categry stands there',
    ]);
  });

  it('warns of a misspelt member that the schema lets be, and of an id that comes twice', () => {
    const second = RULE.replace('general', 'general\n    contxt: When wet');
    const odd = SEED.replace(RULE, RULE + second).replace('source: svc', 'source: svc, sorce_version: "1", mine: 1');
    expect(checked(odd)).toMatchObject({
      errors: [],
      warnings: [
        '/rules/1: contxt is no member and is ignored; did you mean context?',
        '/metadata: sorce_version is no member and is ignored; did you mean source_version?',
        '/rules/1/provenance/id: rule:one is the id of /rules/0, too; give each rule an id of its own',
      ],
    });
  });

  it('lists no more than a hundred warnings', () => {
    expect(checked(SEED.replace(RULE, RULE.repeat(5000))).warnings).toHaveLength(100);
  });
});
