import type { EmbeddingModel } from '../port.js';
import { openStatic } from './static.js';

let opened: EmbeddingModel | undefined;

/**
 * Returns the static model for whoever compares texts with each other, whatever model the stored vectors are of. It is opened at the first call
 * and stays for the life of the process, which its thread does not prolong. Throws `unavailable` when its files are missing.
 */
export function sharedStatic(): EmbeddingModel {
  opened ??= openStatic();
  return opened;
}
