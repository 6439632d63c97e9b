/** @param {string} words */
function wordSet(words) {
  return new Set(words.trim().split(/\s+/u));
}

/** Commands of which nothing is read, by the number of their arguments. */
const ARGUMENTS = /** @type {const} */ ([
  [
    1,
    `label hyperlink hypertarget vspace hspace usepackage RequirePackage documentclass includegraphics includepdf input include subfile includeonly bibliography addbibresource bibliographystyle
    thispagestyle pagestyle index phantom hphantom vphantom color pagecolor hypersetup geometry newcounter graphicspath pagenumbering cline usetikzlibrary tikzset
    lstset sisetup captionsetup theoremstyle scalebox rotatebox selectlanguage hyphenation inst nocite
    setstretch linespread textcolor colorbox raisebox parbox stepcounter refstepcounter usetheme usecolortheme setbeamertemplate usefonttheme titlegraphic logo
    bstctlcite IEEEauthorblockA ccsdesc copyrightyear setmainfont setsansfont setmonofont setdefaultlanguage setmainlanguage pgfplotsset makeatletter arraystretch
    vskip hskip urlstyle DeclareUnicodeCharacter itemsep enlargethispage glsresetall newlength newif externaldocument`,
  ],
  [
    2,
    'setlength setcounter addtolength addtocounter multicolumn rule resizebox markboth fontsize settowidth crefname Crefname titleformat titlespacing',
  ],
  [3, 'definecolor addcontentsline newenvironment renewenvironment'],
]);

/** @type {ReadonlyMap<string, number>} */
export const DROPPED = new Map(
  ARGUMENTS.flatMap(([count, names]) =>
    [...wordSet(names)].map((name) => /** @type {[string, number]} */ ([name, count])),
  ),
);

/** Environments whose lines stay as they are. */
export const VERBATIM = wordSet('verbatim verbatim* Verbatim lstlisting minted alltt BVerbatim code');
/** Pictures, and what is left out. */
export const SILENT = wordSet(
  'tikzpicture picture pgfpicture comment filecontents filecontents* CCSXML axis forest circuitikz',
);
export const FORMULAS = wordSet(
  'equation equation* align align* gather gather* multline multline* eqnarray eqnarray* displaymath math flalign flalign* alignat alignat* dmath dmath* IEEEeqnarray',
);
/** Tables, by the number of arguments before their rows. */
export const TABLES = new Map([
  ['tabular', 1],
  ['tabular*', 2],
  ['tabularx', 2],
  ['tabulary', 2],
  ['longtable', 1],
  ['supertabular', 1],
  ['xltabular', 2],
]);
export const LISTS = wordSet(
  'itemize enumerate description compactitem compactenum itemize* enumerate* inparaenum tasks',
);
/** Other environments with arguments that are not read. */
export const WITH_ARGUMENTS = new Map([
  ['minipage', 1],
  ['multicols', 1],
  ['wrapfigure', 2],
  ['subfigure', 1],
  ['subtable', 1],
  ['adjustbox', 1],
  ['column', 1],
  ['spacing', 1],
  ['thebibliography', 1],
]);
export const HEADINGS = new Map([
  ['part', 0],
  ['chapter', 1],
  ['section', 2],
  ['subsection', 3],
  ['subsubsection', 4],
  ['paragraph', 5],
  ['subparagraph', 6],
]);
/** Statements, by what they are called. */
export const STATEMENTS = new Map(
  'Theorem Lemma Corollary Proposition Definition Remark Example Proof Claim Conjecture Exercise Solution Axiom Note'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);
/** Commands behind which stands the key of what is meant. */
export const REFERENCES = wordSet('ref eqref cref Cref autoref pageref nameref vref Vref labelcref subref');
export const CITES = /^(?:no)?(?:paren|text|auto|foot|full|smart|super)?[Cc]ite[a-zA-Z]{0,12}$/u;
