import { describe, expect, it } from '@jest/globals';
import { markdownParts } from '../../src/ingest/parse/markdown.js';
import { processorTime } from '../support/processor-time.js';
import { sectionTexts, textManifest } from './manifests.js';

const read = async (text: string) => (await sectionTexts(markdownParts(text))).flatMap(({ texts }) => texts);

describe('callouts of Markdown', () => {
  it('lose their signs: their kind or title is a paragraph before what they say', async () => {
    expect(await read('> [!WARNING]\n> Never push to main.\n>\n> Ask first.')).toEqual([
      'Warning',
      'Never push to main.',
      'Ask first.',
    ]);
    expect(await read('> [!tip]- For *night* owls\n> Sleep.')).toEqual(['For night owls', 'Sleep.']);
    expect(await read('> **Warning**\n> Never push.\n>\n> **Bold** is no label.')).toEqual([
      'Warning',
      'Never push.',
      'Bold is no label.',
    ]);
    expect(await read('> __Note:__\n> Nine.\n\n**Note**\nTen.')).toEqual(['Note', 'Nine.', 'Note Ten.']);
    expect(await read('> [!NOTE]\n>\n> Nine minutes.')).toEqual(['Note', 'Nine minutes.']);
    expect(await read(':::tip Cache\nClear it.\n:::\nafter')).toEqual(['Cache', 'Clear it.', 'after']);
    expect(await read('::: warning\n\n- one\n- two\n:::\n\nafter')).toEqual(['Warning', '- one', '- two', 'after']);
    expect(await read(':::danger[Data loss]{#id}\n\nNever wipe.\n\n::::')).toEqual(['Data loss', 'Never wipe.']);
  });

  it('of MkDocs lose their signs, and their text is not code', async () => {
    expect(await read('!!! warning "Data *loss*"\n    Never wipe.\n\n    - one\n    - two\n\nafter')).toEqual([
      'Data loss',
      'Never wipe.',
      '- one',
      '- two',
      'after',
    ]);
    expect(await read('before\n??? note\n\n    Nine minutes.\n\n        code\n')).toEqual([
      'before',
      'Note',
      'Nine minutes.',
      'code',
    ]);
    expect(await read('???+ tip inline end ""\n    Sleep.\n\n    !!! info\n        Deeper.')).toEqual([
      'Sleep.',
      'Info',
      'Deeper.',
    ]);
    expect(await read('Wow\n!!! what a day\n    it was')).toEqual(['Wow !!! what a day it was']);
    for (const text of ['!!! wow', '!!! wow\nsaid he', '??? what', '!!! no, "never"\n    said he', '???\n    x'])
      expect(await read(text)).toHaveLength(1);
    expect(await read('```\n!!! note\n    x\n```')).toEqual(['!!! note\n    x']);
    expect(await read('!!! note\n    x\n!!! tip\n    y\nafter')).toEqual(['Note', 'x', 'Tip', 'y', 'after']);
  });

  it('are not seen where nothing of them stands', async () => {
    for (const text of ['[!NOTE] outside of a quote', 'a ::: b', '::: of course, he said', '[!x](http://y.z)'])
      expect(await read(text)).toHaveLength(1);
    expect(await read('> [!NOTE](http://x.y) is a link')).toEqual(['!NOTE is a link']);
    expect(await read('> first\n> [!NOTE]')).toEqual(['first [!NOTE]']);
    expect(await read('```\n:::tip\n```')).toEqual([':::tip']);
  });

  it('are looked for in time that grows with the text', async () => {
    const spaces = ' '.repeat(200_000);
    const nested = Array.from({ length: 400 }, (_, i) => `${' '.repeat(4 * i)}!!! note`).join('\n');
    const texts = [
      nested,
      `!!! note${'\n'.repeat(200_000)}`,
      '!!! note\n'.repeat(20_000),
      `!!! a${spaces}"`,
      `:::tip${spaces}{`,
      `:::${spaces}x`,
      `> [!x]${spaces}x`,
      `${':'.repeat(200_000)}x`,
    ];
    for (const text of texts) expect(await processorTime(() => read(text))).toBeLessThan(5000);
  });

  it('state rules', async () => {
    const text =
      '# Deploys\n\n> [!WARNING]\n> Never push to main on Fridays.\n\n:::danger\nAlways tag the release first.\n:::';
    const { rules } = await textManifest({ text, domain: 'd', format: 'markdown', name: 'deploys' });
    expect(rules.map((rule) => rule.text)).toEqual(['Never push to main on Fridays.', 'Always tag the release first.']);
  });
});
