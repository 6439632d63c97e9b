import { describe, expect, it } from '@jest/globals';
import { asciidocParts } from '../../src/ingest/parse/asciidoc/asciidoc.js';
import { latexParts } from '../../src/ingest/parse/latex/latex.js';
import { orgParts } from '../../src/ingest/parse/org/org.js';

const spaces = ' '.repeat(15_000);

const PARSERS = { 'a.org': orgParts, 'a.adoc': asciidocParts, 'a.tex': latexParts };

/** Texts in which a parser would try each way to divide a run of signs, or look through all that is open at each step. */
const SLOW: ReadonlyArray<readonly [name: keyof typeof PARSERS, what: string, written: string]> = [
  ['a.org', 'a row with empty cells', `|${`${' '.repeat(8)}|`.repeat(9)} Attic |`],
  [
    'a.org',
    'spaces behind the day of a note',
    `* a\n:LOGBOOK:\n${`- Note taken on [2026-01-20 Tue 10:12]${spaces}x\n`.repeat(12)}:END:\nb`,
  ],
  ['a.org', 'spaces within a title', `* a${spaces}b\n`.repeat(12)],
  ['a.org', 'colons within a link', `[[a${':'.repeat(990)}\nb]]\n`.repeat(4000)],
  [
    'a.adoc',
    'brackets behind the name of a file',
    `a\n${`include::a${'['.repeat(5000)}${'] '.repeat(4000)}x\n`.repeat(9)}`,
  ],
  ['a.tex', 'paragraphs within groups', `${'{'.repeat(40_000)}${'a\n\n'.repeat(13_000)}`],
];

describe('markup', () => {
  it.each(SLOW)('takes a time in proportion to its length: %s, %s', async (name, _what, written) => {
    const before = process.cpuUsage();
    // Read in this process, whose time is measured: files of this length go to one of their own.
    const { parts } = await PARSERS[name](written);
    const count = [...parts].length;
    const { user } = process.cpuUsage(before);
    expect(count).toBeGreaterThan(0);
    expect(user / 1e6).toBeLessThan(2);
  });
});
