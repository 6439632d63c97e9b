import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

describe('what people write of themselves in LaTeX', () => {
  it('stands in the letter that they send', async () => {
    const written = String.raw`\documentclass{letter}
\address{12 Mill Lane \\ York}
\signature{Ada Marlow}
\begin{document}
\begin{letter}{Bo Reeve \\ 3 Hill Road}
\opening{Dear Bo,}
the pump runs.

It sings.
\closing{Yours,}
\end{letter}
\end{document}`;
    expect(await linesOf('letter.tex', written)).toEqual([
      'prose: 12 Mill Lane\nYork',
      'prose: Bo Reeve\n3 Hill Road',
      'prose: Dear Bo, the pump runs.',
      'prose: It sings.',
      'prose: Yours,\nAda Marlow',
    ]);
  });

  it.each([
    [String.raw`\email{ada@example.org}, \address{12 Mill Lane}`, 'ada@example.org, 12 Mill Lane'],
    [String.raw`\affiliation{Institute of Flow}\email{ada@example.org}`, 'Institute of Flow ada@example.org'],
    [String.raw`It runs \todo[inline]{ask \emph{Bo}} well.`, 'It runs (TODO: ask Bo) well.'],
  ])('is text: %j', async (written, text) => {
    expect(await linesOf('paper.tex', written)).toEqual([`prose: ${text}`]);
  });

  it('does not stand in their names', async () => {
    const written = String.raw`\author{Ada Marlow\email{ada@example.org} \and Bo Reeve}Text by \email{bo@example.org}.`;
    expect(await linesOf('paper.tex', written)).toEqual([
      'prose: authors: Ada Marlow, Bo Reeve.',
      'prose: Text by bo@example.org.',
    ]);
  });

  it('stands below their names where they are thanked', async () => {
    const written = String.raw`\title{Flow\thanks{Funded by the Aldra fund.}}
\author{Ada Marlow\thanks{Institute of Flow, \email{ada@example.org}} \and Bo Reeve\thanks{Mill \& Co., York}}
\begin{document}\maketitle
It runs.
\end{document}`;
    const { title } = await readFile('paper.tex', written);
    expect(title).toBe('Flow');
    expect(await linesOf('paper.tex', written)).toEqual([
      'prose: authors: Ada Marlow, Bo Reeve.',
      'prose: Funded by the Aldra fund.',
      'prose: Ada Marlow: Institute of Flow, ada@example.org',
      'prose: Bo Reeve: Mill & Co., York',
      'prose: It runs.',
    ]);
  });
});
