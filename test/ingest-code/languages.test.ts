import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../ingest-markup/read-markup.js';

const LONG = Array.from({ length: 60 }, (_, i) => `    total += rates[${i}] * 100;`).join('\n');

describe('source code', () => {
  it('of TypeScript is a piece for each function and type, below what its comment says', async () => {
    const written = `#!/usr/bin/env node
/* Copyright 2026 Example Ltd. All rights reserved. */
// Works out what a mooring costs.
import { rates } from './rates.js';

const YEAR = 2026;

/** How a boat is charged. */
export interface Charge { readonly metres: number }

/**
 * Returns the fee of a boat,
 * in cents.
 * @param {number} metres its length
 */
export async function mooringFee(metres: number): Promise<number> {
  return metres * rates.get(YEAR);
}

// eslint-disable-next-line
export const halved = (fee: number) => {
  const half = fee / 2;
  return half;
};

function small() { return 1; }
`;
    expect(await linesOf('fees.ts', written)).toEqual([
      '# 1 fees.ts',
      'prose: Works out what a mooring costs.',
      "code: import { rates } from './rates.js';",
      'code: const YEAR = 2026;',
      'code: function small() { return 1; }',
      '# 2 Charge',
      'prose: How a boat is charged.',
      'code: export interface Charge { readonly metres: number }',
      '# 2 mooringFee (mooring fee)',
      'prose: Returns the fee of a boat, in cents.',
      'list: - @param metres its length',
      'code: export async function mooringFee(metres: number): Promise<number> {\n  return metres * rates.get(YEAR);\n}',
      '# 2 halved',
      'code: export const halved = (fee: number) => {\n  const half = fee / 2;\n  return half;\n};',
    ]);
  });

  it('of scripts has what is exported, routes and tests below what they are called', async () => {
    const written = `const express = require('express');
/** Sends the berths. */
app.get('/berths', (request, response) => {
  response.json([]);
});
exports.save = function (berth) {
  write(berth);
  return 1;
};
describe('berths', () => {
  it('are saved', () => {
${LONG}
  });
${LONG}
});
`;
    const lines = await linesOf('routes.js', written);
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([
      '# 1 routes.js',
      "# 2 app.get('/berths')",
      '# 2 exports.save',
      "# 2 describe('berths')",
      "# 2 describe('berths').it('are saved')",
    ]);
  });

  it('of scripts has the functions of an object, and a class that is given to others, by their names', async () => {
    const written = `const response = module.exports = {

  /**
   * Returns the berth.
   *
   * @api public
   */

  get berth () {
    return this.berths[0];
  },
  rates: {},
  send: async (boat) => {
${LONG}
  },
};
`;
    const lines = await linesOf('response.js', written);
    expect(lines).toEqual([
      '# 1 response.js',
      '# 2 response',
      'code: const response = module.exports = {',
      'code:   rates: {},',
      '# 2 response.berth',
      'prose: Returns the berth.',
      'code: get berth () {\n  return this.berths[0];\n}',
      '# 2 response.send',
      expect.stringMatching(/^code: send: async \(boat\) => \{\n/u),
    ]);
    const headings = async (code: string) => (await linesOf('a.js', code)).filter((line) => line.startsWith('#'));
    const body = `{\n  load() {\n${LONG}\n  }\n}`;
    expect(await headings(`module.exports = class Harbour ${body};`)).toEqual([
      '# 1 a.js',
      '# 2 Harbour',
      '# 2 Harbour.load',
    ]);
    expect(await headings(`export default ${body}`)).toEqual(['# 1 a.js', '# 2 default', '# 2 load']);
    expect(await headings(`module.exports = ${body}`)).toEqual(['# 1 a.js', '# 2 module.exports', '# 2 load']);
  });

  it('of React has components below the name that they are given to, whatever they are wrapped in', async () => {
    const written =
      'export const Field = forwardRef((props, ref) => {\n  const a = 1;\n  return <input ref={ref} />;\n});\n';
    expect(await linesOf('a.tsx', written)).toContain('# 2 Field');
  });

  it('of Ruby has a short method that returns a text with what stands around it', async () => {
    const lines = await linesOf('a.rb', 'def name\n  "boats"\nend\n');
    expect(lines).toEqual(['# 1 a.rb', 'code: def name\n  "boats"\nend']);
  });

  it('of Python has docstrings as text, and long classes method by method', async () => {
    const written = `"""Charges boats.

Once a year.
"""
import os

@route("/fees")
def fee(metres, *, year=2026):
    """Return the fee of a boat.

    Args:
        metres: Its length.
        year: The year it is charged for.
    """
    return metres * RATES[year]


class Ledger:
    """Keeps the fees."""

    size = 0

    @property
    def total(self):
        """All fees together."""
        return sum(self.fees)

    def charge(self, boat):
${LONG.replaceAll(';', '').replaceAll(/^/gmu, '    ')}
`;
    expect(await linesOf('fees.py', written)).toEqual([
      '# 1 fees.py',
      'prose: Charges boats.',
      'prose: Once a year.',
      'code: import os',
      '# 2 fee',
      'prose: Return the fee of a boat.',
      'list: - metres: Its length.',
      'list: - year: The year it is charged for.',
      'code: @route("/fees")\ndef fee(metres, *, year=2026):\n    return metres * RATES[year]',
      '# 2 Ledger',
      'prose: Keeps the fees.',
      'code: class Ledger:',
      'code:     size = 0',
      '# 2 Ledger.total',
      'prose: All fees together.',
      'code: @property\ndef total(self):\n    return sum(self.fees)',
      '# 2 Ledger.charge',
      expect.stringMatching(/^code: def charge\(self, boat\):\n {4}total \+= rates\[0\] \* 100\n/u),
    ]);
  });

  /** What a file holds below each name: its comment and the beginning of its code. */
  const PIECES: ReadonlyArray<readonly [name: string, written: string, pieces: readonly string[]]> = [
    [
      'Store.java',
      '// Copyright 2026 Example\npackage org.example;\n\n/** Keeps boats. */\npublic class Store<K> {\n  int size;\n}\n\n/** How to read. */\ninterface Reader { int read(); }\n',
      ['# 2 Store', 'prose: Keeps boats.', '# 2 Reader', 'prose: How to read.'],
    ],
    [
      'store.go',
      '// Package store keeps boats.\npackage store\n\n// Limit is the most boats.\nconst Limit = 100\n\n// Load reads a file.\nfunc (s *Store) Load(path string) error {\n\treturn nil\n}\n\n// Store keeps boats.\ntype Store struct{ boats []string }\n',
      [
        'prose: Package store keeps boats.',
        '# 2 Limit',
        'prose: Limit is the most boats.',
        '# 2 Store.Load',
        'prose: Load reads a file.',
        '# 2 Store',
        'prose: Store keeps boats.',
      ],
    ],
    [
      'store.rs',
      '//! Keeps boats.\n/// A store.\n#[derive(Debug)]\npub struct Store { boats: Vec<String> }\n\nimpl<T> fmt::Display for Store<T> {\n    fn fmt(&self) -> fmt::Result {\n        Ok(())\n    }\n}\nmod tests {\n    #[test]\n    fn loads_boats() {\n        assert!(true);\n        assert!(true);\n    }\n}\n',
      ['prose: Keeps boats.', '# 2 Store', 'prose: A store.', '# 2 fmt::Display for Store', '# 2 loads_boats'],
    ],
    [
      'Store.cs',
      'namespace Harbour\n{\n    /// <summary>Keeps boats for <see cref="Reader"/>.</summary>\n    public class Store : IStore\n    {\n        public int Count { get; }\n    }\n}\n',
      ['# 2 Store', 'prose: Keeps boats for Reader.'],
    ],
    [
      'store.hpp',
      '#ifndef H\n#define H\nnamespace harbour {\n/** Keeps boats. */\ntemplate <typename T>\nclass Store {\n  int load(const char *path);\n};\n// Adds two.\nint add(int a, int b);\ntemplate <typename T>\nint Store<T>::load(const char *path) {\n  open(path);\n  return 0;\n}\n}\n#endif\n',
      ['# 2 Store', 'prose: Keeps boats.', '# 2 add', 'prose: Adds two.', '# 2 Store::load'],
    ],
    [
      'store.rb',
      '# frozen_string_literal: true\n\n# Keeps boats.\nclass Store\n  def load(path)\n    File.read(path)\n  end\nend\n',
      ['# 2 Store', 'prose: Keeps boats.'],
    ],
    [
      'store.php',
      '<?php\n/** Keeps boats. */\nclass Store {\n  public $a;\n}\n/** Adds two. */\nfunction add($a, $b) { return $a + $b; }\n',
      ['# 2 Store', 'prose: Keeps boats.', '# 2 add', 'prose: Adds two.'],
    ],
    [
      'backup.sh',
      '#!/bin/bash\n# Backs the harbour up.\nset -e\n\n# Prints how to use it.\nusage() {\n  echo "usage: $0 FILE"\n}\n',
      ['prose: Backs the harbour up.', '# 2 usage', 'prose: Prints how to use it.'],
    ],
    [
      'Backup.ps1',
      '# Backs the harbour up.\nfunction Backup-Harbour {\n  param([string]$Path)\n  Copy-Item $Path out\n}\n',
      ['# 2 Backup-Harbour', 'prose: Backs the harbour up.'],
    ],
    [
      'Store.kt',
      'package harbour\n\n/** Keeps boats. */\nclass Store(private val boats: MutableList<String>) {\n\n    fun load(path: String): Int {\n        return boats.size\n    }\n}\n\nfun helper(a: Int): Int {\n    val b = a\n\n    return b\n}\n',
      ['# 2 Store', 'prose: Keeps boats.', '# 2 helper'],
    ],
    [
      'boats.sql',
      '-- Boats that pay.\nCREATE TABLE IF NOT EXISTS boats (\n  id INTEGER,\n  name TEXT\n);\n\nCREATE OR REPLACE VIEW payers AS\nSELECT *\nFROM boats\nWHERE paid;\n',
      ['# 2 boats', 'prose: Boats that pay.', '# 2 payers'],
    ],
  ];
  it.each(PIECES)('of %s is a piece for each declaration', async (name, written, pieces) => {
    const lines = await linesOf(name, written);
    expect(lines[0]).toBe(`# 1 ${name}`);
    expect(lines.slice(1).filter((line) => /^(?:#|prose)/u.test(line))).toEqual(pieces);
  });

  it('keeps every word but licences, remarks for programs and signs', async () => {
    const written = `// @ts-check\n${Array.from({ length: 40 }, (_, i) => `/** Says word${i}. */\nexport class Name${i} {\n  field${i} = "text${i}";\n}\nif (flag${i}) run${i}();\n`).join('\n')}`;
    const read = (await linesOf('many.ts', written)).join('\n');
    const words = new Set(written.match(/[a-zA-Z]+\d+/gu));
    expect([...words].filter((word) => !read.includes(word))).toEqual([]);
    expect(read).not.toContain('ts-check');
  });
});
