import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTurn } from '../core/slices.js';

/**
 * Begins the requests of a connection one after another, each when the client has taken the answer before it and in a turn
 * of the event loop of its own: a packet of a client that does not wait for answers holds hundreds of requests, and Node
 * hands them out in one step. Those that wait when their connection ends never begin.
 */
export class Pipelining {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Begins a request at once, or after those that came before it on its connection. */
  begin(response: ServerResponse, run: () => void): void {
    const { socket } = response.req;
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket);
      this.connections.set(socket, connection);
    }
    connection.begin(response, run);
  }
}

class Connection {
  private waiting: Array<() => void> = [];
  private isBusy = false;

  constructor(private readonly socket: Socket) {}

  begin(response: ServerResponse, run: () => void): void {
    const start = () => {
      response.once('close', () => void this.beginNext());
      run();
    };
    if (this.isBusy) this.waiting.push(start);
    else {
      this.isBusy = true;
      start();
    }
  }

  private async beginNext(): Promise<void> {
    if (this.waiting.length > 0) await nextTurn();
    if (this.socket.destroyed) this.waiting = [];
    const start = this.waiting.shift();
    if (start === undefined) this.isBusy = false;
    else start();
  }
}
