import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { namesIn } from '../../src/core/text/mentions.js';
import { ActiveKeys } from '../../src/ingest/link/active-keys.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, passage, source } from '../contracts/graph/fixture.js';

const NAMES = ['Ada Byron', 'Byron', 'Gent', 'Port of Gent', 'Engine'];

/** A ledger in which titles, aliases and concepts are active, some are not, and another domain has its own. */
async function ledgerWithKeys(): Promise<Ledger> {
  const ledger = new Ledger(await openSqlite(':memory:'));
  const titled = passage('titled', { titles: ['Ada Byron'], aliases: ['Byron'] });
  const shared = ['w', 'x', 'y', 'z'].map((id) => passage(id, { aliases: ['Gent'] }));
  await ledger.ingestManifest(source('a', { concepts: [{ name: 'Port of Gent' }], passages: [titled, ...shared] }));
  await ledger.ingestManifest(source('b', { domain: 'e', concepts: [{ name: 'Engine' }] }));
  return ledger;
}

/** Sentences whose names are looked up, and what is asked of the ledger meanwhile. */
async function looked(ledger: Ledger, sentences: readonly string[]) {
  const asked = { parts: 0, keys: 0, wholes: 0 };
  const keys = new ActiveKeys(
    {
      activeKeys: (domain, part) => {
        asked.parts += 1;
        asked.keys += part.length;
        return ledger.activeKeys(domain, part);
      },
      allActiveKeys: (domain, most) => {
        asked.wholes += 1;
        return ledger.allActiveKeys(domain, most);
      },
    },
    D,
    undefined,
  );
  const found: string[][] = [];
  for (const sentence of sentences) {
    const names = namesIn(sentence);
    await keys.lookUp(new Set(names.keys));
    found.push(names.mentions((key) => keys.has(key)).map(({ key }) => key));
  }
  return { asked, found, complete: keys.complete };
}

const sentences = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const name = NAMES[i % NAMES.length]!;
    return `Note${i} Of Page${i} By ${name} Was Kept${i} In The Old House${i} Near The Port Of Gent${i % 9 === 0 ? '' : i}.`;
  });

it('few keys are looked up one by one, many are read at once, and both find the same names', async () => {
  const ledger = await ledgerWithKeys();
  const one = await looked(ledger, sentences(40));
  expect(one).toMatchObject({ complete: false, asked: { wholes: 0 } });
  const many = await looked(ledger, sentences(600));
  expect(many).toMatchObject({ complete: true, asked: { wholes: 1 } });
  expect(many.asked.keys).toBeLessThan(11_000);
  expect(many.found.slice(0, 40)).toEqual(one.found);
  const single: string[][] = [];
  for (const sentence of sentences(600)) single.push((await looked(ledger, [sentence])).found[0]!);
  expect(many.found).toEqual(single);
});

it('a store that holds more than was looked up is not read whole, whichever domain it is of', async () => {
  const ledger = await ledgerWithKeys();
  const concepts = Array.from({ length: 12_000 }, (_, i) => ({ name: `Part ${i}` }));
  await ledger.ingestManifest(source('c', { domain: 'f', concepts }));
  const few = await looked(ledger, sentences(200));
  expect(few.complete).toBe(false);
  expect(few.asked.wholes).toBe(1);
  expect(await ledger.allActiveKeys(D, 12_000)).toBeUndefined();
  expect(await ledger.allActiveKeys(D, 1_000_000)).toEqual(new Set(['ada byron', 'byron', 'port of gent']));
  expect(await ledger.allActiveKeys('none', 0)).toEqual(new Set());
  const many = await looked(ledger, sentences(900));
  expect(many.complete).toBe(true);
  expect(many.found.slice(0, 200)).toEqual(few.found);
});
