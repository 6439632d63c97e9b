import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOf, readFile } from '../ingest-markup/read-markup.js';

const times = (text: string, count: number) => text.repeat(count);

/** Code that would hold a careless reader up, or use up its memory. */
const HELD_UP: ReadonlyArray<readonly [name: string, what: string, written: string]> = [
  ['a.ts', 'brackets in each other', times('(\n', 100_000)],
  ['a.ts', 'classes in each other', times('class A {\n', 20_000)],
  ['a.ts', 'calls in each other', times("it('a', () => {\n", 5000)],
  ['a.ts', 'comparisons that may be types', times('a<\n', 50_000)],
  ['a.tsx', 'elements without ends', times('<a>\n', 30_000)],
  ['a.ts', 'quotation marks', times("'\n", 100_001)],
  ['a.ts', 'comments that open comments', times('/*\n', 100_000)],
  ['a.ts', 'functions of one name', times('function f() {\n  return 1;\n}\n\n', 20_000)],
  ['a.ts', 'names without values', times('password: a: b:\n', 50_000)],
  ['a.py', 'indentation', Array.from({ length: 500 }, (_, i) => `${times(' ', i)}if a:`).join('\n')],
  ['a.py', 'docstrings without ends', times('"""\n', 50_000)],
  ['a.cpp', 'conditions in each other', times('#if A\n', 50_000)],
  ['a.cpp', 'templates in each other', times('template <class A>\n', 20_000)],
  ['a.rb', 'modules in each other', times('module A\n', 10_000)],
  ['a.rb', 'blocks in each other', times("it 'a' do\n", 5000)],
  ['a.go', 'names of one declaration', `var (\n${times('a = 1\n', 100_000)})\n`],
  ['a.py', 'branches', `if a:\n    b()\n${times('elif a:\n    def f(): pass\n', 10_000)}`],
  ['a.c', 'brackets without ends', times('int f() {\n#if A\n', 20_000)],
  ['a.sql', 'comments alone', times('-- a\n\n', 50_000)],
  ['a.ts', 'stars that end no comment', `/* ${times('*', 200_000)} a */\n${times('let a = 1;\n', 5000)}`],
  ['a.py', 'spaces within a line', `b = 1${times(' ', 200_000)}\\\n${times('a = 1\n', 5000)}`],
  ['a.kt', 'words before a name', `${times(`${times('public ', 30)}\n`, 2000)}\nfun a`],
];

it('a film that is called as code is refused, and left out below a directory', async () => {
  const film = Uint8Array.from([0x47, 0x40, 0, 0x10, 0, 0, 0xb0, 0x0d, 0xff, 0xfe, 0, 1]);
  await expect(readFile('holiday.ts', film)).rejects.toMatchObject({
    code: 'unsupported_media',
    details: { member: 'source_path', skipped: true },
  });
});

describe('code that would hold a parser up', () => {
  it.each(HELD_UP)('is read: %s of %s', async (name, _what, written) => {
    const { parts } = await readFile(name, `${written}\nword`);
    expect(parts[0]).toEqual({ kind: 'heading', level: 1, text: name });
    expect(parts.length).toBeGreaterThan(1);
  });

  it('is read whatever it holds', async () => {
    const token = fc.constantFrom(
      ...[
        'class A {',
        '}',
        'def f(a):',
        '\n',
        '\n\n',
        '  ',
        '/** a */',
        '// b',
        '# c',
        '"""',
        "'",
        '"',
        '=> {',
        'fn x()',
      ],
      ...['@x', '#[y]', 'export ', 'name', ' = ', '(', ')', ';', '\ud800', 'é', 'password = "x"', '#if', '<', '>'],
    );
    const code = fc.array(token, { maxLength: 60 }).map((parts) => `word ${parts.join('')}`);
    const name = fc.constantFrom(
      'a.ts',
      'a.py',
      'a.rb',
      'a.cpp',
      'a.rs',
      'a.go',
      'a.cs',
      'a.java',
      'a.php',
      'a.sh',
      'a.kt',
    );
    await fc.assert(
      fc.asyncProperty(name, code, async (file, written) => {
        expect((await linesOf(file, written)).join('\n')).toContain('word');
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
