import type { Socket } from 'node:net';

/** Requests of one connection that begin in one tick. */
const AT_ONCE = 8;

/**
 * Lets requests that a client sends without waiting for answers begin a few in each tick: a packet holds hundreds of
 * them, and Node hands them out in one step.
 */
export class Pipelining {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Begins a request at once, or after those that came before it on its connection. */
  begin(socket: Socket, run: () => void): void {
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = new Connection();
      this.connections.set(socket, connection);
    }
    connection.begin(run);
  }
}

class Connection {
  private readonly waiting: Array<() => void> = [];
  private begun = 0;

  begin(run: () => void): void {
    if (this.begun === 0) setImmediate(() => this.nextTick());
    if (this.waiting.length > 0 || this.begun >= AT_ONCE) {
      this.waiting.push(run);
      return;
    }
    this.begun += 1;
    run();
  }

  private nextTick(): void {
    const next = this.waiting.splice(0, AT_ONCE);
    this.begun = next.length;
    if (next.length > 0) setImmediate(() => this.nextTick());
    for (const run of next) run();
  }
}
