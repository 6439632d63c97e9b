import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf } from '../sql.js';

export type DomainRankerRow = Selectable<Database['domain_ranker']>;

/** Notes that items of these domains were rated, so that their weights are fitted anew. */
export async function markRated(db: Kysely<Database>, domains: readonly string[], version: number): Promise<void> {
  const rows = [...new Set(domains)].sort().map((domain) => ({ domain, rated: version, fitted: 0, questions: 0 }));
  await db
    .insertInto('domain_ranker')
    .values(rows)
    .onConflict((conflict) => conflict.column('domain').doUpdateSet({ rated: sql`excluded.rated` }))
    .execute();
}

/** Takes the weights of these domains away until they are fitted to the feedback that is left. */
export async function dropWeights(db: Kysely<Database>, domains: readonly string[], version: number): Promise<void> {
  await db
    .updateTable('domain_ranker')
    .set({ rated: version, weights: null, questions: 0 })
    .where(anyOf(db, 'domain', domains))
    .execute();
}

/** Deletes what one domain learned, or all. */
export async function deleteDomainRankers(db: Kysely<Database>, domain?: string): Promise<void> {
  await db
    .deleteFrom('domain_ranker')
    .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
    .execute();
}

/** Deletes a domain's row unless it was rated again since. */
export async function deleteUnrated(
  db: Kysely<Database>,
  { domain, rated }: Pick<DomainRankerRow, 'domain' | 'rated'>,
): Promise<void> {
  await db.deleteFrom('domain_ranker').where('domain', '=', domain).where('rated', '=', rated).execute();
}

/** Returns domains that were rated since their last fit, or whose fit began from other weights, at most `limit`. */
export async function unfittedDomains(
  db: Kysely<Database>,
  basis: string,
  limit: number,
): Promise<Array<Pick<DomainRankerRow, 'domain' | 'rated'>>> {
  return db
    .selectFrom('domain_ranker')
    .select(['domain', 'rated'])
    .where((eb) => eb.or([eb('rated', '>', eb.ref('fitted')), eb('basis', '<>', basis)]))
    .orderBy('rated')
    .orderBy('domain')
    .limit(limit)
    .execute();
}

export interface Rating {
  readonly query_id: string;
  /** Key of the question: equal questions share it. */
  readonly question: string;
  readonly item_id: string;
  readonly outcome: string;
}

/** Returns the newest ratings of items of a domain, at most `limit`. */
export async function newestRatings(db: Kysely<Database>, domain: string, limit: number): Promise<Rating[]> {
  return db
    .selectFrom('feedback')
    .select(['query_id', 'question', 'item_id', 'outcome'])
    .where('domain', '=', domain)
    .orderBy('at', 'desc')
    .orderBy('query_id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns answers of the log with what their items were ranked by; answers of another model are left out. */
export async function rankedAnswers(
  db: Kysely<Database>,
  queryIds: readonly string[],
  model: string | null,
): Promise<Array<{ query_id: string; items: string; features: Uint8Array }>> {
  const rows = await db
    .selectFrom('query_log')
    .select(['query_id', 'items', 'features'])
    .where(anyOf(db, 'query_id', queryIds))
    .where('model', model === null ? 'is' : '=', model)
    .execute();
  return rows.flatMap(({ features, ...row }) => (features === null ? [] : [{ ...row, features }]));
}

/** Writes the result of a fit; the domain may have been rated again meanwhile. */
export async function putFit(
  db: Kysely<Database>,
  { domain, ...fit }: Pick<DomainRankerRow, 'domain' | 'fitted' | 'basis' | 'weights' | 'questions' | 'fitted_at'>,
): Promise<void> {
  await db.updateTable('domain_ranker').set(fit).where('domain', '=', domain).execute();
}

/** Returns the fits that began from these weights and found enough feedback. */
export async function domainFits(db: Kysely<Database>, basis: string): Promise<DomainRankerRow[]> {
  return db
    .selectFrom('domain_ranker')
    .selectAll()
    .where('basis', '=', basis)
    .where('weights', 'is not', null)
    .orderBy('domain')
    .execute();
}
