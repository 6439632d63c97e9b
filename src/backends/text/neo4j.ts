import { makeSchema } from '../neo4j-connection/make-schema.js';
import type { Neo4jConnection } from '../neo4j-connection.js';
import { int } from '../neo4j-connection.js';
import {
  contribution,
  englishStems,
  lengthNorm,
  queryTerms,
  type Statistics,
  summingOrder,
  weigh,
  weightOf,
} from './bm25.js';
import { Neo4jTextFollower } from './neo4j/follower.js';
import { allOfStems, anyOfStems } from './neo4j/lucene.js';
import { replaceDocuments, storedOf } from './neo4j/write.js';
import type { TextDoc, TextHit, TextIndex, TextResult } from './port.js';

const INDEX = 'svc_text';
const SCHEMA = [
  'CREATE CONSTRAINT svc_text_document IF NOT EXISTS FOR (d:TextDocument) REQUIRE d.id IS UNIQUE',
  'CREATE CONSTRAINT svc_text_domain IF NOT EXISTS FOR (t:TextDomain) REQUIRE t.name IS UNIQUE',
  'CREATE CONSTRAINT svc_text_meta IF NOT EXISTS FOR (m:TextMeta) REQUIRE m.id IS UNIQUE',
  'CREATE INDEX svc_text_by_domain IF NOT EXISTS FOR (d:TextDocument) ON (d.domain)',
  'CREATE INDEX svc_text_by_ref IF NOT EXISTS FOR (d:TextDocument) ON (d.ref)',
  `CREATE FULLTEXT INDEX ${INDEX} IF NOT EXISTS FOR (d:TextDocument) ON EACH [d.domain_token, d.stems]
   OPTIONS {indexConfig: {\`fulltext.analyzer\`: 'whitespace', \`fulltext.eventually_consistent\`: false}}`,
];
const DOCS = 500;
const LISTS = 500;
/** Number of documents that are scored, in Lucene's order: this, or four times those requested. */
const CANDIDATES = 200;
/** A stem in more documents than this counts as if it were in this many: its idf hardly differs, and counting costs. */
const COUNTED = 20_000;
/** A query rather answers without the text index than wait longer for a server that is lost, ms. */
const RETRY_MS = 3000;

interface SearchRow {
  readonly documents: number;
  readonly length: number;
  readonly dfs: ReadonlyArray<readonly [number, number]>;
  readonly found: ReadonlyArray<readonly [id: string, stems: string, length: number]>;
}

export interface Neo4jTextOptions {
  /** Language of stems and stop words; default `english`. */
  readonly language?: string;
}

/**
 * Text match by Neo4j's full-text index (Lucene). Our own stems are indexed, so a word matches here as it does elsewhere.
 * Lucene finds the candidates within the requested domains; its statistics are those of the whole index, so the
 * candidates are scored again by BM25 with the statistics of these domains. Scores equal the other implementations';
 * only where more than 200 documents match can a document that Lucene ranks lower be missing.
 */
export class Neo4jTextIndex implements TextIndex {
  readonly kind = 'neo4j';
  readonly joinsStore = false;
  readonly follower: Neo4jTextFollower;
  private readonly language: string;
  private connected = false;

  constructor(
    private readonly connection: Neo4jConnection,
    options: Neo4jTextOptions = {},
  ) {
    this.language = options.language ?? 'auto';
    this.follower = new Neo4jTextFollower(connection, { language: this.language, ready: () => this.ready() });
  }

  async connect(): Promise<void> {
    if (this.connected) return;
    await this.connection.connect();
    try {
      await makeSchema(this.connection, SCHEMA);
    } catch (error) {
      await this.connection.disconnect();
      throw error;
    }
    this.connected = true;
  }

  async disconnect(): Promise<void> {
    if (!this.connected) return;
    this.connected = false;
    await this.connection.disconnect();
  }

  /** Connects where that was not possible so far; quick where the server does not answer. */
  private async ready(): Promise<void> {
    if (this.connected) return;
    await this.connection.health();
    await this.connect();
  }

  health(): Promise<void> {
    return this.connection.health();
  }

  async upsert(docs: readonly TextDoc[]): Promise<void> {
    const last = [...new Map(docs.map((doc) => [doc.id, doc])).values()];
    for (let start = 0; start < last.length; start += DOCS) {
      const stored = await Promise.all(last.slice(start, start + DOCS).map((doc) => storedOf(doc, this.language)));
      const ids = stored.map((doc) => doc.id);
      await this.connection.write((tx) => replaceDocuments(tx, ids, stored));
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    const distinct = [...new Set(ids)];
    for (let start = 0; start < distinct.length; start += DOCS) {
      const part = distinct.slice(start, start + DOCS);
      await this.connection.write((tx) => replaceDocuments(tx, part, []));
    }
  }

  async search(
    query: string,
    options: { readonly topK: number; readonly domains?: readonly string[] },
  ): Promise<TextResult> {
    const { topK, domains } = options;
    const { hits, ...rest } = await this.scored(query, { domains, limit: Math.max(CANDIDATES, topK * 4) });
    return { hits: hits.slice(0, topK), ...rest };
  }

  async score(query: string, ids: readonly string[], domains?: readonly string[]): Promise<Map<string, number>> {
    const { hits } = await this.scored(query, { domains, ids });
    const scores = new Map(ids.map((id) => [id, 0]));
    for (const { id, score } of hits) scores.set(id, score);
    return scores;
  }

  async containing(domain: string, stems: readonly string[]): Promise<string[]> {
    return (await this.containingEach(domain, [stems]))[0] ?? [];
  }

  async containingEach(domain: string, lists: readonly (readonly string[])[]): Promise<string[][]> {
    const found = await this.ofEach<string[]>(domain, lists, `YIELD node RETURN collect(node.id) AS found`);
    return lists.map((_, i) => found.get(i)?.sort() ?? []);
  }

  async countContaining(
    domain: string,
    lists: readonly (readonly string[])[],
    { most }: { readonly most: number },
  ): Promise<number[]> {
    const options = `{limit: ${Math.trunc(most) + 1}}`;
    const found = await this.ofEach<number>(domain, lists, 'YIELD node RETURN count(node) AS found', options);
    return lists.map((_, i) => found.get(i) ?? 0);
  }

  async known(stems: readonly string[], domains?: readonly string[]): Promise<ReadonlySet<string>> {
    if (domains?.length === 0) return new Set();
    const terms = [...new Set(stems)];
    const known = new Set<string>();
    for (let start = 0; start < terms.length; start += LISTS) {
      const queries = terms.slice(start, start + LISTS).map((stem) => ({ stem, query: anyOfStems([stem], domains) }));
      const rows = await this.connection.read<{ stem: string }>(
        `UNWIND $queries AS requested
         CALL { WITH requested CALL db.index.fulltext.queryNodes($index, requested.query, {limit: 1}) YIELD node
                RETURN count(node) AS found }
         WITH requested, found WHERE found > 0 RETURN requested.stem AS stem`,
        { queries, index: INDEX },
        { retryTime: RETRY_MS },
      );
      for (const { stem } of rows) known.add(stem);
    }
    return known;
  }

  async list({ after = '', limit }: { readonly after?: string; readonly limit: number }): Promise<string[]> {
    const rows = await this.connection.read<{ id: string }>(
      'MATCH (d:TextDocument) WHERE d.id > $after RETURN d.id AS id ORDER BY d.id LIMIT $limit',
      { after, limit: int(limit) },
    );
    return rows.map((row) => row.id);
  }

  async count(domain?: string): Promise<number> {
    const [row] = await this.connection.read<{ documents: number }>(
      'MATCH (t:TextDomain) WHERE $domain IS NULL OR t.name = $domain RETURN sum(t.documents) AS documents',
      { domain: domain ?? null },
    );
    return row?.documents ?? 0;
  }

  /** Runs a search per list of stems for documents of the domain that hold all of them; what it found by place in `lists`. */
  private async ofEach<T>(
    domain: string,
    lists: readonly (readonly string[])[],
    taken: string,
    options = '{}',
  ): Promise<Map<number, T>> {
    const found = new Map<number, T>();
    const requested = lists.flatMap((stems, i) =>
      stems.length === 0 ? [] : [[i, allOfStems(stems, domain)] as const],
    );
    for (let start = 0; start < requested.length; start += LISTS) {
      const queries = requested.slice(start, start + LISTS).map(([i, query]) => ({ i: int(i), query }));
      const rows = await this.connection.read<{ i: number; found: T }>(
        `UNWIND $queries AS requested
         CALL { WITH requested CALL db.index.fulltext.queryNodes($index, requested.query, ${options}) ${taken} }
         RETURN requested.i AS i, found`,
        { queries, index: INDEX },
        { retryTime: RETRY_MS },
      );
      for (const row of rows) found.set(row.i, row.found);
    }
    return found;
  }

  /** Returns documents with a match, by BM25: the best candidates, or those of `ids`. One round trip. */
  private async scored(
    query: string,
    scope: {
      readonly domains: readonly string[] | undefined;
      readonly limit?: number;
      readonly ids?: readonly string[];
    },
  ): Promise<TextResult> {
    const stems = queryTerms(query, this.language);
    const english = englishStems(query, this.language);
    // A text too short to tell its language is indexed by English stems alone.
    const forms = stems.map((stem) => (english.has(stem) ? [stem, english.get(stem)!] : [stem]));
    const { documents, length, dfs, found } = await this.find(forms, scope);
    const counts = new Array<number>(stems.length).fill(0);
    for (const [i, df] of dfs) counts[i] = df;
    const { terms, attainable } = weigh(stems, counts, documents);
    const order = summingOrder(stems);
    const scoreOf = scorer({ documents, length });
    const hits: TextHit[] = [];
    for (const [id, text, tokens] of found) {
      const tfs = frequencies(text);
      const tfOf = (i: number): number => tfs.get(forms[i]!.find((stem) => tfs.has(stem)) ?? '') ?? 0;
      const parts = order.map((i) => [weightOf(terms[i]!), tfOf(i)] as const);
      const score = scoreOf(parts, tokens);
      if (score > 0) hits.push({ id, score });
    }
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return { hits, terms, attainable, documents };
  }

  /** `forms`: the stems that each term of the query is indexed by. */
  private async find(
    forms: ReadonlyArray<readonly string[]>,
    { domains, limit, ids }: { domains: readonly string[] | undefined; limit?: number; ids?: readonly string[] },
  ): Promise<SearchRow> {
    if (domains?.length === 0) return { documents: 0, length: 0, dfs: [], found: [] };
    const candidates =
      forms.length === 0
        ? 'RETURN [] AS found'
        : ids === undefined
          ? `CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node
             RETURN collect([node.id, node.stems, node.length]) AS found`
          : `MATCH (node:TextDocument) WHERE node.id IN $ids AND ($domains IS NULL OR node.domain IN $domains)
             RETURN collect([node.id, node.stems, node.length]) AS found`;
    const [row] = await this.connection.read<SearchRow & { readonly [name: string]: unknown }>(
      `CALL { MATCH (t:TextDomain) WHERE $domains IS NULL OR t.name IN $domains
              RETURN sum(t.documents) AS documents, sum(t.length) AS length }
       CALL { UNWIND $terms AS term
              CALL { WITH term CALL db.index.fulltext.queryNodes($index, term.query, {limit: $counted}) YIELD node
                     RETURN count(node) AS df }
              RETURN collect([term.i, df]) AS dfs }
       CALL { ${candidates} }
       RETURN documents, length, dfs, found`,
      {
        index: INDEX,
        domains: domains ?? null,
        ids: ids ?? null,
        terms: forms.map((stems, i) => ({ i: int(i), query: anyOfStems(stems, domains) })),
        query: forms.length === 0 ? '' : anyOfStems(forms.flat(), domains),
        counted: int(COUNTED),
        limit: int(limit ?? 0),
      },
      { retryTime: RETRY_MS },
    );
    return row ?? { documents: 0, length: 0, dfs: [], found: [] };
  }
}

function scorer(statistics: Statistics) {
  const { base, slope } = lengthNorm(statistics);
  return (parts: ReadonlyArray<readonly [weight: number, tf: number]>, tokens: number): number => {
    let score = 0;
    for (const [weight, tf] of parts) if (tf > 0) score += contribution(weight, tf, base + slope * tokens);
    return score;
  };
}

function frequencies(stems: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (stems !== '') for (const stem of stems.split(' ')) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
