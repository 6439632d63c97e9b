import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { markdownParts } from '../../src/ingest/parse/markdown.js';
import { frontMatter } from '../../src/ingest/parse/titles/front-matter.js';
import { processorTime } from '../support/processor-time.js';
import { sectionTexts } from './manifests.js';

const read = (text: string) => sectionTexts(markdownParts(text));

describe('markdown', () => {
  it('makes the heading path', async () => {
    expect(await read('before\n\n# Title #\none\n## Section\ntwo\n### C#\nthree\n# Other\nfour')).toEqual([
      { path: '', texts: ['before'] },
      { path: 'Title', texts: ['one'] },
      { path: 'Title > Section', texts: ['two'] },
      { path: 'Title > Section > C#', texts: ['three'] },
      { path: 'Other', texts: ['four'] },
    ]);
  });

  it('keeps apart the lines that begin with a label in bold', async () => {
    expect(await read('**Present:** Ada, Colin Reeve\n**Apologies**: Bo\n**and** so\non')).toEqual([
      { path: '', texts: ['Present: Ada, Colin Reeve\nApologies: Bo and so on'] },
    ]);
  });

  it('knows underlined headings and rules between paragraphs', async () => {
    expect(await read('Title\n=====\none\n\n---\n\nSection\n-------\ntwo')).toEqual([
      { path: 'Title', texts: ['one'] },
      { path: 'Title > Section', texts: ['two'] },
    ]);
  });

  it('divides a text where a line is drawn across it, but not inside of an item or a quote', async () => {
    expect(await read('# Notes\none\n\n---\n\ntwo\n\n***\n- three\n- four\n\n---\n\n## Five\nsix')).toEqual([
      { path: 'Notes', texts: ['one'] },
      { path: 'Notes', texts: ['two'] },
      { path: 'Notes', texts: ['- three', '- four'] },
      { path: 'Notes > Five', texts: ['six'] },
    ]);
    expect(await read('> one\n>\n> ---\n>\n> two')).toEqual([{ path: '', texts: ['one', 'two'] }]);
    expect(await read('one\n\n---\n\n<p>two</p>')).toEqual([
      { path: '', texts: ['one'] },
      { path: '', texts: ['two'] },
    ]);
  });

  it('leaves out badges that stand alone or behind a heading, and no other picture', async () => {
    const build = '[![build](https://ci.example/x/badge.svg?branch=main)](https://ci.example/x)';
    const version = '[![npm version][v]][npm]';
    const license = '![MIT](https://img.shields.io/badge/license-MIT-blue)';
    const text = [
      `${build}\n${version} ${license}`,
      `# Pump ${build}\n\n${license}\n${build}\n\nPumps water.`,
      '![Plan of the pump](https://x.example/plan.svg)',
      '[![How to prime it](https://x.example/prime.png)](https://x.example/video)',
      '![A Viking shield](https://museum.example/img/viking-shield.jpg)',
      '[![Plan of the hall](https://x.example/hall.svg)](https://x.example/hall.pdf)',
      `Linux: ${license}`,
      `| System | State |\n|---|---|\n| Linux | ![runs](https://img.shields.io/badge/runs-green) |`,
      '[v]: https://img.shields.io/npm/v/pump.svg\n[npm]: https://npm.example/pump',
    ].join('\n\n');
    const kept = [
      'Plan of the pump',
      'How to prime it',
      'A Viking shield',
      'Plan of the hall',
      'Linux: MIT',
      '| System | State |',
      '| Linux | runs |',
    ];
    expect(await read(text)).toEqual([{ path: 'Pump', texts: ['Pumps water.', ...kept] }]);
    const many = `${license}\n`.repeat(12_000);
    const spent = await processorTime(async () =>
      expect(await read(`${many}\nPumps water.`)).toEqual([{ path: '', texts: ['Pumps water.'] }]),
    );
    expect(spent).toBeLessThan(5000);
  });

  it('takes no heading from a code fence, nor from #tags', async () => {
    expect(await read('# A\n```sh\n# comment\n```\n~~~\n## no\n```\n~~~\n#tag text')).toEqual([
      { path: 'A', texts: ['# comment', '## no\n```', '#tag text'] },
    ]);
  });

  it('keeps an open fence to the end', async () => {
    expect(await read('```\n# a\nb')).toEqual([{ path: '', texts: ['# a\nb'] }]);
  });

  it('keeps lists, nested lists and tables line by line', async () => {
    expect(await read('- one\n  goes on\n  - two\n1. three\n\n| a | b |\n|---|:-:|\n| 1 | 2 |')).toEqual([
      { path: '', texts: ['- one goes on', '  - two', '1. three', '| a | b |', '| 1 | 2 |'] },
    ]);
  });

  it('leaves words of links, emphasis and entities, and code as it is', async () => {
    expect(
      await read(
        'See [the *guide*](http://x.y/a_(b)) and **bold** _it_ `a*b*c` AT&amp;T M\\*A\\*S\\*H 2*3*4 snake_case_name',
      ),
    ).toEqual([{ path: '', texts: ['See the guide and bold it `a*b*c` AT&T M*A*S*H 2*3*4 snake_case_name'] }]);
  });

  it('joins definitions to their term', async () => {
    expect(await read('`packs/`\n: Packs of chunks.\n\n`locks/`\n:   Locks,\n    all of them.\n: Or none.')).toEqual([
      { path: '', texts: ['`packs/`: Packs of chunks.', '`locks/`: Locks, all of them. Or none.'] },
    ]);
    expect(await read('Apple\n: A fruit\nPear\n: Another\n: Green')).toEqual([
      { path: '', texts: ['Apple: A fruit', 'Pear: Another; Green'] },
    ]);
    const [many] = await read(`Term\n${': def\n'.repeat(80_000)}`);
    expect(many?.texts[0]).toMatch(/^Term: def; def; /u);
    expect(await read('Smile\n:) at her')).toEqual([{ path: '', texts: ['Smile :) at her'] }]);
  });

  it('drops comments and reads front matter', async () => {
    expect(await read('a <!-- b\nc --> d')).toEqual([{ path: '', texts: ['a  d'.replace('  ', ' ')] }]);
    const text = '---\ntitle: "The Guide"\ntags: [a, b]\n---\nbody';
    expect(frontMatter(text)).toEqual({ title: 'The Guide', end: text.indexOf('body') });
    expect(await read(text)).toEqual([{ path: '', texts: ['body'] }]);
    expect(frontMatter('---\nnot front matter at all, just text\n---\n')).toEqual({ end: 0 });
  });

  it('keeps the text of lists and quotes that are nested deeper than it reads, and all that follows', async () => {
    for (const mark of ['- ', '> ', '1. ', '> - ', '* + ']) {
      const [section] = await read(`before\n\n${mark.repeat(200)}deep words\n\nafter\n\n- an item`);
      const texts = section!.texts.join('\n');
      for (const words of ['before', 'deep words', 'after', '- an item'])
        expect([mark, texts]).toEqual([mark, expect.stringContaining(words)]);
    }
    const stairs = Array.from({ length: 120 }, (_, i) => `${'  '.repeat(i)}- step ${i}.`).join('\n');
    const [list] = await read(`${stairs}\n\nafter`);
    const text = list!.texts.join('\n');
    for (let i = 0; i < 120; i += 1) expect(text).toContain(`step ${i}.`);
    expect(list!.texts.at(-1)).toBe('after');
  });

  it('keeps brackets of code as they are', async () => {
    const code = 'Take `a[0]`, ``b[`c`]``, `\\[x]` and [y], not \\`[z] or `open[1].';
    expect(await read(code)).toEqual([
      { path: '', texts: ['Take `a[0]`, `b[`c`]`, `\\[x]` and [y], not `[z] or `open[1].'] },
    ]);
  });

  it('turns a document of headings alone into one text', async () => {
    expect(await read('# A\n## B')).toEqual([{ path: '', texts: ['A', 'B'] }]);
  });

  it('never throws and loses no word, for any text', async () => {
    const pieces = fc.constantFrom(
      '# ',
      '\n',
      '```',
      '~~~',
      '- ',
      '1. ',
      '| a |',
      '> ',
      '    ',
      '\t',
      'word',
      '===',
      '---',
      '<!--',
      '-->',
      '[x](y)',
      '*',
      '_',
      '`',
      '&amp;',
      '<b>',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.array(pieces, { maxLength: 60 }).map((p) => p.join('')),
        ),
        (text) => {
          expect(() => [...markdownParts(text)]).not.toThrow();
        },
      ),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 80 }),
        fc.array(fc.constantFrom(' ', '\n', '\n\n', '\n# ', '\n- ')),
        (words, gaps) => {
          const text = words.map((word, i) => word + (gaps[i % Math.max(1, gaps.length)] ?? ' ')).join('');
          const found =
            [...markdownParts(text)]
              .map((part) => part.text)
              .join(' ')
              .match(/[a-z]+/gu) ?? [];
          expect(found).toEqual(words);
        },
      ),
      { numRuns: 300 },
    );
  });
});
