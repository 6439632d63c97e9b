import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Columns } from '../../columns.js';
import type { Migration } from '../../engine/migration.js';

export const graphTables: Migration = {
  name: '001-graph',
  async up(db, columns) {
    await nodes(db, columns);
    await keys(db, columns);
    await edges(db, columns);
    await rules(db, columns);
    await history(db, columns);
  },
};

async function nodes(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('domain')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('name', columns.id, (c) => c.notNull().unique())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('concepts', columns.big, (c) => c.notNull())
    .addColumn('edges', columns.big, (c) => c.notNull())
    .addColumn('rules', columns.big, (c) => c.notNull())
    .addColumn('passages', columns.big, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('source')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('id', columns.id, (c) => c.notNull().unique())
    .addColumn('domain', columns.big, (c) => c.notNull())
    .addColumn('kind', columns.id, (c) => c.notNull())
    .addColumn('key', columns.id, (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('content_hash', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('source_by_key').on('source').columns(['domain', 'kind', 'key']).execute();
  await db.schema
    .createTable('node')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('id', columns.id, (c) => c.notNull().unique())
    .addColumn('domain', columns.big, (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('own', 'integer', (c) => c.notNull())
    .addColumn('hash', columns.big, (c) => c.notNull())
    .addColumn('key', columns.id, (c) => c.notNull())
    .addColumn('norm', columns.id, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('confidence', columns.double, (c) => c.notNull())
    .addColumn('shown', columns.big, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('node_by_key').on('node').columns(['key', 'domain']).execute();
  await packed(db, columns, 'concept')
    .addColumn('node', columns.big, (c) => c.notNull())
    .addColumn('source', columns.big, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('properties', 'text', (c) => c.notNull())
    .addColumn('confidence', columns.double, (c) => c.notNull())
    .addColumn('version', columns.big, (c) => c.notNull())
    .addPrimaryKeyConstraint('concept_pk', ['node', 'source'])
    .execute();
  await db.schema.createIndex('concept_by_source').on('concept').columns(['source']).execute();
  await db.schema
    .createTable('passage')
    .addColumn('node', columns.big, (c) => c.primaryKey())
    .addColumn('source', columns.big, (c) => c.notNull())
    .addColumn('ord', columns.big, (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('sentences', 'text', (c) => c.notNull())
    .addColumn('about', 'text', (c) => c.notNull())
    .addColumn('message', 'text')
    .addColumn('mentions', columns.blob, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('passage_by_source').on('passage').columns(['source', 'ord']).execute();
}

async function keys(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('key')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('domain', columns.big, (c) => c.notNull())
    .addColumn('key', columns.id, (c) => c.notNull())
    .addColumn('titles', columns.big, (c) => c.notNull())
    .addColumn('aliases', columns.big, (c) => c.notNull())
    .addColumn('mentions', columns.big, (c) => c.notNull())
    .addColumn('node', columns.big, (c) => c.notNull())
    .addUniqueConstraint('key_by_name', ['key', 'domain'])
    .execute();
  await packed(db, columns, 'about')
    .addColumn('key', columns.big, (c) => c.notNull())
    .addColumn('node', columns.big, (c) => c.notNull())
    .addColumn('alias', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('about_pk', ['key', 'node'])
    .execute();
  await packed(db, columns, 'mention')
    .addColumn('key', columns.big, (c) => c.notNull())
    .addColumn('passage', columns.big, (c) => c.notNull())
    .addColumn('tf', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('mention_pk', ['key', 'passage'])
    .execute();
}

async function edges(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('edge')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('source', columns.big, (c) => c.notNull())
    .addColumn('src_end', 'text', (c) => c.notNull())
    .addColumn('dst_end', 'text', (c) => c.notNull())
    .addColumn('src_hash', columns.big, (c) => c.notNull())
    .addColumn('dst_hash', columns.big, (c) => c.notNull())
    .addColumn('relation', columns.id, (c) => c.notNull())
    .addColumn('confidence', columns.double, (c) => c.notNull())
    .addColumn('properties', 'text', (c) => c.notNull())
    .addColumn('version', columns.big, (c) => c.notNull())
    .addColumn('src', columns.big, (c) => c.notNull())
    .addColumn('dst', columns.big, (c) => c.notNull())
    .addColumn('shown', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('edge_by_source').on('edge').columns(['source']).execute();
  await db.schema.createIndex('edge_by_ends').on('edge').columns(['src', 'dst']).execute();
  await db.schema.createIndex('edge_by_src_hash').on('edge').columns(['src_hash']).execute();
  await db.schema.createIndex('edge_by_dst_hash').on('edge').columns(['dst_hash']).execute();
}

async function rules(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('rule')
    .addColumn('ref', columns.serial, columns.serialKey)
    .addColumn('source', columns.big, (c) => c.notNull())
    .addColumn('domain', columns.big, (c) => c.notNull())
    .addColumn('id', columns.id, (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('category', columns.id, (c) => c.notNull())
    .addColumn('confidence', columns.double, (c) => c.notNull())
    .addColumn('concepts', 'text')
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('version', columns.big, (c) => c.notNull())
    .addColumn('shown', 'integer', (c) => c.notNull())
    .addUniqueConstraint('rule_by_source', ['source', 'id'])
    .execute();
  await db.schema.createIndex('rule_by_id').on('rule').columns(['id', 'domain']).execute();
  await db.schema.createIndex('rule_by_domain').on('rule').columns(['domain', 'id']).execute();
  await packed(db, columns, 'rule_mark')
    .addColumn('hash', columns.big, (c) => c.notNull())
    .addColumn('rule', columns.big, (c) => c.notNull())
    .addPrimaryKeyConstraint('rule_mark_pk', ['hash', 'rule'])
    .execute();
  await db.schema.createIndex('rule_mark_by_rule').on('rule_mark').columns(['rule']).execute();
  await packed(db, columns, 'rule_concept')
    .addColumn('rule', columns.big, (c) => c.notNull())
    .addColumn('node', columns.big, (c) => c.notNull())
    .addPrimaryKeyConstraint('rule_concept_pk', ['rule', 'node'])
    .execute();
  await db.schema.createIndex('rule_concept_by_node').on('rule_concept').columns(['node']).execute();
}

async function history(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable('graph_meta')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('version', columns.big, (c) => c.notNull())
    .execute();
  await sql`insert into graph_meta (id, version) values (1, 0)`.execute(db);
  await db.schema
    .createTable('graph_change')
    .addColumn('version', columns.big, (c) => c.primaryKey())
    .addColumn('body', columns.blob, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('graph_checkpoint')
    .addColumn('id', columns.id, (c) => c.primaryKey())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('version', columns.big, (c) => c.notNull())
    .addColumn('nodes', columns.big, (c) => c.notNull())
    .addColumn('edges', columns.big, (c) => c.notNull())
    .addColumn('complete', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('graph_checkpoint_part')
    .addColumn('checkpoint', columns.id, (c) => c.notNull())
    .addColumn('part', columns.big, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('body', columns.blob, (c) => c.notNull())
    .addPrimaryKeyConstraint('graph_checkpoint_part_pk', ['checkpoint', 'part'])
    .execute();
}

/** Marks a table as one that is its primary key: on SQLite without a second copy of it. */
function packed(db: Kysely<unknown>, columns: Columns, name: string): CreateTableBuilder<string, never> {
  const table = db.schema.createTable(name);
  return columns.dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table;
}
