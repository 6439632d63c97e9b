import { connect, createServer, type Socket } from 'node:net';

/** COMMIT as the driver sends it: a chunk of two bytes, a structure without fields, the end of the message. */
export const COMMIT = Buffer.from([0x00, 0x02, 0xb0, 0x12, 0x00, 0x00]);

/** A way to a server that breaks where a test says. */
export interface BreakingProxy {
  /** `host:port`. */
  readonly place: string;
  /** All that clients have sent. */
  readonly sent: Buffer[];
  /**
   * The next connection on which a client sends these bytes breaks: before the server has received them, or once it has
   * answered, which the client does not hear. `times`: so often, each second time that they are sent.
   */
  cut(bytes: Buffer, when: 'before' | 'answered', times?: number): void;
  /** Breaks so far. */
  readonly cuts: number;
  /**
   * `silent`: takes connections and bytes and lets nothing through, until it is open again; `refusing`: ends every
   * connection at once.
   */
  become(mode: 'open' | 'silent' | 'refusing'): void;
  stop(): Promise<void>;
}

/** A proxy in front of the server at this address (`bolt://host:port`). */
export async function proxyTo(uri: string): Promise<BreakingProxy> {
  const { hostname, port } = new URL(uri);
  const sockets = new Set<Socket>();
  const sent: Buffer[] = [];
  let armed: { readonly bytes: Buffer; readonly when: 'before' | 'answered'; left: number; turn: boolean } | undefined;
  let cuts = 0;
  let mode: 'open' | 'silent' | 'refusing' = 'open';
  const held: Array<() => void> = [];
  /** Passes bytes on, or keeps them until the server is to answer again. */
  const pass = (send: () => void): void => void (mode === 'silent' ? held.push(send) : send());
  const listener = createServer((client) => {
    if (mode === 'refusing') {
      client.destroy();
      return;
    }
    const server = connect(Number(port), hostname);
    let breaking = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (data) => {
      sent.push(data);
      if (armed !== undefined && armed.left > 0 && data.includes(armed.bytes)) {
        armed.turn = !armed.turn;
        if (armed.turn) {
          armed.left -= 1;
          cuts += 1;
          if (armed.when === 'before') return end();
          breaking = true;
        }
      }
      pass(() => server.write(data));
    });
    server.on('data', (data) => {
      if (breaking) end();
      else pass(() => client.write(data));
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    place: `127.0.0.1:${address.port}`,
    sent,
    cut: (bytes, when, times = 1) => {
      armed = { bytes, when, left: times, turn: false };
    },
    become: (next) => {
      mode = next;
      if (next === 'refusing') for (const socket of sockets) socket.destroy();
      if (next === 'open') for (const send of held.splice(0)) send();
    },
    get cuts() {
      return cuts;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => listener.close(() => done()));
    },
  };
}
