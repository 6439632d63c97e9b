import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rendered } from '../../src/cli/output/render.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nGreen tea comes from Japan.\n');
  writeFileSync(join(folder, 'picture.png'), 'no text');
  await svcJson('ingest', folder, '--domain', 'notes');
  const { query_id, items } = await svcJson('query', 'green tea');
  const outcomes = { [items[0].id]: 'accepted' };
  await svcJson('call', 'feedback', '--input', JSON.stringify({ query_id, outcomes }));
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('output for people', () => {
  it.each([['jobs', 'list'], ['stats'], ['status'], ['learning', 'interoception'], ['edits', 'list']])(
    'holds no JSON, which --json prints: %s %s',
    async (...args) => {
      const words = args.filter((word) => word !== undefined);
      const { code, stdout } = await svc(...words);
      expect([code, stdout]).toEqual([0, expect.not.stringMatching(/[[{]"|\{\}|\bnull\b|\[object/)]);
      expect(Object.keys(await svcJson(...words)).length).toBeGreaterThan(0);
    },
  );

  it('shows of a job what became of its files', async () => {
    const [heads, row] = (await svc('jobs', 'list')).stdout.split('\n').filter((line) => line.startsWith('│'));
    expect(heads).toMatch(
      /Job .* Begun .* Domain .* State .* Files .* Done .* Unchanged .* Failed .* Skipped .* Passages/,
    );
    const [, , , domain, state, ...counts] = row!.split('│').map((cell) => cell.trim());
    expect([domain, state, ...counts.slice(0, 6)]).toEqual(['notes', 'completed', '2', '1', '0', '0', '1', '1']);
    const { job_id } = (await svcJson('jobs', 'list')).jobs[0];
    expect((await svc('jobs', 'show', job_id)).stdout).toMatch(
      /^files +total 2, done 1, unchanged 0, failed 0, skipped 1$/m,
    );
  });

  it('shows domains of the statistics in a table', async () => {
    expect((await svc('stats')).stdout).toMatch(/domain_breakdown\n.*\n│ domain +│ concepts +│[^\n]*\n│ notes +│/);
  });

  it('puts what is inside into words, and leaves out what is null', () => {
    expect(rendered({ rate: { per_second: 2, of: { a: 1 } }, list: ['x', { b: 2 }], next: null, none: {} })).toBe(
      'rate  per second 2, of (a 1)\nlist  x, (b 2)\nnone  (none)',
    );
  });
});
