import { afterEach } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import { PostingsTextIndex } from '../../src/backends/text/postings.js';
import { englishStemsContract } from '../contracts/english-stems.contract.js';

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

englishStemsContract('postings', async () => {
  const store = await openSqlite(':memory:');
  close = () => store.close();
  return new PostingsTextIndex(store);
});

englishStemsContract('memory', async () => new MemoryTextIndex());
