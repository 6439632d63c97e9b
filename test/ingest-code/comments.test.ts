import { expect, it } from '@jest/globals';
import { linesOf } from '../ingest-markup/read-markup.js';

it('lines that open a file below each other are one comment, and so is a licence of them', async () => {
  const written = `#!/usr/bin/env python3
# Copyright 2026 Example Ltd
#
# Licensed under the Example License, Version 2.0;
# you may not use this file except in compliance with it.
#
#     https://example.org/licence

# Charges boats for their berths
# and sends the bills.
import os
`;
  expect((await linesOf('a.py', written)).slice(1)).toEqual([
    'prose: Charges boats for their berths and sends the bills.',
    'code: import os',
  ]);
});

it.each([
  ['a.py', '# Copyright 2026 Example Ltd\n# All rights reserved.\n#\n# Charges boats.\nimport os\n'],
  ['a.js', '/*!\n * Charges boats.\n *\n * Copyright 2026 Example Ltd, licensed under MIT\n */\nimport os\n'],
  ['a.kt', '// Charges boats.\n//\n// Copyright 2026 Example Ltd\nimport os\n'],
])('what a file is for stays beside its licence: %s %s', async (name, written) => {
  expect((await linesOf(name, written)).slice(1)).toEqual(['prose: Charges boats.', 'code: import os']);
});

it('words that programs are called by stay in what a comment says', async () => {
  const said = [
    'pragmatic rules hold: the boat that came first',
    'region of the harbour by region, and',
    'prettier than before;',
    'webpack bundles it. See also',
    'ESLint and Ruff: both read it.',
  ];
  const written = `/**\n${said.map((line) => ` * ${line}\n`).join('')} */\nexport const a = 1;\n`;
  expect(await linesOf('a.ts', written)).toContain(`prose: ${said.join(' ')}`);
});

it('remarks for programs are left out', async () => {
  const remarks = [
    'eslint-disable-next-line no-console',
    'eslint no-console: 0',
    'prettier-ignore',
    'biome-ignore lint/a: b',
    '@ts-expect-error left',
    'istanbul ignore next',
    'pylint: disable=W0611',
    'noqa: E501',
    'type: ignore[attr]',
    'pragma: no cover',
    'nolint:errcheck',
    'go:build linux',
    'shellcheck disable=SC2034',
    'webpackChunkName: "boats"',
    '-*- coding: utf-8 -*-',
    'vim: set ts=2:',
  ];
  const written = `/**\n * Counts.\n${remarks.map((line) => ` * ${line}\n`).join('')} */\nexport const a = 1;\n`;
  const lines = await linesOf('a.ts', written);
  expect(lines.slice(1)).toEqual(['# 2 a', 'prose: Counts.', 'code: export const a = 1;']);
});

it('links of JSDoc stay, and what is thrown', async () => {
  const written =
    '/**\n * @see {@link berthFee}\n * @param {{ a: string }} b its name\n * @throws {RangeError} above 9\n */\nfunction a(b) {}\n';
  const lines = await linesOf('a.js', written);
  expect(lines.slice(2, 5)).toEqual([
    'list: - @see {@link berthFee}',
    'list: - @param {{ a: string }} b its name',
    'list: - @throws {RangeError} above 9',
  ]);
});

it('marks of cells of an exported notebook are no words', async () => {
  const lines = await linesOf('a.py', '# %% [markdown]\n# Reads the boats.\n\n# %%\nboats = load()\n');
  expect(lines[1]).toBe('prose: Reads the boats.');
});
