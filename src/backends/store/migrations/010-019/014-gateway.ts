import { type Kysely, sql } from 'kysely';
import type { Columns } from '../../columns.js';
import type { Migration } from '../../engine/migration.js';

/** Traces, rollups and targets of the emissions API; runs, posterior means and manual rewards of the learning API. */
export const gatewayTables: Migration = {
  name: '014-gateway',
  async up(db, columns) {
    const { big, id } = columns;
    await db.schema
      .createTable('intake_key')
      .addColumn('key', id, (c) => c.primaryKey())
      .addColumn('at', big, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('intake_key_at').on('intake_key').column('at').execute();
    await green(db, columns);
    await learning(db, columns);
    await db.schema
      .createTable('gateway_counter')
      .addColumn('name', id, (c) => c.primaryKey())
      .addColumn('value', big, (c) => c.notNull())
      .execute();
  },
};

async function green(db: Kysely<unknown>, { big, double, id, serial, serialKey }: Columns): Promise<void> {
  await db.schema
    .createTable('green_trace')
    .addColumn('id', serial, serialKey)
    .addColumn('traceId', id, (c) => c.notNull())
    .addColumn('runId', id, (c) => c.notNull())
    .addColumn('sessionId', id)
    .addColumn('timestamp', big, (c) => c.notNull())
    .addColumn('provider', id, (c) => c.notNull())
    .addColumn('model', id, (c) => c.notNull())
    .addColumn('inputTokens', big, (c) => c.notNull())
    .addColumn('outputTokens', big, (c) => c.notNull())
    .addColumn('cacheReadTokens', big, (c) => c.notNull())
    .addColumn('costUsd', double)
    .addColumn('inputCo2Grams', double, (c) => c.notNull())
    .addColumn('outputCo2Grams', double, (c) => c.notNull())
    .addColumn('cacheCo2Grams', double, (c) => c.notNull())
    .addColumn('totalCo2Grams', double, (c) => c.notNull())
    .addColumn('waterMl', double, (c) => c.notNull())
    .addColumn('confidence', double, (c) => c.notNull())
    .addColumn('gridCarbonUsed', double, (c) => c.notNull())
    .addColumn('calculationMethod', id, (c) => c.notNull())
    .addColumn('dataQualityScore', 'integer', (c) => c.notNull())
    .addColumn('region', id)
    .addColumn('regionGridCarbon', double)
    .addColumn('factorId', id, (c) => c.notNull())
    .addColumn('factorSource', id, (c) => c.notNull())
    .execute();
  // Holds all that a chart of hours reads.
  await db.schema
    .createIndex('green_trace_time')
    .on('green_trace')
    .columns(['timestamp', 'id', 'totalCo2Grams'])
    .execute();
  await db.schema
    .createIndex('green_trace_model')
    .on('green_trace')
    .columns(['provider', 'model', 'timestamp', 'id'])
    .execute();
  const sums = ['inputCo2Grams', 'outputCo2Grams', 'cacheCo2Grams', 'totalCo2Grams', 'waterMl'];
  let rollup = db.schema
    .createTable('green_rollup')
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('provider', id, (c) => c.notNull())
    .addColumn('model', id, (c) => c.notNull())
    .addColumn('factorId', id, (c) => c.notNull())
    .addColumn('calculationMethod', id, (c) => c.notNull());
  for (const name of ['traces', 'fallbackTraces', 'inputTokens', 'outputTokens', 'cacheReadTokens']) {
    rollup = rollup.addColumn(name, big, (c) => c.notNull());
  }
  for (const name of [...sums, 'confidenceSum', 'confidenceCo2']) {
    rollup = rollup.addColumn(name, double, (c) => c.notNull());
  }
  await rollup
    .addPrimaryKeyConstraint('green_rollup_pk', ['day', 'provider', 'model', 'factorId', 'calculationMethod'] as never)
    .execute();
  await db.schema
    .createTable('green_target')
    .addColumn('targetId', id, (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('baseYear', 'integer', (c) => c.notNull())
    .addColumn('baseYearEmissionsGrams', double, (c) => c.notNull())
    .addColumn('targetYear', 'integer', (c) => c.notNull())
    .addColumn('targetReductionPercent', double, (c) => c.notNull())
    .addColumn('pathway', 'text', (c) => c.notNull())
    .addColumn('createdAt', big, (c) => c.notNull())
    .execute();
}

async function learning(db: Kysely<unknown>, { big, double, id, serial, serialKey }: Columns): Promise<void> {
  const zero = sql`0`;
  await db.schema
    .createTable('gateway_run')
    .addColumn('id', serial, serialKey)
    .addColumn('runId', id, (c) => c.notNull().unique())
    .addColumn('traceId', id, (c) => c.notNull())
    .addColumn('sessionId', id, (c) => c.notNull())
    .addColumn('sessionKey', 'text')
    .addColumn('channel', 'text')
    .addColumn('timestamp', big, (c) => c.notNull())
    .addColumn('endTimestamp', big, (c) => c.notNull())
    .addColumn('provider', id)
    .addColumn('model', id)
    .addColumn('modelTimestamp', big)
    .addColumn('isBaseline', 'integer', (c) => c.notNull())
    .addColumn('arms', 'text')
    .addColumn('tools', 'text', (c) => c.notNull())
    .addColumn('hasUsage', 'integer', (c) => c.notNull().defaultTo(zero))
    .addColumn('inputTokens', big, (c) => c.notNull())
    .addColumn('outputTokens', big, (c) => c.notNull())
    .addColumn('cacheReadTokens', big, (c) => c.notNull())
    .addColumn('totalTokens', big, (c) => c.notNull())
    .addColumn('durationMs', double)
    .addColumn('systemPromptChars', big, (c) => c.notNull())
    .addColumn('aborted', 'integer', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('evaluation', double)
    .addColumn('taught', 'text', (c) => c.notNull())
    .addColumn('pending', 'integer', (c) => c.notNull())
    .addColumn('due', big, (c) => c.notNull())
    .addColumn('receivedAt', big, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('gateway_run_time')
    .on('gateway_run')
    .columns(['timestamp', 'id', 'totalTokens', 'hasUsage'])
    .execute();
  await db.schema.createIndex('gateway_run_pending').on('gateway_run').columns(['pending', 'due']).execute();
  await db.schema.createIndex('gateway_run_received').on('gateway_run').columns(['receivedAt']).execute();
  await db.schema
    .createTable('gateway_mean')
    .addColumn('hour', 'integer', (c) => c.notNull())
    .addColumn('armId', id, (c) => c.notNull())
    .addColumn('mean', double, (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_mean_pk', ['hour', 'armId'])
    .execute();
  await db.schema
    .createTable('gateway_reward')
    .addColumn('id', serial, serialKey)
    .addColumn('armId', id, (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('reward', double, (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('at', big, (c) => c.notNull())
    .execute();
}
