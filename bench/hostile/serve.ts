/** The service in a process of its own, which tells its parent how long its event loop was held. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { LoopMonitor } from './monitor.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-bench-hostile-'));
const data = join(directory, 'data');
mkdirSync(data);
const config = loadConfig({
  environment: {
    SVC_DATA_DIR: data,
    SVC_EMBEDDING: 'static',
    SVC_LOG_LEVEL: 'silent',
    SVC_PORT: '0',
    SVC_PORT_B: '0',
    SVC_DRAIN_SECONDS: '1',
    SVC_INGEST_ROOTS: directory,
  },
});
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('silent'), variants: ['a', 'b'] });
const monitor = new LoopMonitor();

process.on('message', (request) => {
  if (request === 'holds') process.send?.({ holds: monitor.take() });
  else void end();
});
process.send?.({ urls: running.urls });

async function end(): Promise<void> {
  await running.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}
