import { nodeNotFound, type StandIn } from '../../core/errors.js';
import type { Input } from './row.js';

/** Throws `node_not_found` for an absent node, with the one it was merged into: the tool answers it with null. */
export function foundNode<T extends { node: unknown; merged_into?: StandIn }>(output: T, input: Input): T {
  if (output.node === null) throw nodeNotFound(String(input.node_id), output.merged_into);
  return output;
}
