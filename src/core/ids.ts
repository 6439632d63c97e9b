import { hash } from 'node:crypto';
import type { SourceRef } from './model.js';
import { normalise } from './text/fold.js';

/** Returns the first 20 hex digits of SHA-256: every opaque id of the service. */
export function hash20(...parts: readonly string[]): string {
  return hash('sha256', `${parts.join('\0')}\0`, 'hex').slice(0, 20);
}

/** Returns the SHA-256 in hex of a text or bytes: content hashes and cache keys. */
export function contentHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** Returns a hash of a node's text, 20 hex digits: the same for the same name (title) and text. */
export function textHash({ name, description }: { readonly name: string; readonly description: string }): string {
  return contentHash(`${name}\0${description}`).slice(0, 20);
}

/** White space to collapse, or characters that NFKC may change. */
const UNEVEN = /[^\x20-\x7e]|^ | $| {2}/;

/** Normalises a name: NFKC, case folded, white space collapsed, nothing else: C, C++ and C# stay three. */
export function normaliseName(name: string): string {
  if (!UNEVEN.test(name)) return name.toLowerCase();
  return normalise(name, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Returns the node id of a concept or entity without an id of its own: `<domain>:<20 hex of the normalised name>`. */
export function conceptId(domain: string, name: string): string {
  return conceptIdOf(domain, normaliseName(name));
}

/** Returns the id of a concept from a name that is normalised already. */
export function conceptIdOf(domain: string, norm: string): string {
  return `${domain}:${hash20(norm)}`;
}

/** Returns a caller's id made a node id of the domain; an id that already carries the domain stays as it is. */
export function qualifiedId(domain: string, id: string): string {
  return id.startsWith(`${domain}:`) ? id : `${domain}:${id}`;
}

/** Returns the public id of a source. */
export function sourceId(source: Pick<SourceRef, 'domain' | 'kind' | 'key'>): string {
  return hash20(source.domain, source.kind, source.key);
}

/** Returns a passage's id: source, heading path and ordinal among equal paths. */
export function passageId(source: SourceRef, path: string, ordinal: number): string {
  return passageIdIn(source.domain, sourceId(source), path, ordinal);
}

/** Returns the id of a passage of a source that is known by its public id; the first one of its path without an ordinal. */
export function passageIdIn(domain: string, source: string, path: string, ordinal = 0): string {
  return `${domain}:${hash20(source, path, String(ordinal))}`;
}

/** Returns the id of an explicit rule. */
export function ruleId(domain: string, rule: { readonly text: string; readonly name?: string }): string {
  return rule.name === undefined ? `rule:${domain}:${hash20(rule.text)}` : `rule:${rule.name}`;
}
