import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const X = 'x'.repeat(2000);

describe('commands that a LaTeX source defines', () => {
  it('stand for no more than a few thousand characters each, in formulas too', async () => {
    const nested = 'bcd'.replace(/./gu, (one, i) => `\\def\\${one}{${`$\\${'abc'[i]}$`.repeat(20)}}`);
    const [read = ''] = await linesOf('a.tex', `\\def\\a{${'x'.repeat(100)}}${nested}Text $\\d$.`);
    expect(read.length).toBeLessThan(5000);
    expect(read).toMatch(/^prose: Text/u);
  });

  it.each([
    ['formulas', `\\def\\a{${X}}$${'\\a'.repeat(1100)}$`],
    ['several formulas', `\\def\\a{${X}}${`$${'\\a'.repeat(300)}$\n\n`.repeat(4)}`],
    ['text', `\\def\\a{${X}}${'\\a '.repeat(1100)}`],
    [
      'formulas of labels',
      `\\def\\a{${X}}\\begin{itemize}${`\\item[$${'\\a'.repeat(100)}$] b `.repeat(11)}\\end{itemize}`,
    ],
    ['other commands', `\\def\\a{${X}}${`\\def\\b{${'\\a'.repeat(600)}}`.repeat(2)}Text`],
  ])('are refused where they write too much together: %s', async (_where, written) => {
    await expect(readFile('a.tex', written)).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'expandedCharacters' },
    });
  });

  it('may have much text of the document as their arguments', async () => {
    const words = 'word '.repeat(300);
    const parts = await linesOf('a.tex', `\\newcommand{\\q}[1]{Asked: #1}${`\\q{${words}}\n\n`.repeat(1500)}`);
    expect(parts).toHaveLength(1500);
  });
});
