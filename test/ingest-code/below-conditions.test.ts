import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../ingest-markup/read-markup.js';

async function headingsOf(name: string, written: string): Promise<string[]> {
  const lines = await linesOf(name, written);
  return lines.filter((line) => line.startsWith('# 2 ')).map((line) => line.slice(4));
}

describe('what is declared below a condition', () => {
  it('in Python is a piece with what its docstring or the comment above it says', async () => {
    const written = `import sys

if TYPE_CHECKING:
    class Shape:
        """What a hull looks like."""
        metres: int

try:
    import fast
except ImportError:
    def quick(boat):
        """Works without the fast module."""
        return boat
else:
    # Works with it.
    def slow(boat):
        return boat

if sys.platform == "win32":
    def path(boat):
        """Return the path on Windows."""
        return boat
elif sys.platform == "darwin":
    def path(boat):
        """Return the path on a Mac."""
        return boat
else:
    @cached
    def path(boat):
        """Return the path elsewhere."""
        return boat
`;
    const lines = await linesOf('hulls.py', written);
    expect(lines.filter((line) => /^(?:#|prose)/u.test(line))).toEqual([
      '# 1 hulls.py',
      '# 2 Shape',
      'prose: What a hull looks like.',
      '# 2 quick',
      'prose: Works without the fast module.',
      '# 2 slow',
      'prose: Works with it.',
      '# 2 path',
      'prose: Return the path on Windows.',
      '# 2 path',
      'prose: Return the path on a Mac.',
      '# 2 path',
      'prose: Return the path elsewhere.',
    ]);
    expect(lines.at(-1)).toBe('code: @cached\ndef path(boat):\n    return boat');
    expect(lines.join('\n')).toContain('if sys.platform == "win32":');
  });

  it('in C is a piece where the branches of a function above open brackets that the grammar cannot pair', async () => {
    const written = `int first(int boat) {
#ifdef FAST
  if (boat) {
#else
  if (!boat) {
#endif
    return 1;
  }
  return 2;
}
#if defined(DEEP)
# ifdef DEEPER
/* Adds two. */
int second(int boat) {
  return boat + 2;
}
# endif
#endif
`;
    const lines = await linesOf('boats.c', written);
    expect(lines).toContain('# 2 second');
    expect(lines).toContain('prose: Adds two.');
    expect(lines.join('\n')).toContain('int first(int boat) {');
  });
});

describe('a group of declarations of Go', () => {
  it('of types is a piece for each', async () => {
    const written =
      '// Kinds of boats.\ntype (\n\t// Boat floats.\n\tBoat struct{ a int }\n\n\t// Dock holds boats.\n\tDock struct{ a int }\n\n\tSmall int\n)\n';
    const lines = await linesOf('a.go', `package a\n\n${written}`);
    expect(lines.filter((line) => /^(?:#|prose)/u.test(line)).slice(1)).toEqual([
      '# 2 Boat',
      'prose: Boat floats.',
      '# 2 Dock',
      'prose: Dock holds boats.',
    ]);
    expect(lines.join('\n')).toMatch(/Kinds of boats\.[\s\S]*Small int/u);
  });

  it.each([
    ['const (\n\tMostBoats = 1\n\t// Least of them.\n\tLeast = 2\n)', 'MostBoats, Least (most boats, least)'],
    ['const Most, Least = 1, 2', 'Most, Least'],
    ['var (\n\tErrGone = 1\n)', 'ErrGone (err gone)'],
    [
      `var (\n${Array.from({ length: 30 }, (_, i) => `\tname${i} = ${i}`).join('\n')}\n)`,
      expect.stringMatching(/^name0, name1, .{80,110}$/u),
    ],
  ])('of values is one piece with their names: %s', async (written, expected) => {
    expect(await headingsOf('a.go', `package a\n\n// What there is.\n${written}\n`)).toEqual([expected]);
  });
});

describe('what Ruby gives a block to', () => {
  const LONG = Array.from({ length: 60 }, (_, i) => `      boats[${i}] = rates[${i}] * 100`).join('\n');

  it('of RSpec and Minitest is called by what it is given besides', async () => {
    const spec = `# Tests berths.\nRSpec.describe Harbour::Boat, type: :model do\n  let(:boat) { Boat.new }\n  context 'when it rains' do\n    it('stays in') {\n${LONG}\n    }\n  end\nend\n`;
    expect(await headingsOf('boat_spec.rb', spec)).toEqual([
      'describe(Harbour::Boat)',
      "describe(Harbour::Boat).context('when it rains')",
      "describe(Harbour::Boat).context('when it rains').it('stays in')",
    ]);
    const test = `class BoatTest < Minitest::Test\n  test "sails" do\n${LONG}\n  end\nend\n`;
    expect(await headingsOf('boat_test.rb', test)).toEqual([
      'BoatTest (boat test)',
      'BoatTest.test("sails") (boat test test("sails"))',
    ]);
  });

  it('is no piece where nothing says what it is', async () => {
    expect(await headingsOf('a.rb', `5.times do\n${LONG}\nend\nbefore do\n${LONG}\nend\n`)).toEqual([]);
  });
});

it('a name that holds what divides titles stays one part of its title', async () => {
  const body = '{\n  one();\n  two();\n  three();\n}';
  const [heading] = await headingsOf('a.test.ts', `describe('a > b > c', () => ${body});\n`);
  expect(heading?.replaceAll('\u00a0', ' ')).toBe("describe('a > b > c')");
  expect(heading).not.toContain(' > ');
});
