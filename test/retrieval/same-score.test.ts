import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';

const COOKBOOK = `Ilse Kröger wrote this cookbook in Husum in 1974.

# Soups

## Beans and bacon

Serves four. Boil the green beans with savory for 25 minutes, and add the pears last. The bacon has the code BX-442.

## Fish soup

Fish soup was invented by Hinnerk Paulsen on 14 March 1958. The stock requires cod heads.

# Desserts

## Red jelly

Combine 500 g redcurrants and 250 g raspberries, and bind them with sago.

## Red jelly with cornflour

The second version uses cornflour instead of sago; Ilse Kröger preferred it after 2 May 1979.
`;

let directory: string;
let service: ComposedService;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'same-score-'));
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'error' };
  service = await compose(loadConfig({ environment }));
  for (const [domain, copies] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    for (let i = 0; i < copies; i += 1) {
      await service.ingest.text({ domain, text: COOKBOOK, format: 'markdown', name: `cookbook ${i}.md` });
    }
  }
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

async function best(domain: string, context: string) {
  const { items } = await service.retrieval.query({ context, domains: [domain], top_k: 3 });
  const [first] = items;
  return { score: first!.score, content: first!.content };
}

describe.each(['one', 'three'])('an answer from domain %s', (domain) => {
  it.each([
    ['BX-442', 'bacon'],
    ['Who is Hinnerk Paulsen?', 'invented'],
    ['Who is Ilse Kröger?', 'Ilse Kröger'],
  ])('to %s is as sure with and without capitals', async (question, words) => {
    const written = await best(domain, question);
    const lower = await best(domain, question.toLowerCase());
    expect(written.content).toContain(words);
    expect(lower.content).toContain(words);
    expect(Math.abs(written.score - lower.score)).toBeLessThan(0.1);
    expect(written.score).toBeGreaterThan(0.5);
  });
});
