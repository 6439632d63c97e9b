import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import type { Part } from '../../src/ingest/parse/parts.js';

async function read(text: string, name = 'guide.rst'): Promise<readonly Part[]> {
  return (await parse({ bytes: new TextEncoder().encode(text), name, type: 'text' })).parts;
}

const headings = async (text: string) =>
  (await read(text)).flatMap((part) => (part.kind === 'heading' ? [`${part.level} ${part.text}`] : []));

describe('reStructuredText', () => {
  it('has sections of as many levels as its lines below titles have signs, in the order of their first use', async () => {
    const title = (name: string, sign: string) => `${name}\n${sign.repeat(name.length)}\n\nThe text of ${name}.\n\n`;
    const text = [
      `=====\nGuide\n=====\n\n${title('Boats', '-')}${title('Skiffs', '~')}${title('Oars', '^')}${title('Blades', '"')}`,
      `${title('Masts', '-')}${title('Spruce', '~')}Plain\n=====\nText at once.\n`,
    ].join('');
    const levels = ['1 Guide', '2 Boats', '3 Skiffs', '4 Oars', '5 Blades', '2 Masts', '3 Spruce', '6 Plain'];
    expect(await headings(text)).toEqual(levels);
    const long = text + 'The crew rests at noon. '.repeat(400);
    expect(await headings(long)).toEqual(levels);
  });

  it('takes no line of signs that is shorter than what stands above it, and no short line alone, for a heading', async () => {
    const paragraph =
      'The orchard has forty apple trees and one pear tree near the gate, where the boats land in autumn.';
    expect(await headings(`The orchard\n--\n\nOrchard Guide\n\n${paragraph}\n\n----\n\n${paragraph}\n`)).toEqual([]);
  });

  it('shows what directives say without their marks: notes as text, code as code', async () => {
    const text = [
      'Pumps\n=====\n',
      '.. note:: Check the valve.\n   It sticks.\n',
      '.. warning::\n   :class: red\n\n   Never open it under pressure.\n',
      '.. admonition:: By the way\n\n   - It is old.\n',
      '.. versionadded:: 3.2\n',
      '.. code-block:: python\n   :linenos:\n\n   def open(valve):\n       valve.turn()\n\n   open(valve)\n',
      'Run this::\n\n    pump --start\n',
      'Then wait.\n',
      '.. _valves:\n',
      '.. image:: valve.png\n   :alt: A valve\n',
      '.. This is a comment,\n   which nobody sees.\n',
      'The end.\n',
    ].join('\n');
    expect(await read(text)).toEqual([
      { kind: 'heading', level: 1, text: 'Pumps' },
      { kind: 'prose', text: 'Note' },
      { kind: 'prose', text: 'Check the valve.\nIt sticks.' },
      { kind: 'prose', text: 'Warning' },
      { kind: 'prose', text: 'Never open it under pressure.' },
      { kind: 'prose', text: 'By the way' },
      { kind: 'list', text: '   - It is old.' },
      { kind: 'prose', text: 'Added in version 3.2' },
      { kind: 'code', text: 'def open(valve):\n    valve.turn()\n\nopen(valve)' },
      { kind: 'prose', text: 'Run this:' },
      { kind: 'code', text: 'pump --start' },
      { kind: 'prose', text: 'Then wait.' },
      { kind: 'prose', text: 'The end.' },
    ]);
  });

  it('reads two directives without an empty line between them, tables, footnotes, and a session of Python', async () => {
    const text = [
      '.. code-block:: sh\n   pump --stop\n.. code::\n\n   pump --start\n',
      '+-----+------+\n| Oar | Ash  |\n+=====+======+\n| Tip | Brass |\n+-----+------+\n',
      '.. [1] Made in 1911.\n',
      '>>> 1 + 1\n2\n',
    ].join('\n');
    expect(await read(text)).toEqual([
      { kind: 'code', text: 'pump --stop' },
      { kind: 'code', text: 'pump --start' },
      { kind: 'table', text: '| Oar | Ash  |' },
      { kind: 'table', text: '| Tip | Brass |' },
      { kind: 'prose', text: '[1] Made in 1911.' },
      { kind: 'code', text: '>>> 1 + 1\n2' },
    ]);
  });

  it.each([
    ['.. _install:\nInstall\n=======\n\nText.', ['Install', 'Text.']],
    ['.. image:: a.png\n   :alt: A valve\nImportant text.\n', ['Important text.']],
    ['.. note:: Check it.\n   It sticks.\nThen go.', ['Note', 'Check it.\nIt sticks.', 'Then go.']],
    ['.. code-block:: sh\n\n    run\nAfter code text.', ['run', 'After code text.']],
    [
      '.. code-block:: sh\n\n    a\n\n    b\n    .. c\nAfter code.\n.. _x:\nEnd',
      ['a\n\nb\n.. c', 'After code.', 'End'],
    ],
    ['Run::\n\n    pump\nThen wait.', ['Run:', 'pump', 'Then wait.']],
    ['- One\n\n  .. code:: sh\n\n     run\n  After it.', ['- One', 'run', 'After it.']],
    ['.. _long: https://example.com/\n   valves\n.. [1] Made\n   in 1911.\nEnd', ['[1] Made\nin 1911.', 'End']],
    ['.. A comment,\n   which goes on\n\n   and on.\nText.', ['Text.']],
  ])('ends a mark at the first line that is indented no more: %j', async (text, said) => {
    expect((await read(text)).map((part) => part.text)).toEqual(said);
  });

  it.each([
    ['..\n\n    A quote that matters.', ['A quote that matters.']],
    ['..\nA text.', ['A text.']],
    ['..\n   .. note:: Left out.\n\n   Left out.\n\nA text.', ['A text.']],
  ])('takes two points alone for a comment only of lines at once below: %j', async (text, said) => {
    expect((await read(text)).map((part) => part.text)).toEqual(said);
  });

  it.each([
    ['See :ref:`the guide <guide>` and :doc:`/install`.', 'See the guide and /install.'],
    ['Call :py:func:`~asyncio.run` or :code:`x = *y*`.', 'Call run or x = *y*.'],
    ['Pass ``*args`` and ``a`b`` to `open`.', 'Pass *args and a`b to open.'],
    ['Read `the manual\n<https://example.org/a_b>`_ and `Old Notes`__.', 'Read the manual and Old Notes.'],
    ['As :pep:`8` and `E = mc`:math: say, **never** *run* it.', 'As PEP 8 and E = mc say, never run it.'],
    ['It was Python_ [1]_, not my_ or a_b.\n\n.. _Python: https://python.org', 'It was Python [1], not my_ or a_b.'],
    ['A 2 * 3 * 4 product, *\\*args*, re\\ ``read`` and 5*6*7.', 'A 2 * 3 * 4 product, **args*, reread and 5*6*7.'],
    ['- The :kbd:`Ctrl-C` key', '- The Ctrl-C key'],
    ["At 10:30:`late`, '`quoted`'.", "At 10:30:late, 'quoted'."],
  ])('shows the text of roles, literals and links without their marks: %j', async (text, said) => {
    expect((await read(text)).map((part) => part.text)).toEqual([said]);
  });

  it('keeps the marks of roles in code, and shows titles without them', async () => {
    const text = 'The ``svc`` command\n===================\n\n::\n\n    see :ref:`x <y>`\n';
    expect((await read(text)).map((part) => part.text)).toEqual(['The svc command', 'see :ref:`x <y>`']);
  });

  it('of marks that nothing ends is read at once', async () => {
    for (const mark of ['*a ', '`a', '``a ', ':a:`b', '**a ', '\\a'])
      expect(await read(mark.repeat(300_000))).not.toEqual([]);
  });

  it('is what a file says by its extension: a plain text keeps its signs', async () => {
    const text = '.. note:: Check the valve.\n';
    expect(await read(text, 'guide.txt')).toEqual([{ kind: 'prose', text: '.. note:: Check the valve.' }]);
  });
});
