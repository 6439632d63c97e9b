import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SvcError } from '../core/errors.js';
import { Pipelining } from './pipelining.js';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How long running requests may take after `close` was called. */
  readonly drainMs: number;
}

export interface Listening {
  readonly port: number;
  /** `http://host:port`, to be called from this machine. */
  readonly url: string;
  /** Stops accepting, waits for what runs, then cuts off the rest. */
  close(): Promise<void>;
}

/** Time for a request's headers to arrive, and for the whole of it: a sender that drips is cut off. Connections are kept
 * longer than proxies keep theirs, so that none is closed while a request is on its way. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 65_000;

/** Serves on an address. Throws `conflict` where the port is taken and `invalid_input` for an address that is not ours. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const running = new Set<ServerResponse>();
  const pipelining = new Pipelining();
  let closing = false;
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      pipelining.begin(response, () => {
        running.add(response);
        response.once('close', () => {
          running.delete(response);
          if (closing && running.size === 0) server.closeAllConnections();
        });
        handler(request, response);
      });
    },
  );
  server.on('clientError', refuse);
  await opened(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${reachable(options.host)}:${port}`,
    close: async () => {
      closing = true;
      // Neither a connection that is busy now nor one without a request may stay open after this.
      for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (running.size === 0) server.closeAllConnections();
      const timer = setTimeout(() => server.closeAllConnections(), options.drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Returns the address under which a server bound to `host` is reached from the same machine, ready for a URL. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns true for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function opened(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explained(cause, host, port)));
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function explained(cause: NodeJS.ErrnoException, host: string, port: number): SvcError {
  if (cause.code === 'EADDRINUSE') {
    return new SvcError('conflict', `Port ${port} on ${host} is taken; choose another one.`, { port }, { cause });
  }
  if (cause.code === 'EACCES') {
    return new SvcError(
      'forbidden',
      `Port ${port} may not be used by this user; choose one above 1023.`,
      { port },
      { cause },
    );
  }
  return new SvcError(
    'invalid_input',
    `Cannot listen on ${host}: it is no address of this machine.`,
    { host },
    { cause },
  );
}

/** Answers JSON also to what Node could not parse as HTTP. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'too_large', 'The request line and headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'invalid_input', 'The request did not arrive in time.']
        : [400, 'invalid_input', 'The request is not valid HTTP.'];
  const text = JSON.stringify({ error: sentence, code });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status as number]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
