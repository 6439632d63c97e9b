// A service in a process of its own, for `npm run bench:intake`: prints its address, runs until its standard input ends.
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';

const config = loadConfig({ environment: process.env });
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('warn'), variants: ['a'] });
process.stdout.write(`${running.urls.a}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  void running
    .close()
    .then(() => service.close())
    .then(() => process.exit(0));
});
