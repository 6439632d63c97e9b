/** Asks for health every few milliseconds in a process of its own, and tells its parent the latencies, ms. */
import { Agent, request } from 'node:http';

const EVERY_MS = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let times: number[] = [];

function ask(url: string): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        times.push(performance.now() - begun);
        resolve();
      });
    });
    sending.once('error', reject);
    sending.end();
  });
}

async function run(url: string): Promise<void> {
  for (;;) {
    await ask(url);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

process.on('message', (message: { readonly url?: string }) => {
  if (message.url !== undefined) void run(message.url).catch(() => process.exit(1));
  else {
    process.send?.({ times });
    times = [];
  }
});
process.once('disconnect', () => process.exit(0));
