import { sentencesTables } from './007-sentences.js';
import { operationsTables } from './008-operations.js';
import type { Migration } from './migration.js';

/** In order; a name that was released keeps its place and its content. */
export const migrations: readonly Migration[] = [sentencesTables, operationsTables];
