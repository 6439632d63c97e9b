import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTurn } from '../core/async/slices.js';

/** Requests of one connection that wait, from which on no more are read, and from which on reading goes on. */
const MOST_WAITING = 1000;
const FEW_WAITING = 500;

/**
 * Begins the requests of a connection one after another, each when the client has taken the answer before it and in a turn
 * of the event loop of its own: a packet of a client that does not wait for answers holds hundreds of requests, and Node
 * hands them out in one step. Where a thousand wait, no more are read from the connection. Those that wait when it ends never
 * begin.
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
  private isPaused = false;
  private pausing = false;

  constructor(private readonly socket: Socket) {}

  begin(response: ServerResponse, run: () => void): void {
    const start = () => {
      response.once('close', () => void this.beginNext());
      run();
    };
    if (!this.isBusy) {
      this.isBusy = true;
      start();
      return;
    }
    this.waiting.push(start);
    if (this.waiting.length >= MOST_WAITING) this.pause();
  }

  /** Stops reading after the packet that is being read: at the end of each request in it Node goes on reading. */
  private pause(): void {
    if (this.pausing) return;
    this.pausing = true;
    process.nextTick(() => {
      this.pausing = false;
      this.isPaused = true;
      this.socket.pause();
    });
  }

  private async beginNext(): Promise<void> {
    if (this.waiting.length > 0) await nextTurn();
    if (this.socket.destroyed) this.waiting = [];
    const start = this.waiting.shift();
    if (this.isPaused && this.waiting.length < FEW_WAITING) {
      this.isPaused = false;
      this.socket.resume();
    }
    if (start === undefined) this.isBusy = false;
    else start();
  }
}
