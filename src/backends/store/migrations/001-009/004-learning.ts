import type { Migration } from '../../engine/migration.js';

export const learningTables: Migration = {
  name: '004-learning',
  async up(db, columns) {
    const { big, double, id } = columns;
    await db.schema
      .createTable('learner_partition')
      .addColumn('learner', id, (c) => c.notNull())
      .addColumn('context_key', id, (c) => c.notNull())
      .addColumn('context', 'text', (c) => c.notNull())
      .addColumn('version', big, (c) => c.notNull())
      .addColumn('epoch', big, (c) => c.notNull())
      .addColumn('arms', 'integer', (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addColumn('selections', big, (c) => c.notNull())
      .addColumn('baseline_selections', big, (c) => c.notNull())
      .addColumn('observations', big, (c) => c.notNull())
      .addPrimaryKeyConstraint('learner_partition_pk', ['learner', 'context_key'])
      .execute();
    await db.schema
      .createTable('learner_arm')
      .addColumn('learner', id, (c) => c.notNull())
      .addColumn('context_key', id, (c) => c.notNull())
      .addColumn('arm_id', id, (c) => c.notNull())
      .addColumn('alpha', double, (c) => c.notNull())
      .addColumn('beta', double, (c) => c.notNull())
      .addColumn('pulls', big, (c) => c.notNull())
      .addColumn('total_reward', double, (c) => c.notNull())
      .addColumn('updated_at', big, (c) => c.notNull())
      .addColumn('version', big, (c) => c.notNull())
      .addColumn('born', big, (c) => c.notNull())
      .addPrimaryKeyConstraint('learner_arm_pk', ['learner', 'context_key', 'arm_id'])
      .execute();
    await db.schema
      .createIndex('learner_arm_version')
      .on('learner_arm')
      .columns(['learner', 'context_key', 'version'])
      .execute();
    await db.schema
      .createTable('learner_selection')
      .addColumn('learner', id, (c) => c.notNull())
      .addColumn('context_key', id, (c) => c.notNull())
      .addColumn('arm_id', id, (c) => c.notNull())
      .addColumn('selections', big, (c) => c.notNull())
      .addPrimaryKeyConstraint('learner_selection_pk', ['learner', 'context_key', 'arm_id'])
      .execute();
    await db.schema
      .createTable('observation')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('learner', id, (c) => c.notNull())
      .addColumn('context_key', id, (c) => c.notNull())
      .addColumn('arm_id', id, (c) => c.notNull())
      .addColumn('reward', double, (c) => c.notNull())
      .addColumn('outcome', 'text')
      .addColumn('at', big, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('observation_learner').on('observation').columns(['learner', 'id']).execute();
    await db.schema
      .createTable('learning_session')
      .addColumn('session_id', id, (c) => c.primaryKey())
      .addColumn('learner', id, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('started_at', big, (c) => c.notNull())
      .addColumn('ended_at', big)
      .execute();
    await db.schema
      .createIndex('learning_session_open')
      .on('learning_session')
      .columns(['learner', 'ended_at'])
      .execute();
    await db.schema
      .createTable('learning_session_event')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('session_id', id, (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('arm_id', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('learning_session_event_session')
      .on('learning_session_event')
      .columns(['session_id', 'id'])
      .execute();
  },
};
