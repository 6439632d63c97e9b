import { FOLLOWING } from './following-tables.js';
import type { PagedTable } from './table-pages.js';

/**
 * Tables of the graph, and those that say what it holds (turns of sessions, rows of connected databases): their columns,
 * and by which of them they are paged.
 */
export const TABLES = {
  domain: {
    by: ['ref'],
    columns: {
      ref: 'int',
      name: 'text',
      description: 'text',
      concepts: 'int',
      edges: 'int',
      rules: 'int',
      passages: 'int',
      created: 'int',
    },
  },
  source: {
    by: ['ref'],
    columns: {
      ref: 'int',
      id: 'text',
      domain: 'int',
      kind: 'text',
      key: 'text',
      label: 'text',
      content_hash: 'text',
      updated_at: 'text',
    },
  },
  node: {
    by: ['ref'],
    columns: {
      ref: 'int',
      id: 'text',
      domain: 'int',
      kind: 'int',
      own: 'int',
      hash: 'int',
      key: 'text',
      norm: 'text',
      name: 'text',
      confidence: 'real',
      shown: 'int',
    },
  },
  concept: {
    by: ['node', 'source'],
    columns: {
      node: 'int',
      source: 'int',
      name: 'text',
      description: 'text',
      properties: 'text',
      confidence: 'real',
      version: 'int',
    },
  },
  passage: {
    by: ['node'],
    columns: {
      node: 'int',
      source: 'int',
      ord: 'int',
      text: 'text',
      sentences: 'text',
      about: 'text',
      message: 'text',
      mentions: 'blob',
    },
  },
  key: {
    by: ['ref'],
    columns: { ref: 'int', domain: 'int', key: 'text', titles: 'int', aliases: 'int', mentions: 'int', node: 'int' },
  },
  about: { by: ['key', 'node'], columns: { key: 'int', node: 'int', alias: 'int' } },
  mention: { by: ['key', 'passage'], columns: { key: 'int', passage: 'int', tf: 'int' } },
  edge: {
    by: ['ref'],
    columns: {
      ref: 'int',
      source: 'int',
      src_end: 'text',
      dst_end: 'text',
      src_hash: 'int',
      dst_hash: 'int',
      relation: 'text',
      confidence: 'real',
      properties: 'text',
      version: 'int',
      src: 'int',
      dst: 'int',
      shown: 'int',
    },
  },
  rule: {
    by: ['ref'],
    columns: {
      ref: 'int',
      source: 'int',
      domain: 'int',
      id: 'text',
      text: 'text',
      category: 'text',
      confidence: 'real',
      concepts: 'text',
      metadata: 'text',
      version: 'int',
      shown: 'int',
    },
  },
  rule_mark: { by: ['hash', 'rule'], columns: { hash: 'int', rule: 'int' } },
  rule_concept: { by: ['rule', 'node'], columns: { rule: 'int', node: 'int' } },
  entity_merge: {
    by: ['ref'],
    columns: {
      ref: 'int',
      id: 'text',
      domain: 'int',
      from_id: 'text',
      into_id: 'text',
      from_name: 'text',
      into_name: 'text',
      method: 'text',
      score: 'real',
      created_at: 'text',
      undone_at: 'text',
    },
  },
  merged_node: {
    by: ['id'],
    columns: { id: 'text', domain: 'int', norm: 'text', key: 'text', target: 'int' },
  },
  merged_concept: {
    by: ['id', 'source'],
    columns: {
      id: 'text',
      source: 'int',
      name: 'text',
      description: 'text',
      properties: 'text',
      confidence: 'real',
      version: 'int',
    },
  },
  ...FOLLOWING,
} as const satisfies Record<string, PagedTable>;

export type Table = keyof typeof TABLES;
