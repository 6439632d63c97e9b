import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const latex = (written: string) => linesOf('paper.tex', written);

describe('LaTeX', () => {
  it('has its title, authors and day; what sets it up, and stands behind its end, is left out', async () => {
    const written = String.raw`\documentclass[11pt]{article} % a class
\usepackage{amsmath}
\title{Pumps that \emph{sing}\thanks{Paid by nobody.}}
\author{J\"urgen M\"uller\thanks{a} \\ Institute of Flow \and Zo\'e Garc\'{\i}a$^{1}$}
\date{March 2026}
\setlength{\parindent}{0pt} Set up.
\begin{document}\maketitle
\begin{abstract}We listen.\end{abstract}
\tableofcontents
\input{chapters/one}
\section{Introduction}\label{sec:intro}
Text.
\subsection*{Aims}
More.
\end{document}
Behind.`;
    expect((await readFile('paper.tex', written)).title).toBe('Pumps that sing');
    expect(await latex(written)).toEqual([
      'prose: authors: Jürgen Müller, Zoé García; date: March 2026.',
      'prose: Paid by nobody.',
      'prose: Jürgen Müller: a',
      '# 0 Pumps that sing',
      '# 1 Abstract',
      'prose: We listen.',
      '# 1 Introduction',
      'prose: Text.',
      '# 2 Aims',
      'prose: More.',
    ]);
  });

  it('has lists, tables with merged cells, code, captions and references', async () => {
    const written = String.raw`\chapter{Results}
\begin{itemize}[noitemsep]
  \item Data of \SI{50}{\kilo\hertz}
  \item[(b)] A model with
    \begin{enumerate} \item layers \item no pooling \end{enumerate}
\end{itemize}
\begin{table}[ht]\caption{The \textbf{test} set}\label{tab:r}
\begin{tabular}{l@{\hskip 2em}rr} \toprule
Pump & \multicolumn{2}{c}{F1} \\ \cmidrule(lr){2-3}
\multirow{2}{*}{Kestrel} & 0.97 & 0.93 \\
 & 0.95 & 0.90 \\[2pt] \hline
Otter \& Sons & 1 & 2
\end{tabular}\end{table}
\begin{figure}\includegraphics[width=2cm]{rig}\begin{tikzpicture}\draw (0,0);\end{tikzpicture}\caption{The rig}\end{figure}
\begin{lstlisting}[language=Python, caption={The rate}, label={l}]
def f(x):  # 50%
\end{lstlisting}
\begin{description}\item[Window] the length\end{description}
\begin{thebibliography}{9}\bibitem{smith19} A. Smith. \newblock Pumps.\end{thebibliography}`;
    expect(await latex(written)).toEqual([
      '# 1 Results',
      'list: - Data of 50 kHz',
      'list: - (b) A model with',
      'list:   1. layers',
      'list:   2. no pooling',
      'prose: Table: The test set',
      'table: | Pump | F1 |  |',
      'table: | Kestrel | 0.97 | 0.93 |',
      'table: | Kestrel | 0.95 | 0.90 |',
      'table: | Otter & Sons | 1 | 2 |',
      'prose: Figure: The rig',
      'prose: Listing: The rate',
      'code: def f(x):  # 50%',
      'list: - Window: the length',
      '# 1 References',
      'list: - [smith19] A. Smith. Pumps.',
    ]);
  });

  it.each([
    [
      String.raw`Stra\ss e, \'Etude, \v{S}ev\v c\'ik, \c{c}a, \o re, na\"{\i}ve`,
      'Straße, Étude, Ševčík, ça, øre, naïve',
    ],
    ["``quoted'' -- and --- 3\\,\\% of \\$5~million % a remark\n  more", '“quoted” – and — 3 % of $5 million more'],
    [
      String.raw`See~\cite[p.~5]{smith19,lee} in Section~\ref{sec:method}, \url{https://a.example/b_c} or \href{https://x}{there}.`,
      'See [smith19, lee] in Section method, https://a.example/b_c or there.',
    ],
    [
      String.raw`As $h_{\mathrm{min}} \leq \frac{p_a - p_v}{\rho g}$ and $\hat{y}^2 \in \mathbb{R}^{n}$`,
      'As h_{min} ≤ (p_a - p_v)/(ρ g) and ŷ^2 ∈ R^n',
    ],
    [
      String.raw`\newcommand{\Sys}{\textsc{PumpNet}}\newcommand{\pair}[2]{#1--#2}\def\R{x}\Sys{} joins \pair{a}{\emph{b}} and $\R$`,
      'PumpNet joins a–b and x',
    ],
    [
      String.raw`Run \verb|a_b %| \textbf{now \textit{or}} never. \unknown[x]{Kept}{too}.\hyperlink{a}{!}`,
      'Run a_b % now or never. Kept too.!',
    ],
    ['\\usepackage[ngerman]{babel}"Uber die "`Gr"o"se"\'', 'Über die „Größe“'],
  ])('shows what people read of %j', async (written, said) => {
    expect(await latex(written)).toEqual([`prose: ${said}`]);
  });

  it.each([
    ['so on \\ldots\n\nNext', ['prose: so on …', 'prose: Next']],
    ['5~\\euro \n \t\nNext', ['prose: 5 €', 'prose: Next']],
    ['\\makeatletter\n\nNext \\alpha\nbeta', ['prose: Next αbeta']],
    ['A \\label{a}\n\nB \\index\n\nC', ['prose: A', 'prose: B', 'prose: C']],
  ])('ends a paragraph at a blank line behind a command: %j', async (written, parts) => {
    expect(await latex(written)).toEqual(parts);
  });

  it('has formulas as lines, statements with their names, and footnotes with their text', async () => {
    const written = String.raw`\newtheorem{obs}{Observation}
The loss is
\begin{equation}\label{eq:loss} L(\theta) = \sum_{i=1}^{n} y_i \end{equation}
here.\footnote{See the
appendix.}

\begin{obs}[Scaling] Larger. \end{obs}`;
    expect((await readFile('a.tex', written)).parts).toEqual([
      { kind: 'prose', text: 'The loss is\nL(θ) = ∑_{i=1}^n y_i\nhere. [1]', notes: ['[1] See the appendix.'] },
      { kind: 'prose', text: 'Observation (Scaling). Larger.' },
    ]);
  });

  it('that is cut off keeps what stands there', async () => {
    expect(await latex('\\section{Cut\n\nText \\emph{goes on')).toEqual(['# 1 Cut', 'prose: Text goes on']);
    expect(await latex('\\section{A} x \\begin{tabular}{l} a & b \\\\ c &')).toEqual([
      '# 1 A',
      'prose: x',
      'table: | a | b |',
      'table: | c |  |',
    ]);
    expect(await latex('\\begin{verbatim}\nls')).toEqual(['code: ls']);
  });

  it('is read in the charset that it names, or in that of old programs', async () => {
    const named = Buffer.from(
      '\\usepackage[cp1250]{inputenc} \\begin{document}\x8aev\xe8\xedk\\end{document}',
      'latin1',
    );
    expect(await latex(named as never)).toEqual(['prose: Ševčík']);
    expect(await linesOf('a.tex', Buffer.from('M\xfcller in der Stra\xdfe', 'latin1'))).toEqual([
      'prose: Müller in der Straße',
    ]);
  });
});
