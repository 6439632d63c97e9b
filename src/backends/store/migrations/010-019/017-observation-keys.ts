import { sql } from 'kysely';
import type { Migration } from '../../engine/migration.js';

/** Keys under which observations were sent, so that one sent again counts once; rewards that wait for a remote learner. */
export const observationKeys: Migration = {
  name: '017-observation-keys',
  async up(db, columns) {
    await db.schema
      .createTable('observation_key')
      .addColumn('learner', columns.id, (c) => c.notNull())
      .addColumn('key', columns.id, (c) => c.notNull())
      .addColumn('at', columns.big, (c) => c.notNull())
      .addPrimaryKeyConstraint('observation_key_pk', ['learner', 'key'])
      .execute();
    await db.schema.createIndex('observation_key_at').on('observation_key').column('at').execute();
    await db.schema
      .alterTable('gateway_reward')
      .addColumn('pending', 'integer', (c) => c.notNull().defaultTo(sql`0`))
      .execute();
    await db.schema.createIndex('gateway_reward_pending').on('gateway_reward').columns(['pending', 'id']).execute();
  },
};
