import type { Kysely } from 'kysely';
import type { Columns } from '../../columns.js';
import type { Migration } from '../../engine/migration.js';

/** Answers of language models by what they were asked; concepts that were found to be one thing. */
export const modelTables: Migration = {
  name: '015-models',
  async up(db, columns) {
    await answers(db, columns);
    await merges(db, columns);
  },
};

async function answers(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('model_answer')
    .addColumn('id', columns.serial, columns.serialKey)
    .addColumn('model', columns.id, (c) => c.notNull())
    .addColumn('key', columns.id, (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addUniqueConstraint('model_answer_key', ['model', 'key'])
    .execute();
}

/** Makes the log of merges, and what is not visible because of them. */
async function merges(db: Kysely<unknown>, { big, double, id, serial, serialKey }: Columns): Promise<void> {
  await db.schema
    .createTable('entity_merge')
    .addColumn('ref', serial, serialKey)
    .addColumn('id', id, (c) => c.notNull().unique())
    .addColumn('domain', big, (c) => c.notNull())
    .addColumn('from_id', id, (c) => c.notNull())
    .addColumn('into_id', id, (c) => c.notNull())
    .addColumn('from_name', 'text', (c) => c.notNull())
    .addColumn('into_name', 'text', (c) => c.notNull())
    .addColumn('method', id, (c) => c.notNull())
    .addColumn('score', double, (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('undone_at', 'text')
    .execute();
  await db.schema.createIndex('entity_merge_from').on('entity_merge').columns(['from_id']).execute();
  await db.schema.createIndex('entity_merge_into').on('entity_merge').columns(['into_id']).execute();
  await db.schema.createIndex('entity_merge_domain').on('entity_merge').columns(['domain', 'ref']).execute();
  await db.schema
    .createTable('merged_node')
    .addColumn('id', id, (c) => c.primaryKey())
    .addColumn('domain', big, (c) => c.notNull())
    .addColumn('norm', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('target', big, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('merged_node_key').on('merged_node').columns(['domain', 'key']).execute();
  await db.schema
    .createTable('merged_concept')
    .addColumn('id', id, (c) => c.notNull())
    .addColumn('source', big, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('properties', 'text', (c) => c.notNull())
    .addColumn('confidence', double, (c) => c.notNull())
    .addColumn('version', big, (c) => c.notNull())
    .addPrimaryKeyConstraint('merged_concept_pk', ['id', 'source'])
    .execute();
  await db.schema.createIndex('merged_concept_source').on('merged_concept').columns(['source']).execute();
}
