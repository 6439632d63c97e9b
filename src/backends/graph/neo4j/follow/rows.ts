import type { Integer } from 'neo4j-driver';
import type { Json, JsonObject } from '../../../../core/model.js';
import { fingerprintOf } from '../../../../ledger/fingerprint.js';
import type { EdgeRecord, KeyRecord, NodeRecord, RecordSource, RuleRecord } from '../../../../ledger/records.js';
import { int } from '../../../neo4j-connection.js';

/** A record as the server stores it: property → value. */
export type Properties = Record<string, unknown>;

/** How records are written. */
export interface Writing {
  /** False while what they point at may be missing, so that a resync looks at them again. */
  readonly whole: boolean;
  /** Takes the keys whose counts are to be made again. */
  readonly touched: Set<number>;
  /** What the engine had before. */
  readonly last: LastNumbers;
}

/** The largest numbers that the engine has: what has a larger one is new to it, and so is all that hangs on it. */
export interface LastNumbers {
  readonly node: number;
  readonly key: number;
}

/** Nothing counts as new: whatever is written is merged with what may be there. */
export const NOTHING_NEW: LastNumbers = { node: Number.POSITIVE_INFINITY, key: Number.POSITIVE_INFINITY };

/** What of a record the service keeps itself; a caller's property of the same name is stored as `property_<name>`. */
const OWN = new Set([
  'ref',
  'id',
  'domain',
  'domain_ref',
  'name',
  'description',
  'text',
  'title',
  'category',
  'confidence',
  'hash',
  'order',
  'session_id',
  'role',
  'speaker',
  'timestamp',
  'turn',
  'sources',
  'fingerprint',
  'mentions_fingerprint',
]);

export function nodeProperties(record: NodeRecord): Properties {
  const { kind, message } = record;
  return {
    ...readable(record.properties),
    ref: int(record.ref),
    id: record.id,
    domain: record.domain_name,
    domain_ref: int(record.domain),
    hash: int(record.hash),
    name: record.name,
    ...(kind === 'passage' ? { text: record.description } : described(record.description)),
    confidence: record.confidence,
    ...(record.order === null ? {} : { order: int(record.order) }),
    ...(message === null ? {} : { ...message, turn: int(message.turn) }),
    ...(kind === 'entity' ? {} : { sources: labelsOf(record.sources) }),
    fingerprint: fingerprintOf('node', record),
  };
}

export function edgeProperties(record: EdgeRecord): Properties {
  return {
    ...readable(record.properties),
    ref: int(record.ref),
    confidence: record.confidence,
    sources: labelsOf(record.sources),
    fingerprint: fingerprintOf('edge', record),
  };
}

/** Returns a rule's properties. `whole`: as in `Writing`. */
export function ruleProperties(record: RuleRecord, whole: boolean): Properties {
  return {
    ...readable(record.metadata),
    ref: int(record.ref),
    id: record.id,
    domain: record.domain_name,
    domain_ref: int(record.domain),
    text: record.text,
    category: record.category,
    confidence: record.confidence,
    sources: labelsOf(record.sources),
    ...(whole ? { fingerprint: fingerprintOf('rule', record) } : {}),
  };
}

/** Counts of what hangs on the key are added by the statement that counts. */
export function keyProperties(record: KeyRecord): Properties {
  return {
    ref: int(record.ref),
    domain_ref: int(record.domain),
    key: record.key,
    node: int(record.node),
  };
}

export function ints(refs: Iterable<number>): Integer[] {
  return Array.from(refs, int);
}

/** Estimates the bytes that the texts of records take on their way. */
export function bytesOf(records: readonly object[]): number {
  let bytes = 0;
  for (const record of records) {
    bytes += 200;
    const { properties = {} } = record as { readonly properties?: object };
    for (const value of [...Object.values(record), ...Object.values(properties)]) {
      if (typeof value === 'string') bytes += 2 * value.length;
    }
  }
  return bytes;
}

function described(description: string): Properties {
  return description === '' ? {} : { description };
}

/** Returns one label per source, in the order of their ids. */
function labelsOf(sources: readonly RecordSource[]): string[] {
  return sources.map((source) => source.label);
}

/** Returns properties as Neo4j holds them: texts, numbers, truth values and lists of one of these; the rest as JSON. */
function readable(given: JsonObject): Properties {
  const properties: Properties = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || name === '') continue;
    properties[OWN.has(name) ? `property_${name}` : name] = storable(value);
  }
  return properties;
}

function storable(value: Exclude<Json, null>): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? int(value) : value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value) && value.length > 0) {
    const type = typeof value[0];
    const isScalar = type === 'string' || type === 'boolean' || type === 'number';
    if (isScalar && value.every((one) => typeof one === type)) return value;
  }
  return JSON.stringify(value);
}
