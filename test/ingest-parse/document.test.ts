import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { titleFromName } from '../../src/ingest/sources.js';
import { textManifest } from './manifests.js';

const at = (path: string): string => fileURLToPath(new URL(`../../samples/${path}`, import.meta.url));

describe('textManifest', () => {
  it('has its name as identity, or its content where it has none', async () => {
    const named = await textManifest({ text: 'Some words.', domain: 'd', format: 'text', name: 'notes' });
    expect(named.source).toEqual({ domain: 'd', kind: 'text', key: 'notes', label: 'notes' });
    const [a, b] = [
      await textManifest({ text: 'Some words.', domain: 'd', format: 'text', name: 'raw_text' }),
      await textManifest({ text: 'Other words.', domain: 'd', format: 'text' }),
    ];
    expect(a.source.key).not.toBe(b.source.key);
    expect(a.source.label).toBe('raw_text');
  });

  it('is the same for the same text, and has another hash for another', async () => {
    const make = (text: string) => textManifest({ text, domain: 'd', format: 'markdown', name: 'n' });
    expect(await make('# A\n\nWords.')).toEqual(await make('# A\n\nWords.'));
    expect((await make('# A\n\nWords.')).content_hash).not.toBe((await make('# A\n\nOther.')).content_hash);
  });

  it('takes a name that reads as a title as the title of text without a heading', async () => {
    const { passages } = await textManifest({
      text: 'He painted boats.',
      domain: 'd',
      format: 'text',
      name: 'George Hamilton',
    });
    expect(passages[0]).toMatchObject({ title: 'George Hamilton', about: [{ key: 'george hamilton', alias: false }] });
    for (const name of ['raw_text', '5f2c9d1e', '2026', undefined]) expect(titleFromName(name)).toBeUndefined();
  });

  it.each(['notes', 'Notes', 'meeting notes.md', 'MEETING.TXT', 'my_notes'])(
    'keeps the name %s in the text',
    async (name) => {
      const { passages } = await textManifest({ text: 'He painted boats.', domain: 'd', format: 'text', name });
      expect(passages[0]?.title).toBe(name);
    },
  );

  it('is about the other names of its front matter where it begins', async () => {
    const body = '# Zephyr Pump\n\nIt lifts water.\n\n## Repair\n\nCall the mill.';
    const about = async (lines: string) => {
      const text = `---\n${lines}\ntags: [water]\n---\n${body}`;
      const { passages } = await textManifest({ text, domain: 'd', format: 'markdown', name: 'n' });
      return passages.map((passage) => passage.about);
    };
    const title = { key: 'zephyr pump', alias: false };
    const repair = [
      { key: 'repair', alias: false },
      { key: 'zephyr pump', alias: true },
    ];
    const alias = (key: string) => ({ key, alias: true });
    const both = [[title, alias('zed'), alias('old mill pump')], repair];
    expect(await about('aliases: [Zed, "Old Mill Pump", Zephyr Pump]')).toEqual(both);
    expect(await about('aliases:\n  - Zed\n  - Old Mill Pump')).toEqual(both);
    expect(await about('title: Water lift\nalias: Zed')).toEqual([[title, alias('water lift'), alias('zed')], repair]);
    expect(await about('aliases: [1984, {a: b}, null, the]')).toEqual([[title, alias('1984')], repair]);
    expect(await about('aliases: *unknown')).toEqual([[title], repair]);
    // As deep as a text may be that is parsed in the process of the service, which a deeper parser ended.
    for (const deep of ['[', '{a: ', '- ', '? ']) {
      const block = `aliases: ${deep.startsWith('-') || deep.startsWith('?') ? '\n  ' : ''}${deep.repeat(3900 / deep.length)}`;
      expect(await about(block)).toEqual([[title], repair]);
    }
    const long = `${'The pump lifts water to the mill each day of the year. '.repeat(200)}`;
    const many = await textManifest({ text: `---\nalias: Zed\n---\n${long}`, domain: 'd', format: 'markdown' });
    expect(many.passages.length).toBeGreaterThan(5);
    expect(many.passages.every(({ about: keys }) => keys.some(({ key }) => key === 'zed'))).toBe(true);
  });

  it('refuses a text of white space, and drops what no store takes', async () => {
    await expect(textManifest({ text: ' \n\0', domain: 'd', format: 'text' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { member: 'text' },
    });
    const { passages } = await textManifest({ text: 'Some\0 words\ud800.\r\nMore', domain: 'd', format: 'text' });
    expect(passages[0]?.text).toBe('Some words\ufffd.\nMore');
  });

  it('reads a text of several megabytes in one line, in pieces', async () => {
    const text = 'The keeper counts the trees of the orchard each year. '.repeat(40_000);
    const { passages } = await textManifest({ text, domain: 'd', format: 'text' });
    expect(passages.length).toBeGreaterThan(1500);
    expect(passages.reduce((sum, passage) => sum + passage.text.split('.').length - 1, 0)).toBe(40_000);
  });

  it('stops when the call is cancelled', async () => {
    await expect(
      textManifest({ text: '# A\n\nWords.', domain: 'd', format: 'markdown' }, AbortSignal.abort(new Error('enough'))),
    ).rejects.toThrow('enough');
  });
});

describe('the sample', () => {
  const questions = JSON.parse(readFileSync(at('questions.json'), 'utf8')) as Array<{
    question: string;
    titles: string[];
  }>;

  it('has 100 passages, one a section, and both passages of at least 40 questions', async () => {
    const { passages, rules } = await textManifest({
      text: readFileSync(at('encyclopedia.md'), 'utf8'),
      domain: 'd',
      format: 'markdown',
    });
    const titles = new Set(passages.map((passage) => passage.title));
    expect(passages).toHaveLength(100);
    expect(titles.size).toBe(100);
    expect(rules.length).toBeLessThan(10);
    expect(questions.length).toBeGreaterThanOrEqual(40);
    for (const { titles: gold } of questions) {
      expect(new Set(gold).size).toBe(2);
      for (const title of gold) expect(titles.has(title)).toBe(true);
    }
  });

  it('has a handbook with rules, definitions and dependencies', async () => {
    const { edges, rules, concepts } = await textManifest({
      text: readFileSync(at('handbook.md'), 'utf8'),
      domain: 'd',
      format: 'markdown',
    });
    expect(edges).toContainEqual(
      expect.objectContaining({ source: 'Ledger', relation: 'REQUIRES', target: 'Granite Store' }),
    );
    expect(new Set(rules.map((rule) => (rule.metadata as { form: string }).form))).toEqual(
      new Set(['imperative', 'obligation', 'definition']),
    );
    expect(concepts.find((concept) => concept.name === 'Beacon')?.description).toMatch(/^Beacon is the service/u);
  });
});
