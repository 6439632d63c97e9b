import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that begin in one tick, and that are not answered yet. */
const AT_ONCE = 2;

/**
 * Lets requests that a client sends without waiting for answers begin a few at a time: a packet holds hundreds of them,
 * and Node hands them out in one step. The next ones begin when the client has taken answers, so that those do not
 * pile up and go out in one step.
 */
export class Pipelining {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Begins a request at once, or after those that came before it on its connection. */
  begin(response: ServerResponse, run: () => void): void {
    const socket = response.req.socket;
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = new Connection();
      this.connections.set(socket, connection);
    }
    connection.begin(response, run);
  }
}

class Connection {
  private readonly waiting: Array<() => void> = [];
  private begunInTick = 0;
  private unanswered = 0;

  begin(response: ServerResponse, run: () => void): void {
    this.waiting.push(() => {
      response.once('close', () => {
        this.unanswered -= 1;
        this.beginNext();
      });
      run();
    });
    this.beginNext();
  }

  private beginNext(): void {
    while (this.begunInTick < AT_ONCE && this.unanswered < AT_ONCE) {
      const run = this.waiting.shift();
      if (run === undefined) return;
      if (this.begunInTick === 0) setImmediate(() => this.nextTick());
      this.begunInTick += 1;
      this.unanswered += 1;
      run();
    }
  }

  private nextTick(): void {
    this.begunInTick = 0;
    this.beginNext();
  }
}
