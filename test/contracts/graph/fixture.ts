import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { GraphBackend } from '../../../src/backends/graph/port.js';
import { readTemplates } from '../../../src/core/derive-rules.js';
import { conceptId, contentHash } from '../../../src/core/ids.js';
import type { Manifest, Mention, Passage } from '../../../src/core/model.js';
import { nameKey } from '../../../src/core/text/keys.js';

export interface GraphFixture {
  readonly graph: GraphBackend;
  /** Another instance on the same data, as a replica has it; null where the graph lives in one object. */
  readonly replica: (() => Promise<GraphBackend>) | null;
  close(): Promise<void>;
}

export interface GraphUnderTest {
  open(): Promise<GraphFixture>;
  /** Random worlds to compare with the reference; fewer for engines that answer slowly. */
  readonly worlds: number;
}

export type With = (test: (fixture: GraphFixture) => Promise<void>) => () => Promise<void>;

export const templates = readTemplates(parse(readFileSync('config/edge-templates.yaml', 'utf8')));

export const D = 'd';

export const id = (name: string, domain = D): string => conceptId(domain, name);

/** A manifest of one source, by its key; the content hash is that of all it says. */
export function source(key: string, says: Partial<Omit<Manifest, 'source'>>): Manifest {
  const domain = says.domain ?? D;
  return {
    domain,
    source: { domain, kind: 'structured', key, label: `source ${key}` },
    content_hash: contentHash(JSON.stringify(says)),
    concepts: [],
    edges: [],
    rules: [],
    passages: [],
    warnings: [],
    ...says,
  };
}

export function passage(
  name: string,
  fields: Partial<Omit<Passage, 'id' | 'about'>> & { titles?: string[]; aliases?: string[]; domain?: string },
): Passage {
  const { titles = [], aliases = [], domain = D, ...rest } = fields;
  const text = rest.text ?? `Text of ${name}.`;
  return {
    id: `${domain}:${name}`,
    title: titles[0] ?? '',
    text,
    sentences: [[0, text.length]],
    order: 0,
    about: [
      ...titles.map((title) => ({ key: nameKey(title), alias: false })),
      ...aliases.map((title) => ({ key: nameKey(title), alias: true })),
    ],
    ...rest,
  };
}

/** Mentions of these names, one after the other in the first sentence. */
export function mentions(...names: string[]): Mention[] {
  return names.map((name, token) => ({ key: nameKey(name), name, sentence: 0, token, length: name.split(' ').length }));
}

export async function error(work: Promise<unknown>): Promise<{ code?: string; message?: string }> {
  return work.then(
    () => ({}),
    (thrown: unknown) => thrown as { code: string; message: string },
  );
}
