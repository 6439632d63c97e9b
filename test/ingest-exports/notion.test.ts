import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { filesBelow, isReadBelow } from '../../src/ingest/read/below.js';
import { conversionOf } from '../../src/ingest/read/file-type.js';
import { fileSource, uploadSource } from '../../src/ingest/sources.js';
import { temporaryDirectory } from '../cli/processes.js';
import { fileManifest } from '../ingest-parse/manifests.js';
import { processorTime } from '../support/processor-time.js';

const CLUB = 'Club 1a2b3c4d5e6f47a8b9c0d1e2f3a4b5c6';
const TASKS = 'Tasks 0f1e2d3c4b5a46978877665544332211';
const ROOF = 'Roof repair 9c8b7a6d5e4f43219876543210fedcba.md';
const FENCE = 'Fence (old) 1122334455667788990011aabbccddee.md';

const ROOF_PAGE = `# Roof repair

Assign: Ada Berg
Due: March 4, 2026
Blocks: Fence (old) (Fence%20(old)%201122334455667788990011aabbccddee.md), Paint (https://www.notion.so/Paint-aabbccddeeff00112233445566778899?pvs=21)

The felt leaks above the kitchen (see the plan).
`;
const TABLE =
  'Name,Assign,Blocks\nRoof repair,Ada Berg,Fence (Tasks%200f1e/Fence%201122334455667788990011aabbccddee.md)\nFence,Tom,\n';

const top = temporaryDirectory();
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Writes files into a directory of its own; returns that. */
function folder(name: string, files: Readonly<Record<string, string>>): string {
  const directory = join(top, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

async function readBelow(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of filesBelow(directory, { followLinks: false }))
    if (isReadBelow(directory, file)) found.push(file.path.slice(directory.length + 1));
  return found;
}

async function texts(text: string): Promise<string[]> {
  const { parts } = await parse({ type: 'markdown', text });
  return parts.map((part) => part.text);
}

describe('a folder that Notion exported', () => {
  it('has each row once: a table is left out beside the pages of its rows', async () => {
    const directory = folder('whole', {
      [`${CLUB}.md`]: '# Club\n\nHello.',
      [`${CLUB}/${TASKS}.csv`]: TABLE,
      [`${CLUB}/${TASKS}_all.csv`]: TABLE,
      [`${CLUB}/${TASKS}/${ROOF}`]: ROOF_PAGE,
      [`${CLUB}/stock.csv`]: TABLE,
    });
    expect(await readBelow(directory)).toEqual([`${CLUB}/${TASKS}/${ROOF}`, `${CLUB}/stock.csv`, `${CLUB}.md`]);
    expect(conversionOf(`${TASKS}_all.csv`)).toBe(
      'a table whose rows are pages beside it; name the file itself to read it',
    );
  });

  it('has the table of all rows where there are no pages, and not the one of a view', async () => {
    const directory = folder('tables', { [`${TASKS}.csv`]: TABLE, [`${TASKS}_all.csv`]: TABLE });
    expect(await readBelow(directory)).toEqual([`${TASKS}_all.csv`]);
    const alone = folder('alone', { [`${TASKS}.csv`]: TABLE, 'Tasks/plan.md': '# Plan' });
    expect(await readBelow(alone)).toEqual(['Tasks/plan.md', `${TASKS}.csv`]);
  });

  it('has the page of a row below its table, also where the folder has no number', async () => {
    const directory = folder('rows', {
      [`${CLUB}/${TASKS}.csv`]: TABLE,
      [`${CLUB}/${TASKS}/${ROOF}`]: ROOF_PAGE,
      [`New/${TASKS}_all.csv`]: TABLE,
      [`New/Tasks/${FENCE}`]: '# Fence\n\nStill stands.',
      [`New/Other/${FENCE}`]: '# Fence\n\nStill stands.',
    });
    const row = await fileManifest(join(directory, CLUB, TASKS, ROOF));
    expect(row.passages.map(({ title, text }) => `${title}: ${text}`)).toEqual([
      'Tasks > Roof repair: assign: Ada Berg; due: March 4, 2026; blocks: Fence (old), Paint.\n\nThe felt leaks above the kitchen (see the plan).',
    ]);
    expect(row.source.label).toBe('Roof repair.md');
    expect((await fileManifest(join(directory, 'New/Tasks', FENCE))).passages[0]?.title).toBe('Tasks > Fence');
    expect((await fileManifest(join(directory, 'New/Other', FENCE))).passages[0]?.title).toBe('Fence');
  });

  it('has readable names: of files, and of the pages that a cell names', async () => {
    const name = `${TASKS}_all.csv`;
    const { parts } = await parse({ name, type: 'csv', bytes: Buffer.from(TABLE) });
    expect(parts.map(({ text }) => text)).toEqual([
      'Tasks',
      'Roof repair',
      'assign: Ada Berg; blocks: Fence.',
      'Fence',
      'assign: Tom.',
    ]);
    expect(fileSource('d', { path: `/x/${ROOF}`, name: ROOF }).label).toBe('Roof repair.md');
    expect(uploadSource('d', name)).toMatchObject({ key: name, label: 'Tasks.csv' });
    for (const other of ['fw-9c8b7a6d5e4f43219876543210fedcba.txt', ' 9c8b7a6d5e4f43219876543210fedcba.md'])
      expect(uploadSource('d', other).label).toBe(other);
    const page = 'Gate 0f1e2d3c4b5a46978877665544332211.md';
    const untitled = folder('untitled', { [page]: 'Opens at nine.' });
    expect((await fileManifest(join(untitled, page))).passages[0]?.title).toBe('Gate.md');
  });
});

describe('marks of Notion in Markdown', () => {
  it('that stand aside belong to the text', async () => {
    expect(
      await texts('# Club\n\n<aside>\n💡 The key hangs **behind** the barrel.\n\nAsk Ada.\n</aside>\nMore.'),
    ).toEqual(['Club', '💡 The key hangs behind the barrel.', 'Ask Ada.', 'More.']);
    expect(await texts('Text.\n\n<aside>💡 Bring boots.</aside>\n')).toEqual(['Text.', '💡 Bring boots.']);
    expect(await texts('Text.\n\n```html\n<aside>\n</aside>\n```\n')).toEqual(['Text.', '<aside>\n</aside>']);
  });

  it('are properties only where each line below the title is one', async () => {
    const row = async (lines: string) => (await texts(`# T\n\n${lines}\n\nText.`)).slice(1, -1);
    expect(await row('Status: Done\nNext Step: call [Ada](a.md)')).toEqual(['status: Done; next step: call Ada.']);
    expect(await row(`Notes: ${'long '.repeat(70).trim()}\nStatus: Done`)).toEqual([
      'status: Done.',
      `notes: ${'long '.repeat(70).trim()}`,
    ]);
    expect(await row('Notes: It leaks.\nStatus: Done\nOwner: Ada')).toEqual([
      'notes: It leaks. status: Done; owner: Ada.',
    ]);
    expect(await row('Note: Wear gloves.\nWarning: Never mix it!')).toEqual([
      'Note: Wear gloves. Warning: Never mix it!',
    ]);
    expect(await row('Status: Done')).toEqual(['Status: Done']);
    expect(await row('Ingredients:\nServes: 4')).toEqual(['Ingredients: Serves: 4']);
    expect(await row('It rained. Note: take boots\nStatus: Done')).toEqual([
      'It rained. Note: take boots Status: Done',
    ]);
    expect(await row('1. Step: stir\n2. Step: wait')).toEqual(['1. Step: stir', '2. Step: wait']);
    expect(await row('+ Flour: 200 g\n+ Salt: 5 g')).toEqual(['+ Flour: 200 g', '+ Salt: 5 g']);
    expect(await row('> Note: wear gloves\n> Warning: hot')).toEqual(['Note: wear gloves Warning: hot']);
    expect(await row('💡 Idea: sell it\n% Done: 20')).toEqual(['💡 idea: sell it; % done: 20.']);
  });

  it('show no secret that the table of the row would leave out', async () => {
    const [, row] = await texts('# Router\n\nRoom: Attic\nPassword: hunter2x\nAPI key: abcd1234efgh\n\nText.');
    expect(row).toBe('room: Attic; password: (a secret, left out); API key: (a secret, left out).');
  });

  it('are divided nowhere in a word, however long they are', async () => {
    const lines = Array.from({ length: 90 }, (_, i) => `Part ${i}: ${'harbour '.repeat(70)}`).join('\n');
    expect((await texts(`# T\n\n${lines}`)).join(' ').match(/harbour\b/gu)).toHaveLength(90 * 70);
  });

  it.each([
    ['brackets', `# T\n\n${'A: ((((('.padEnd(200, '(')}\n${'B: '.padEnd(39_000, ' (a')}\n\nText.`],
    ['numbers', `# T\n\nA: b\nB: ${`(${'a'.repeat(1990)} `.repeat(18)}\n\nText.`],
    ['lines', `# T\n\n${'A: b\n'.repeat(400_000)}`],
    ['asides', '<aside>\n'.repeat(100_000)],
  ])('take little time: %s', async (_, written) => {
    expect(await processorTime(() => parse({ type: 'markdown', text: `${written}x` }))).toBeLessThan(2000);
  });
});
