import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export const BELOW = '/kb';

/** A reverse proxy that serves a service below a path and cuts it off; what is asked for beside it is kept in `missed`. */
export async function proxyBelow(target: string) {
  const missed: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (url !== BELOW && !url.startsWith(`${BELOW}/`)) {
      missed.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = url.slice(BELOW.length) || '/';
    const passed = request(new URL(path, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, missed, close };
}
