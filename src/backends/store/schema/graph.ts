import type { Generated } from 'kysely';

/**
 * Tables of the graph group. Sources assert concepts, edges and rules: each assertion is a row, and `shown` says which
 * of several is visible. `ref` numbers are internal; public ids are texts.
 */
export interface GraphTables {
  domain: {
    ref: Generated<number>;
    name: string;
    description: string;
    /** 1 where a caller created it by name: then it stays when its last source is forgotten. */
    created: number | null;
    /** Counts of what is visible, kept by each write. */
    concepts: number;
    edges: number;
    rules: number;
    passages: number;
  };
  source: {
    ref: Generated<number>;
    id: string;
    domain: number;
    kind: string;
    key: string;
    label: string;
    content_hash: string;
    updated_at: string;
  };
  node: {
    ref: Generated<number>;
    id: string;
    domain: number;
    /** 0 concept, 1 passage, 2 entity. */
    kind: number;
    /** Of a concept: 0 where its id is of its name, 1 where a caller chose it, 2 where an edit gave it another name. */
    own: number;
    /** fnv1a of the id. */
    hash: number;
    /** Key of the name; empty for passages. */
    key: string;
    /** Normalised name. */
    norm: string;
    name: string;
    confidence: number;
    /** Concept: the source whose assertion is visible. Entity: the passage that gives it its name. */
    shown: number;
  };
  /** One row for each source that asserts the concept. */
  concept: {
    node: number;
    source: number;
    name: string;
    description: string;
    properties: string;
    confidence: number;
    version: number;
  };
  passage: {
    node: number;
    source: number;
    ord: number;
    text: string;
    /** JSON: sentence offsets, about-keys; message fields or null. */
    sentences: string;
    about: string;
    message: string | null;
    /** Packed by `mention-blob.ts`. */
    mentions: Uint8Array;
  };
  /** Keys that passages are about or mention. */
  key: {
    ref: Generated<number>;
    domain: number;
    key: string;
    /** Passages that carry it as title, as alias only, that mention it. */
    titles: number;
    aliases: number;
    mentions: number;
    /** The node that stands for it while something mentions it; else 0. */
    node: number;
  };
  /** In how many passages of a session a key occurs. */
  session_key: { source: number; key: number; passages: number };
  about: { key: number; node: number; alias: number };
  mention: { key: number; passage: number; tf: number };
  edge: {
    ref: Generated<number>;
    source: number;
    /**
     * Endpoints as given, and hashes of (domain, normalised endpoint) to find the edges that are pending for a node.
     */
    src_end: string;
    dst_end: string;
    src_hash: number;
    dst_hash: number;
    relation: string;
    confidence: number;
    properties: string;
    version: number;
    /** Nodes the endpoints stand for now; 0 where one does not exist. */
    src: number;
    dst: number;
    shown: number;
    /** Of the source `edits`: what it says of the edge (`edits/fold.ts`), as JSON. */
    edit: string | null;
  };
  rule: {
    ref: Generated<number>;
    source: number;
    domain: number;
    id: string;
    text: string;
    category: string;
    confidence: number;
    /** JSON: endpoints as given; null where the text decides. */
    concepts: string | null;
    metadata: string;
    version: number;
    shown: number;
    /** As of an edge. */
    edit: string | null;
  };
  /**
   * Hashes of the words of a shown rule's text, or of its given endpoints: which rules a concept may touch; and of what it
   * says, negated or not: which rules may contradict it.
   */
  rule_mark: { hash: number; rule: number };
  rule_concept: { rule: number; node: number };
  graph_meta: {
    id: number;
    version: number;
    /** Distinguishes this ledger from any other. */
    ledger: Generated<string>;
    /** Bytes and rows of the change log. */
    change_bytes: Generated<number>;
    change_count: Generated<number>;
  };
  /** What each version changed, packed by `packed-change.ts`; the newest ones only. */
  graph_change: { version: number; body: Uint8Array };
  graph_checkpoint: {
    id: string;
    /** Kind of the graph that made it. */
    kind: Generated<string>;
    created_at: string;
    version: number;
    nodes: number;
    edges: number;
    /** 0 while it is being made, or deleted. */
    complete: number;
  };
  /** Rows of a checkpoint, compressed, in parts. */
  graph_checkpoint_part: { checkpoint: string; part: number; name: string; body: Uint8Array };
  /** Progress of an unfinished move between kinds of graphs: `<from>-<to>`, JSON. */
  graph_import: { id: string; state: string; updated_at: string };
}
