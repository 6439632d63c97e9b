import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { candidatePairs } from '../../src/ingest/entities/candidates.js';
import type { DomainEntity } from '../../src/ingest/entities/domain-entities.js';
import type { MatchSettings } from '../../src/ingest/entities/find-matches.js';
import { matchEntities } from '../../src/ingest/entities/match.js';
import { nameForms } from '../../src/ingest/entities/name-forms.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';

interface Side {
  readonly name: string;
  readonly type: string;
  readonly passages: readonly number[];
  readonly quotes: readonly string[];
}

export interface LabelledPair {
  readonly same: boolean;
  readonly kind: string;
  readonly split: 'development' | 'held-out';
  readonly a: Side;
  readonly b: Side;
}

export const PAIRS = readFileSync(join(import.meta.dirname, '../fixtures/musique/merge-pairs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LabelledPair);

/** The settings that are shipped; chosen on the development pairs. */
export const SETTINGS = (
  parse(readFileSync(join(import.meta.dirname, '../../config/default.yaml'), 'utf8')) as { entities: MatchSettings }
).entities;

/** Names a side: one concept for each name and type. */
const idOf = ({ name, type }: Side) => `labelled:${type} ${name}`;

function entityOf(side: Side): DomainEntity {
  const { name, type, passages, quotes } = side;
  return {
    id: idOf(side),
    name,
    forms: nameForms(name),
    type,
    aliases: new Set(),
    description: '',
    quotes,
    passages: new Set(passages.map(String)),
    degree: 0,
  };
}

const pairKey = (a: string, b: string) => [a, b].sort().join('\0');

/** Returns the pairs that blocking brings together among all names of the labelled set, as concepts of one domain. */
export async function blockedPairs(settings: MatchSettings): Promise<Set<string>> {
  const sides = new Map(PAIRS.flatMap(({ a, b }) => [a, b]).map((side) => [idOf(side), entityOf(side)]));
  const entities = [...sides.values()];
  const embedding = openBuiltin('static');
  const vectors = new MemoryVectors();
  await vectors.createIndex('concepts', { dimension: embedding.dimension });
  const embedded = await embedding.embed(entities.map(({ name }) => name));
  await vectors.upsert(
    'concepts',
    entities.map(({ id }, i) => ({ id, vector: [...embedded[i]!], metadata: {}, partition: 'labelled' })),
  );
  const ports = { vectors, indexName: 'concepts', embedding } as unknown as LoadPorts;
  const pairs = await candidatePairs(ports, { domain: 'labelled', entities, bounds: settings });
  return new Set(pairs.map(([a, b]) => pairKey(a.id, b.id)));
}

export interface Measured {
  readonly precision: number;
  readonly recall: number;
  /** Share of the pairs that mean one thing which blocking brings together. */
  readonly blocked: number;
  /** Pairs that are decided wrongly, with the reason. */
  readonly wrong: readonly string[];
}

/** Precision and recall of merging the pairs of a split: a pair that blocking does not bring together is not merged. */
export function measure(split: LabelledPair['split'], settings: MatchSettings, blocked: ReadonlySet<string>): Measured {
  const wrong: string[] = [];
  let [right, merged, same, together] = [0, 0, 0, 0];
  for (const pair of PAIRS.filter((one) => one.split === split)) {
    const compared = blocked.has(pairKey(idOf(pair.a), idOf(pair.b)));
    const match = compared ? matchEntities(entityOf(pair.a), entityOf(pair.b), settings) : null;
    const merges = match !== null && match.score >= settings.threshold;
    if (merges) merged += 1;
    if (pair.same) same += 1;
    if (pair.same && compared) together += 1;
    if (merges && pair.same) right += 1;
    if (merges !== pair.same) {
      const why = compared ? `${match?.method} ${match?.score}` : 'not compared';
      wrong.push(`${pair.same ? 'missed' : 'merged'} ${pair.kind}: ${pair.a.name} | ${pair.b.name} (${why})`);
    }
  }
  return { precision: merged === 0 ? 1 : right / merged, recall: right / same, blocked: together / same, wrong };
}
