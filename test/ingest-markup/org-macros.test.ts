import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const DEFINED = [
  '#+TITLE: Aldra Mill',
  '#+MACRO: call Call $1 at $2.',
  '#+macro: site https://aldra.example/$1',
  '#+MACRO: both {{{call($1,7)}}} See {{{site(a)}}}',
  '#+MACRO: sum (eval (+ 1 $1))',
  '#+MACRO: a {{{b}}}',
  '#+MACRO: b {{{a}}}',
  '',
].join('\n');

describe('macros of Org', () => {
  it.each([
    ['{{{call(Bo,555 010)}}}', 'prose: Call Bo at 555 010.'],
    ['Ask: {{{call(Bo\\, of York,555)}}} Now!', 'prose: Ask: Call Bo, of York at 555. Now!'],
    ['{{{both(Ada)}}}', 'prose: Call Ada at 7. See https://aldra.example/a'],
    ['- {{{CALL(Bo)}}}', 'list: - Call Bo at .'],
    ['News of {{{title}}}.', 'prose: News of Aldra Mill.'],
    ['It is {{{sum(2)}}}.', 'prose: It is 2.'],
    ['It is {{{unknown(two)}}}.', 'prose: It is two.'],
    ['Write ={{{call(Bo)}}}= here.', 'prose: Write {{{call(Bo)}}} here.'],
    ['#+begin_src sh\n{{{call(Bo)}}}\n#+end_src', 'code: {{{call(Bo)}}}'],
  ])('are written out where the same file defines them: %j', async (text, part) => {
    expect(await linesOf('mill.org', DEFINED + text)).toEqual([part]);
  });

  it('that stand for each other end', async () => {
    expect((await linesOf('mill.org', `${DEFINED}It ends {{{a}}}.`))[0]).toMatch(/^prose: It ends/u);
  });

  it('stand in headlines and rows, too', async () => {
    expect(await linesOf('mill.org', `${DEFINED}* {{{call(Bo,5)}}}\n| a | {{{site(b)}}} |\n`)).toEqual([
      '# 0 Aldra Mill',
      '# 1 Call Bo at 5.',
      'table: | a | https://aldra.example/b |',
    ]);
  });

  it.each([
    ['many', `#+MACRO: x ${'x'.repeat(1900)}\n${'{{{x}}}\n\n'.repeat(1200)}`],
    [
      'nested',
      `#+MACRO: x0 word\n${Array.from({ length: 8 }, (_, i) => `#+MACRO: x${i + 1} ${`{{{x${i}}}}`.repeat(12)}\n`).join('')}{{{x7}}}`,
    ],
  ])('are refused where they write too much together: %s', async (_what, written) => {
    await expect(readFile('mill.org', written)).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'expandedCharacters' },
    });
  });

  it('are read in one go however many braces there are', async () => {
    for (const sign of ['{{{x(', '{', '{{{x}}', '{{{x(\\'])
      expect(await linesOf('mill.org', `#+MACRO: x y\nRead ${sign.repeat(40_000)}`)).toBeDefined();
  }, 30_000);
});
