import type { EmbeddingModel, TokenTable } from '../port.js';
import { openStatic } from './static.js';

let opened: (EmbeddingModel & TokenTable) | undefined;

/**
 * Returns the static model for whoever compares texts or words with each other, whatever model the stored vectors are of. It is opened at the first call
 * and stays for the life of the process, which its thread does not prolong. Throws `unavailable` when its files are missing.
 */
export function sharedStatic(): EmbeddingModel & TokenTable {
  opened ??= openStatic();
  return opened;
}
