import { nodeNotFound, SvcError } from '../core/errors.js';
import { sourceId } from '../core/ids.js';
import { type NodeAssertion, nodeAssertions, type SessionTurn, sessionTurns } from '../ledger/edits/read-turns.js';
import { sessionSource } from './sources.js';
import type { LoadPorts } from './write/ports.js';

/** What lies behind the graph, for people who look: turns of conversations, what each source says of a node. */
export class Records {
  constructor(private readonly ports: Pick<LoadPorts, 'graph' | 'store'>) {}

  /** Returns messages of a session in order. `session_not_found` where there is none. */
  async messages(input: {
    readonly domain: string;
    readonly session_id: string;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly messages: SessionTurn[]; readonly total: number }> {
    const { domain, session_id } = input;
    const id = sourceId(sessionSource(domain, session_id));
    const [source] = await this.ports.graph.listSources({ source_id: id });
    if (source === undefined) {
      throw new SvcError('session_not_found', `Session ${session_id} does not exist in domain ${domain}.`, {
        member: 'session_id',
      });
    }
    return sessionTurns(this.ports.store.db, id, input);
  }

  /** Returns what each source says of a node. `node_not_found` where there is none, with the one it was merged into. */
  async assertions(nodeId: string): Promise<NodeAssertion[]> {
    if ((await this.ports.graph.getNode(nodeId)) === null) {
      const standIn = await this.ports.graph.merges?.standIn(nodeId);
      throw nodeNotFound(nodeId, standIn, { member: 'node_id' });
    }
    return nodeAssertions(this.ports.store.db, nodeId);
  }
}
