import type { Migration } from './migration.js';

/** Answers of language models by request. */
export const modelAnswers: Migration = {
  name: '015-model-answers',
  async up(db, columns) {
    await db.schema
      .createTable('model_answer')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('model', columns.id, (c) => c.notNull())
      .addColumn('key', columns.id, (c) => c.notNull())
      .addColumn('answer', 'text', (c) => c.notNull())
      .addUniqueConstraint('model_answer_key', ['model', 'key'])
      .execute();
  },
};
