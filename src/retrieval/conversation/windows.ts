import { passageId } from '../../core/ids.js';
import type { GraphNode, MessageFields } from '../../core/model.js';
import { dot } from '../dot.js';

/** A longer pause ends a sitting, in milliseconds: what was said before it is no context of what follows. */
export const SITTING = 12 * 60 * 60 * 1000;

/** Returns the node id of the first piece of a session's turn. */
export function turnId(domain: string, sessionId: string, turn: number): string {
  return passageId({ domain, kind: 'session', key: sessionId, label: sessionId }, `turn ${turn}`, 0);
}

/** Turns by session and number. */
export class Turns {
  private readonly byPlace = new Map<string, GraphNode>();

  add(nodes: Iterable<GraphNode>): void {
    for (const node of nodes) {
      const message = node.passage?.message;
      if (message === undefined) continue;
      const place = placeOf(node);
      // The first piece stands for a long turn.
      const known = this.byPlace.get(place);
      if (known === undefined || node.passage!.order < known.passage!.order) this.byPlace.set(place, node);
    }
  }

  /** Returns the turns from `first` to `last` relative to a turn that are known, in order; none from another sitting. */
  around(node: GraphNode, first: number, last: number): GraphNode[] {
    const message = node.passage?.message;
    if (message === undefined) return [];
    const found: GraphNode[] = [];
    for (let step = first; step <= last; step += 1) {
      const other = step === 0 ? node : this.byPlace.get(placeOf(node, step));
      if (other !== undefined && isNear(message.timestamp, other.passage!.message!.timestamp)) found.push(other);
    }
    return found;
  }
}

/** Returns the ids of the turns from `first` to `last` relative to a turn, itself left out. */
export function neighbourIds(node: GraphNode, first: number, last: number): string[] {
  const message: MessageFields | undefined = node.passage?.message;
  if (message === undefined) return [];
  const ids: string[] = [];
  for (let step = first; step <= last; step += 1) {
    const turn = message.turn + step;
    if (step !== 0 && turn >= 0) ids.push(turnId(node.domain, message.session_id, turn));
  }
  return ids;
}

/** Returns whether two turns belong to one sitting: at most 12 hours lie between them, as far as their times are known. */
function isNear(one: string | undefined, other: string | undefined): boolean {
  if (one === other || one === undefined || other === undefined) return true;
  return !(Math.abs(Date.parse(one) - Date.parse(other)) > SITTING);
}

/** Returns what all pieces of a message's turn, or of the one some `steps` behind it, have in common. */
export function placeOf({ domain, passage }: GraphNode, steps = 0): string {
  const { session_id, turn } = passage!.message!;
  return JSON.stringify([domain, session_id, turn + steps]);
}

/** Returns the cosine of a unit vector with the mean of some vectors; 0 without any. */
export function meanCosine(question: Float32Array, vectors: readonly Float32Array[]): number {
  if (vectors.length === 0) return 0;
  const mean = new Float64Array(question.length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i += 1) mean[i]! += vector[i]!;
  const squares = dot(mean, mean);
  return squares === 0 ? 0 : dot(mean, question) / Math.sqrt(squares);
}
