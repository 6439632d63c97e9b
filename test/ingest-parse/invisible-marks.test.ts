import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { cleanText, hasInvisible, readableText, storableText } from '../../src/core/text/clean.js';
import { InProcessClient } from '../../src/index.js';
import { operations } from '../../src/operations/index.js';
import { validated } from '../../src/operations/invoke/validate.js';

let directory: string;
let service: ComposedService;
let client: InProcessClient;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'invisible-'));
  const page = join(directory, 'grants.html');
  writeFileSync(
    page,
    '<h1>Grants</h1><p>The Schiff&shy;fahrts&shy;amt pays for dredg&#8203;ing.</p><h1>Tea</h1><p>Tea is at four.</p>',
  );
  const environment = {
    SVC_DATA_DIR: join(directory, 'data'),
    SVC_INGEST_ROOTS: directory,
    SVC_EMBEDDING: 'none',
    SVC_LOG_LEVEL: 'error',
  };
  service = await compose(loadConfig({ environment }));
  client = new InProcessClient(service);
  await client.ingest(page, 'd');
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Node 20 has it, the type library of our target does not know it yet. */
const wellFormed = (text: string) => (text as string & { toWellFormed(): string }).toWellFormed();

describe('marks that nobody sees and that divide words', () => {
  it('go from text', () => {
    expect(cleanText('Schiff\u00adfahrts\u00adamt a\u2060b c\u200bd')).toBe('Schifffahrtsamt ab cd');
  });

  it('stay where they divide the words of a script without spaces', () => {
    expect(cleanText('ภาษา\u200bไทย')).toBe('ภาษา\u200bไทย');
  });

  it('go as a pattern would replace them, whatever stands around them', () => {
    const unit = fc.constantFrom(...'aภကក\u00ad\u2060\u200b\0\ud83d\ude00é \n');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const replaced = wellFormed(
          text.replace(/[\0\u00ad\u2060]|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b/g, ''),
        );
        expect(readableText(text)).toBe(replaced);
        expect(storableText(text)).toBe(wellFormed(text.replace(/\0/g, '')));
        expect(hasInvisible(text)).toBe(readableText(text) !== storableText(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['Schifffahrtsamt', 'Schiff\u00adfahrts\u00adamt', 'dredging', 'dred\u2060ging'])(
    'hide no word of a page from a question: %j',
    async (context) => {
      const { items } = await client.query(context, { domains: ['d'] });
      expect(items[0]?.content).toContain('The Schifffahrtsamt pays for dredging.');
    },
  );

  it('go from names of concepts, on every surface', () => {
    const given = { domain: 'd', concepts: [{ name: 'wheel\u00adhouse' }] };
    expect(validated(operations.ingest_structured, given)).toMatchObject({ concepts: [{ name: 'wheelhouse' }] });
  });
});
