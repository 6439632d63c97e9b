import { wrongMember } from '../../core/errors.js';
import type { Manifest } from '../../core/model.js';

const DOMAIN = /^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,127}$/;
const RELATION = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Throws `invalid_input` that names the first wrong member; nothing has been written then. */
export function checkManifest(manifest: Manifest): void {
  checkMembers(manifest);
  checkDomain(manifest.domain);
  if (manifest.source.domain !== manifest.domain) wrongMember('source.domain', 'must be the domain of the manifest');
  manifest.concepts.forEach((concept, i) => {
    checkText(concept.name, `concepts[${i}].name`);
    if (concept.id !== undefined) checkText(concept.id, `concepts[${i}].id`);
    checkConfidence(concept.confidence, `concepts[${i}].confidence`);
  });
  manifest.edges.forEach((edge, i) => {
    checkText(edge.source, `edges[${i}].source`);
    checkText(edge.target, `edges[${i}].target`);
    checkRelation(edge.relation, `edges[${i}].relation`);
    checkConfidence(edge.confidence, `edges[${i}].confidence`);
  });
  manifest.rules.forEach((rule, i) => {
    checkText(rule.text, `rules[${i}].text`);
    if (rule.name !== undefined) checkText(rule.name, `rules[${i}].name`);
    checkConfidence(rule.confidence, `rules[${i}].confidence`);
  });
  checkPassages(manifest);
}

const LISTS = ['concepts', 'edges', 'rules', 'passages'] as const;

/** Checks that the members are there at all: a program without types may leave out any. */
function checkMembers(manifest: Manifest): void {
  if (!isRecord(manifest)) wrongMember('manifest', 'must be an object');
  if (!isRecord(manifest.source)) wrongMember('source', 'must be an object with domain, kind, key and label');
  for (const member of ['kind', 'key', 'label'] as const) {
    if (typeof manifest.source[member] !== 'string') wrongMember(`source.${member}`, 'must be a text');
  }
  if (typeof manifest.content_hash !== 'string') wrongMember('content_hash', 'must be a text');
  for (const member of LISTS) {
    const list: unknown = manifest[member];
    if (!Array.isArray(list)) wrongMember(member, 'must be a list; give an empty one for none');
    for (const [i, one] of list.entries()) if (!isRecord(one)) wrongMember(`${member}[${i}]`, 'must be an object');
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkPassages(manifest: Manifest): void {
  const seen = new Set<string>();
  manifest.passages.forEach((passage, i) => {
    if (typeof passage.id !== 'string' || !passage.id.startsWith(`${manifest.domain}:`))
      wrongMember(`passages[${i}].id`, 'must start with the domain and a colon');
    if (seen.has(passage.id)) wrongMember(`passages[${i}].id`, 'must differ from the other passages');
    seen.add(passage.id);
  });
}

/** Throws `invalid_input` where the name is not one a domain may have. */
export function checkDomain(name: string): void {
  if (typeof name !== 'string' || !DOMAIN.test(name)) {
    wrongMember('domain', 'must start with one of a-z, A-Z, 0-9 and hold at most 128 of these, spaces and . _ / -');
  }
}

function checkText(value: string, member: string): void {
  if (typeof value !== 'string' || value.trim() === '') wrongMember(member, 'must be a text that is not empty');
  if (value.includes('\0')) wrongMember(member, 'must not hold a zero character');
}

function checkRelation(value: string, member: string): void {
  if (typeof value !== 'string' || !RELATION.test(value)) {
    wrongMember(member, 'must be one of a-z, A-Z followed by at most 63 of these, 0-9 and underscores');
  }
}

function checkConfidence(value: number | undefined, member: string): void {
  if (value !== undefined && !(value >= 0 && value <= 1)) wrongMember(member, 'must be a number from 0 to 1');
}
