import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import type { Row } from '../../../neo4j-connection.js';
import type { KeyInfo } from '../../port.js';
import type { Reader } from './reader.js';

/** What a write reads in batches: its transaction, or what stages it. */
export interface Reads {
  each<T extends Row = Row>(cypher: string, rows: Iterable<unknown>, params?: Row): Promise<T[]>;
}

/** Nodes that are about a key now, as a pattern on `k`. */
export const ABOUT = '(x:Node)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0)';

/** The same where few enough nodes are about the key for its mentions to make links. */
export const LINKING = `k.targets > 0 AND k.targets <= ${MAX_ABOUT} AND a.alias = (k.titles = 0)`;

const ACTIVE = `UNWIND $rows AS key OPTIONAL MATCH (k:Key {domain: $domain, key: key})
  WITH key, k WHERE coalesce(k.targets, 0) > 0 OR EXISTS { MATCH (:Concept {domain: $domain, key: key}) }
  RETURN key AS row`;

/** Which of these keys something is about, as a write sees it. */
export async function activeAmong(reads: Reads, domain: string, keys: Iterable<string>): Promise<Set<string>> {
  const rows = await reads.each<{ row: string }>(ACTIVE, new Set(keys), { domain });
  return new Set(rows.map(({ row }) => row));
}

/** The same as readers see it. */
export async function activeKeys(reader: Reader, domain: string, keys: Iterable<string>): Promise<Set<string>> {
  return new Set(await reader.each<string>(ACTIVE, new Set(keys), { domain }));
}

/** Passages that mention one of these keys, ordered by id. */
export async function mentioning(reader: Reader, domain: string, keys: Iterable<string>): Promise<string[]> {
  const ids = await reader.each<string>(
    'UNWIND $rows AS key MATCH (:Key {domain: $domain, key: key})<-[:MENTIONS]-(p) RETURN DISTINCT p.id AS row',
    new Set(keys),
    { domain },
  );
  return [...new Set(ids)].sort(compare);
}

interface KeyRow {
  readonly domain: string;
  readonly key: string;
  readonly titles: number;
  readonly aliases: number;
  readonly kdf: number;
  readonly about: readonly string[];
  readonly [column: string]: unknown;
}

/**
 * States of keys in these domains (all for null), as one statement over `$p` = {keys, domains}. Keys that only concepts
 * carry have no node of their own.
 */
const LOOKUP = `UNWIND $p.keys AS key
  CALL (key) {
    MATCH (d:Domain) WHERE $p.domains IS NULL OR d.name IN $p.domains
    OPTIONAL MATCH (k:Key {domain: d.name, key: key})
    CALL (d, k, key) {
      WITH k, d, key WHERE k IS NOT NULL
      RETURN k.titles AS titles, k.aliases AS aliases, k.kdf AS kdf, [${ABOUT} | x.id] AS about
      UNION
      WITH k, d, key WHERE k IS NULL
      MATCH (c:Concept {domain: d.name, key: key})
      WITH collect(c.id) AS about WHERE size(about) > 0
      RETURN size(about) AS titles, 0 AS aliases, 0 AS kdf, about
    }
    RETURN d.name AS domain, titles, aliases, kdf, about
  }
  RETURN {domain: domain, key: key, titles: titles, aliases: aliases, kdf: kdf, about: about} AS row`;

/** States of keys; see the port. */
export async function lookUp(
  reader: Reader,
  domains: readonly string[] | undefined,
  keys: readonly string[],
): Promise<KeyInfo[]> {
  if (keys.length === 0) return [];
  const asked = domains === undefined || domains.length === 0 ? null : domains;
  const rows = await reader.ask<KeyRow>(LOOKUP, { keys: [...new Set(keys)], domains: asked });
  return rows.map(keyInfo).sort((a, b) => compare(a.key, b.key) || compare(a.domain, b.domain));
}

function keyInfo({ domain, key, titles, aliases, kdf, about }: KeyRow): KeyInfo {
  return { domain, key, titles, aliases, kdf, about: [...about].sort(compare).slice(0, MAX_ABOUT) };
}
