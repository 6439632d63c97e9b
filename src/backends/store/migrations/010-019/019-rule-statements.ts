import type { Kysely } from 'kysely';
import { markStatements } from '../../../../ledger/contradicting-rules.js';
import type { Migration } from '../../engine/migration.js';
import type { Database } from '../../schema.js';

/** Files rules under what they say, so that rules which contradict each other find one another. */
export const ruleStatements: Migration = {
  name: '019-rule-statements',
  up: (db) => markStatements(db as Kysely<Database>),
};
