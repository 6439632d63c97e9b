import { connect } from 'node:net';

/** Reads that arrive together over one connection. */
export interface Crowd {
  readonly kind: string;
  readonly count: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export const CROWDS: readonly Crowd[] = [
  { kind: '1,500 pipelined reads of the status', count: 1500, method: 'GET', path: '/v1/status', body: '' },
  { kind: '400 pipelined reads of rules', count: 400, method: 'POST', path: '/v1/rules', body: '{}' },
];

/** Sends all requests of a crowd at once; resolves when the last one is answered, with the status of the first. */
export function sendCrowd(url: string, { count, method, path, body }: Crowd): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const request = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answered = 0;
    let status = 0;
    let rest = '';
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      rest += data;
      const lines = rest.split('HTTP/1.1 ');
      if (status === 0) status = Number(lines[1]?.slice(0, 3));
      answered += lines.length - 1;
      // The start of a status line may be cut.
      rest = rest.slice(-8).startsWith('HTTP/1.1') ? '' : rest.slice(-8);
      if (answered < count) return;
      socket.destroy();
      resolve(status);
    });
    socket.once('error', reject);
    socket.write(request.repeat(count));
  });
}
