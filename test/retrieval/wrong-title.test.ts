import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';

const HOPPER =
  'Grace Hopper was an officer of the Navy. She led the team that made the first compiler at Remington Rand, and what she ' +
  'thought of languages became COBOL, which banks still run today.';
const SHOW =
  'The Drew Pearson Show was a programme of news on television that ran for a year. Its host wrote a column that hundreds of papers ' +
  'printed, and he asked his guests about what they would rather not speak of.';
const PRIZE =
  'The prize of the society is given every year. Grace Hopper received it first, and a hall at the harbour bears her name.';

function pages(titles: readonly [string, string]): string {
  return `# ${titles[0]}\n\n${HOPPER}\n\n# ${titles[1]}\n\n${SHOW}\n\n# Society prize\n\n${PRIZE}\n`;
}

let directory: string;
let service: ComposedService;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'wrong-title-'));
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'error' };
  service = await compose(loadConfig({ environment }));
  for (const [domain, titles] of [
    ['right', ['Grace Hopper', 'The Drew Pearson Show']],
    ['swapped', ['The Drew Pearson Show', 'Grace Hopper']],
  ] as const) {
    await service.ingest.text({ domain, text: pages(titles), format: 'markdown', name: 'people.md' });
  }
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Returns score and cosine of the passage that tells of Grace Hopper, and whether it is first. */
async function hopperIn(domain: string, question: string) {
  const { items } = await service.retrieval.query({ context: question, domains: [domain], top_k: 10 });
  const at = items.findIndex(({ content }) => content.includes('COBOL'));
  return { first: at === 0, score: items[at]?.score ?? 0, cosine: items[at]?.metadata.vec_score as number };
}

describe('two pages with each other’s title', () => {
  it.each([['Who was Grace Hopper?'], ['In which service was the first of the society prize an officer?']])(
    'answer as with their own: %s',
    async (question) => {
      const right = await hopperIn('right', question);
      const swapped = await hopperIn('swapped', question);
      if (right.first) expect(swapped.first).toBe(true);
      expect(swapped.cosine).toBeCloseTo(right.cosine, 5);
      expect(swapped.score).toBeGreaterThan(right.score - 0.2);
    },
  );

  it('show the title that they were given, and are found by it', async () => {
    const { items } = await service.retrieval.query({ context: 'Drew Pearson Show', domains: ['swapped'], top_k: 10 });
    expect(items.map(({ content }) => content.split(':')[0])).toEqual(
      expect.arrayContaining(['The Drew Pearson Show', 'Grace Hopper']),
    );
  });
});

describe('files whose names say nothing', () => {
  it('are found by the names that their texts open with', async () => {
    const files = [HOPPER.replace('Grace Hopper', 'Grace Brewster Hopper'), SHOW, PRIZE];
    for (const [i, text] of files.entries()) {
      await service.ingest.text({ domain: 'files', text, format: 'text', name: `${i}.txt` });
    }
    const titled = await hopperIn('right', 'Who was Grace Hopper?');
    const named = await hopperIn('files', 'Who was Grace Hopper?');
    expect(named.first).toBe(true);
    expect(named.score).toBeGreaterThan(titled.score - 0.2);
    expect(named.cosine).toBeGreaterThan(titled.cosine - 0.1);
  });
});
