import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The status that the front answers with; undefined to pass the request on. */
export type StatusOf = (armId: string) => number | undefined | Promise<undefined>;

export interface Front {
  readonly url: string;
  end(): Promise<void>;
}

/** A front of another service's learner that answers observations of some arms itself, or loses their answers. */
export async function frontOf(
  url: string,
  {
    statusOf = () => undefined,
    lose = () => false,
  }: {
    readonly statusOf?: StatusOf;
    /** Whether the answer to an observation that was passed on never arrives. */
    readonly lose?: (armId: string) => boolean | Promise<boolean>;
  },
): Promise<Front> {
  const front = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const armId = body === '' ? undefined : (JSON.parse(body) as { arm_id: string }).arm_id;
    const status = armId === undefined ? undefined : await statusOf(armId);
    const answer =
      status === undefined
        ? await fetch(`${url}${request.url}`, {
            method: request.method ?? 'GET',
            headers: { 'Content-Type': 'application/json' },
            ...(body === '' ? {} : { body }),
          })
        : Response.json({ error: 'no' }, { status });
    const text = await answer.text();
    if (armId !== undefined && (await lose(armId))) response.destroy();
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    end: async () => {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
