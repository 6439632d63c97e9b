import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frontMatter, markdownParts } from '../../src/ingest/parse/markdown.js';
import { sections } from '../../src/ingest/parse/parts.js';

const read = (text: string) =>
  [...sections(markdownParts(text))].map(({ path, blocks }) => ({ path, texts: blocks.map((b) => b.text) }));

describe('markdown', () => {
  it('makes the heading path', () => {
    expect(read('before\n\n# Title #\none\n## Section\ntwo\n### C#\nthree\n# Other\nfour')).toEqual([
      { path: '', texts: ['before'] },
      { path: 'Title', texts: ['one'] },
      { path: 'Title > Section', texts: ['two'] },
      { path: 'Title > Section > C#', texts: ['three'] },
      { path: 'Other', texts: ['four'] },
    ]);
  });

  it('knows underlined headings and rules between paragraphs', () => {
    expect(read('Title\n=====\none\n\n---\n\nSection\n-------\ntwo')).toEqual([
      { path: 'Title', texts: ['one'] },
      { path: 'Title > Section', texts: ['two'] },
    ]);
  });

  it('takes no heading from a code fence, nor from #tags', () => {
    expect(read('# A\n```sh\n# comment\n```\n~~~\n## no\n```\n~~~\n#tag text')).toEqual([
      { path: 'A', texts: ['# comment', '## no\n```', '#tag text'] },
    ]);
  });

  it('keeps an open fence to the end', () => {
    expect(read('```\n# a\nb')).toEqual([{ path: '', texts: ['# a\nb'] }]);
  });

  it('keeps lists, nested lists and tables line by line', () => {
    expect(read('- one\n  goes on\n  - two\n1. three\n\n| a | b |\n|---|:-:|\n| 1 | 2 |')).toEqual([
      { path: '', texts: ['- one goes on', '  - two', '1. three', '| a | b |', '| 1 | 2 |'] },
    ]);
  });

  it('leaves words of links, emphasis and entities, and code as it is', () => {
    expect(
      read(
        'See [the *guide*](http://x.y/a_(b)) and **bold** _it_ `a*b*c` AT&amp;T M\\*A\\*S\\*H 2*3*4 snake_case_name',
      ),
    ).toEqual([{ path: '', texts: ['See the guide and bold it `a*b*c` AT&T M*A*S*H 2*3*4 snake_case_name'] }]);
  });

  it('drops comments and reads front matter', () => {
    expect(read('a <!-- b\nc --> d')).toEqual([{ path: '', texts: ['a  d'.replace('  ', ' ')] }]);
    const text = '---\ntitle: "The Guide"\ntags: [a, b]\n---\nbody';
    expect(frontMatter(text)).toEqual({ title: 'The Guide', end: text.indexOf('body') });
    expect(read(text)).toEqual([{ path: '', texts: ['body'] }]);
    expect(frontMatter('---\nnot front matter at all, just text\n---\n')).toEqual({ end: 0 });
  });

  it('turns a document of headings alone into one text', () => {
    expect(read('# A\n## B')).toEqual([{ path: '', texts: ['A', 'B'] }]);
  });

  it('never throws and loses no word, for any text', () => {
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
