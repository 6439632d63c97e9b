import type { Operation } from '../operations/operation.js';

/** A tool as one row: which operation, which of its members, how the answer is shaped. */
export interface Tool {
  /** Without the service's prefix: `query` is called `svc_query`. */
  readonly name: string;
  readonly operation: Operation;
  readonly title: string;
  /** When to use it, at most two sentences. Other tools stand in it as `query`; agents read `svc_query`. */
  readonly description: string;
  /** Members of the operation's input that the tool takes, in the specification's order. */
  readonly parameters: readonly string[];
  /** Maps the wire input to the operation's input, where a default differs. */
  readonly accept?: (input: Record<string, unknown>) => Record<string, unknown>;
  /** True where the call reaches beyond this service (another database). */
  readonly openWorld?: boolean;
  /** One of the eleven that `SVC_TOOLS=core` keeps. */
  readonly core?: boolean;
}
