import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { readParts } from './read-parts.js';

type Cell = Readonly<Record<string, unknown>>;
const notebook = (cells: readonly Cell[], more: Cell = { cells }) =>
  Buffer.from(JSON.stringify({ nbformat: 4, ...more }));
const read = (cells: readonly Cell[]) => readParts('rain.ipynb', notebook(cells));
const markdown = (...source: string[]): Cell => ({ cell_type: 'markdown', source });
const code = (source: string, ...outputs: Cell[]): Cell => ({ cell_type: 'code', source, outputs });
const result = (data: Cell): Cell => ({ output_type: 'execute_result', data });

describe('a notebook', () => {
  it('has its Markdown, its code and what the code wrote as text', async () => {
    const cells = [
      markdown('# Rainfall\n', '\n', 'Monthly sums.'),
      code('df.max()', result({ 'text/plain': ['November\n', '182.4'], 'text/html': '<b>left out</b>' })),
      code('plot()', {
        output_type: 'display_data',
        data: { 'text/plain': '<Figure size 640x480 with 1 Axes>', 'image/png': 'AA' },
      }),
      code(
        '',
        { output_type: 'stream', name: 'stdout', text: '  0%\r 50%\r\u001b[31mdone\u001b[0m\n' },
        { output_type: 'stream', name: 'stderr', text: 'left out' },
      ),
      code('1/0', {
        output_type: 'error',
        ename: 'ZeroDivisionError',
        evalue: 'division by zero',
        traceback: ['left out'],
      }),
      { cell_type: 'raw', source: 'By Dora Pym.' },
    ];
    expect(await read(cells)).toEqual([
      ...['1 Rainfall', 'Monthly sums.', 'df.max()', 'output:\nNovember\n182.4', 'plot()', 'output:\ndone'],
      ...['1/0', 'output:\nZeroDivisionError: division by zero', 'By Dora Pym.'],
    ]);
  });

  it('has its first heading as title, or the one that it gives itself', async () => {
    const titled = async (cells: readonly Cell[]) =>
      (await parse({ name: 'rain.ipynb', type: 'notebook', bytes: notebook(cells) })).title;
    expect(await titled([code('import x'), markdown('## Rainfall')])).toBe('Rainfall');
    expect(await titled([{ cell_type: 'raw', source: '---\ntitle: Gauges\n---' }, markdown('# Rainfall')])).toBe(
      'Gauges',
    );
    expect(await titled([code('import x')])).toBeUndefined();
  });

  it('has the beginning of a long output', async () => {
    const text = Array.from({ length: 500 }, (_, i) => `row ${i}`).join('\n');
    const [, output] = await read([code('x', { output_type: 'stream', name: 'stdout', text })]);
    expect(output).toMatch(/^output:\nrow 0\n(?:row \d+\n){19}…$/u);
  });

  it('has no passwords and keys', async () => {
    const source =
      'api_key = "sk-4f9a8b7c"\nos.environ["DB_PASSWORD"] = \'hunter22\'\nconnect(password="hunter22", user="bo")\n%env API_TOKEN=sk-4f9a8b7c\npassword = getpass()\ntoken = words[0]';
    const [kept, output] = await read([
      code(source, { output_type: 'stream', name: 'stdout', text: 'password: hunter22\nmonth: May' }),
    ]);
    expect(`${kept}\n${output}`).not.toMatch(/sk-4f|hunter/u);
    expect(kept).toContain('user="bo"');
    expect(kept).toContain('password = getpass()\ntoken = words[0]');
    expect(output).toContain('month: May');
  });

  it('is read in the older form, with sheets and headings', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Rain' },
      { cell_type: 'code', input: 'x', outputs: [{ output_type: 'pyout', text: ['42'] }] },
    ];
    expect(await readParts('old.ipynb', notebook([], { worksheets: [{ cells }] }))).toEqual([
      '2 Rain',
      'x',
      'output:\n42',
    ]);
  });

  it.each([
    ['{"cells": [', 'is no notebook: damaged, cut off'],
    ['{"a": 1}', 'is no notebook: it has no cells'],
    ['[null]', 'is no notebook: it has no cells'],
    ['{"cells": []}', 'holds no text'],
    ['{"cells": [null, 7, {"cell_type": "code", "source": {"a": 1}, "outputs": [null, {}]}]}', 'holds no text'],
  ])('is refused as %s', async (text, words) => {
    await expect(readParts('rain.ipynb', Buffer.from(text))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`rain.ipynb ${words}`),
    });
  });
});
