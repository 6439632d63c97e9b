import neo4j from 'neo4j-driver';
import type { Json } from '../../../../core/model.js';

/** Converts a driver's value to JSON: nodes and relationships to labels or type and properties, dates to text. */
export function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (neo4j.isInt(value)) return value.inSafeRange() ? value.toNumber() : value.toString();
  if (neo4j.isNode(value)) return { labels: [...value.labels], properties: membersOf(value.properties) };
  if (neo4j.isRelationship(value)) {
    const { type, startNodeElementId, endNodeElementId, properties } = value;
    return { type, start: startNodeElementId, end: endNodeElementId, properties: membersOf(properties) };
  }
  if (neo4j.isPath(value)) {
    const nodes = [value.start, ...value.segments.map(({ end }) => end)];
    return { nodes: nodes.map(jsonOf), relationships: value.segments.map((one) => jsonOf(one.relationship)) };
  }
  if (isText(value)) return value.toString();
  return membersOf(value as object);
}

function membersOf(value: object): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
}

/** Returns whether a value prints itself, as dates, times, durations and points do. */
function isText(value: unknown): value is { toString(): string } {
  return (
    neo4j.isDate(value as object) ||
    neo4j.isDateTime(value as object) ||
    neo4j.isLocalDateTime(value as object) ||
    neo4j.isLocalTime(value as object) ||
    neo4j.isTime(value as object) ||
    neo4j.isDuration(value as object) ||
    neo4j.isPoint(value as object)
  );
}
