import type { EmbeddingsEndpoint } from './embeddings.js';

/** A passage as one document: what a user of a peer writes and forgets as a whole. */
export interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What an answer holds; the name is the empty string where the peer returns texts alone. */
export interface Found {
  readonly name: string;
  readonly text: string;
}

export interface Answer {
  /** Best first. */
  readonly found: readonly Found[];
  /** Of the call, in the process that makes it. */
  readonly ms: number;
}

/** A peer that runs on a directory of its own. */
export interface Opened {
  /** The process that holds the data. */
  readonly pid: number;
  /** Writes documents the way its users write many; resolves when all are acknowledged. */
  add(documents: readonly Document[], user: string): Promise<void>;
  /** One write for each document, all at once; returns how many were acknowledged. */
  addAtOnce(documents: readonly Document[], user: string): Promise<number>;
  /** The best five. */
  ask(question: string, user: string): Promise<Answer>;
  /** The same by vectors alone, where the peer has them. */
  askVectors?(question: string, user: string): Promise<Answer>;
  /** Items that a user has. */
  count(user: string): Promise<number>;
  forget(document: Document, user: string): Promise<void>;
  /** Accepts the item that holds the text in the answer to a question and rejects the first one. */
  prefer?(question: string, user: string, text: string): Promise<void>;
  /** Calls of a language model until now. */
  modelCalls(): Promise<number>;
  /** kill -9 of the process that holds the data. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** How it was used: the calls that write, ask, forget and keep users apart. */
  readonly means: {
    readonly write: string;
    readonly ask: string;
    readonly forget: string;
    readonly users: string;
    readonly feedback: string;
  };
  /** Where its vectors come from, if not from its own process. */
  readonly endpoint?: EmbeddingsEndpoint;
  open(directory: string): Promise<Opened>;
}

export const TOP = 5;

/** The text that every peer is given: title and passage. */
export function textOf({ title, text }: Pick<Document, 'title' | 'text'>): string {
  return `${title}\n\n${text}`;
}
