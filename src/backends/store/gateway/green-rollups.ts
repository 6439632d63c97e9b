import { type Kysely, type Selectable, sql } from 'kysely';
import type { GatewayTables } from '../schema/gateway.js';
import type { Database } from '../schema.js';
import { chunks, sumOf } from '../sql.js';

export type RollupRow = Selectable<GatewayTables['green_rollup']>;

/** Sums of traces that share provider, model, factor and method. */
export type GreenSums = Omit<RollupRow, 'day'>;

const KEY = ['day', 'provider', 'model', 'factorId', 'calculationMethod'] as const;
const SUMS = [
  'traces',
  'fallbackTraces',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'inputCo2Grams',
  'outputCo2Grams',
  'cacheCo2Grams',
  'totalCo2Grams',
  'waterMl',
  'confidenceSum',
  'confidenceCo2',
] as const;
const GROUP = ['provider', 'model', 'factorId', 'calculationMethod'] as const;

/** Adds to the sums of days, inside the database. */
export async function addRollups(db: Kysely<Database>, rows: readonly RollupRow[]): Promise<void> {
  for (const part of chunks(rows, 200)) {
    await db
      .insertInto('green_rollup')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns([...KEY])
          .doUpdateSet(
            Object.fromEntries(
              SUMS.map((name) => [name, sql`${sql.ref(`green_rollup.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
            ),
          ),
      )
      .execute();
  }
}

/** Counts a day again from its traces. */
export async function rebuildRollups(db: Kysely<Database>, day: number): Promise<void> {
  await db.deleteFrom('green_rollup').where('day', '=', day).execute();
  const sums = await sumTraces(db, { since: day * 86_400_000, until: (day + 1) * 86_400_000 });
  await addRollups(
    db,
    sums.map((row) => ({ day, ...row })),
  );
}

/** Returns the sums over whole days `from` to `to` (excluded), from the rollups. */
export async function sumDays(db: Kysely<Database>, from: number, to: number): Promise<GreenSums[]> {
  const rows = await db
    .selectFrom('green_rollup')
    .select([...GROUP])
    .select(SUMS.map((name) => sumOf(name).as(name)))
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy([...GROUP])
    .orderBy('provider')
    .orderBy('model')
    .orderBy('factorId')
    .orderBy('calculationMethod')
    .execute();
  return rows.map(numbers);
}

/** Returns the same sums counted from the traces of any span of time. */
export async function sumTraces(
  db: Kysely<Database>,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<GreenSums[]> {
  const rows = await db
    .selectFrom('green_trace')
    .select([...GROUP])
    .select([
      sql<number>`count(*)`.as('traces'),
      sql<number>`sum(case when "factorSource" = 'fallback' then 1 else 0 end)`.as('fallbackTraces'),
      sql<number>`sum("confidence")`.as('confidenceSum'),
      sql<number>`sum("confidence" * "totalCo2Grams")`.as('confidenceCo2'),
      ...SUMS.slice(2, 10).map((name) => sumOf(name).as(name)),
    ])
    .where('timestamp', '>=', since)
    .where('timestamp', '<', until)
    .groupBy([...GROUP])
    .execute();
  return rows.map((row) => numbers(row as unknown as GreenSums));
}

/** Returns grams and traces by day, from the rollups. */
export async function dayTotals(
  db: Kysely<Database>,
  from: number,
  to: number,
): Promise<
  Array<{ day: number; co2Grams: number; waterMl: number; traceCount: number; tokens: number; confidenceCo2: number }>
> {
  const rows = await db
    .selectFrom('green_rollup')
    .select([
      'day',
      sql<number>`sum("totalCo2Grams")`.as('co2Grams'),
      sql<number>`sum("waterMl")`.as('waterMl'),
      sql<number>`sum("traces")`.as('traceCount'),
      sumOf('inputTokens', 'outputTokens', 'cacheReadTokens').as('tokens'),
      sql<number>`sum("confidenceCo2")`.as('confidenceCo2'),
    ])
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy('day')
    .orderBy('day')
    .execute();
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as never,
  );
}

/** Returns the days that have traces. */
export async function rollupDays(db: Kysely<Database>): Promise<number[]> {
  const rows = await db.selectFrom('green_rollup').select('day').distinct().orderBy('day').execute();
  return rows.map(({ day }) => day);
}

export interface ModelTotals {
  readonly provider: string;
  readonly model: string;
  readonly co2Grams: number;
  readonly waterMl: number;
  readonly tokens: number;
}

/** Returns sums by provider and model, those first whose calls came from the earliest days. */
export async function modelTotals(db: Kysely<Database>): Promise<ModelTotals[]> {
  const rows = await db
    .selectFrom('green_rollup')
    .select([
      'provider',
      'model',
      sql<number>`sum("totalCo2Grams")`.as('co2Grams'),
      sql<number>`sum("waterMl")`.as('waterMl'),
      sumOf('inputTokens', 'outputTokens', 'cacheReadTokens').as('tokens'),
    ])
    .groupBy(['provider', 'model'])
    .orderBy(sql`min("day")`)
    .orderBy('provider')
    .orderBy('model')
    .execute();
  return rows.map(({ co2Grams, waterMl, tokens, ...names }) => ({
    ...names,
    co2Grams: Number(co2Grams),
    waterMl: Number(waterMl),
    tokens: Number(tokens),
  }));
}

/** Converts sums of integers, which PostgreSQL returns as text, to numbers. */
function numbers(row: GreenSums): GreenSums {
  const copy: Record<string, string | number> = { ...row };
  for (const name of SUMS) copy[name] = Number(copy[name]);
  return copy as unknown as GreenSums;
}
