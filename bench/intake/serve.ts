// A service in a process of its own, for `npm run bench:intake`: prints its address, answers each line of its standard input
// with its memory in megabytes, before and after a collection, and runs until the input ends.
import { createInterface } from 'node:readline';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';

const config = loadConfig({ environment: process.env });
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('warn'), variants: ['a'] });
process.stdout.write(`${running.urls.a}\n`);
createInterface({ input: process.stdin }).on('line', () => {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const after = [heapUsed, external, arrayBuffers].map(megabytes);
  process.stdout.write(`${[megabytes(rss), ...after].join(' ')}\n`);
});
process.stdin.once('end', () => {
  void running
    .close()
    .then(() => service.close())
    .then(() => process.exit(0));
});
