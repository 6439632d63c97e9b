import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { codesIn, spelledAsFound } from '../../src/retrieval/seed/codes.js';

const STORES = `# Stores

## Left shelf

The pressure valve has the article number BX-442 and costs 14 euros.

## Right shelf

Gaskets of the pump are listed as QR7713 and come in packs of ten.

## Back room

The compressor is the model TK 88 and needs oil twice a year; 442 of them were built.

## Yard

The trailer takes 450 kg. Ask Benno for the BX key of the gate.
`;

let directory: string;
let service: ComposedService;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'codes-'));
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none', SVC_LOG_LEVEL: 'error' };
  service = await compose(loadConfig({ environment }));
  await service.ingest.text({ domain: 'd', text: STORES, format: 'markdown', name: 'stores.md' });
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('codes of a question', () => {
  it.each([
    ['where is BX442?', ['BX442']],
    ['where are BX-442/7, QR 7713 and bx442?', ['QR 7713', 'BX-442/7', 'bx442']],
    ['who built it in 1958, and why?', []],
    ['the state-of-the-art pump', []],
    [`sum ${'a1'.repeat(30)}`, []],
  ])('are words of letters and digits: %j', (text, codes) => {
    expect(codesIn(text).map(({ written }) => written)).toEqual(codes);
  });

  it.each([
    ['What does BX442 cost?', 'BX-442'],
    ['what does bx442 cost?', 'BX-442'],
    ['How are QR-7713 packed?', 'QR7713'],
    ['How are QR 7713 packed?', 'QR7713'],
    ['Does the TK88 need oil?', 'TK 88'],
    ['What weighs 450kg?', '450 kg'],
  ])('find what is spelled otherwise: %j', async (context, code) => {
    for (const domains of [['d'], undefined]) {
      const { items } = await service.retrieval.query({ context, top_k: 10, ...(domains && { domains }) });
      expect(items[0]?.content).toContain(code);
      expect((items[0]!.metadata.why as { terms?: string[] }).terms?.join(' ')).toMatch(/\d/);
    }
  });

  it.each(['What does BX-442 cost?', 'Is there a ZZ-999 or a ZZ999?', 'Where is QR7713?', 'Which has 442BX7?'])(
    'stay where they are found, or nowhere: %j',
    async (text) => {
      expect(await spelledAsFound(service.text, text, ['d'])).toBe(text);
    },
  );
});
