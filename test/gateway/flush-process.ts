// Passes lessons on to a learner at another address: `flush-process.ts FILE URL NOW`. Tests kill it.
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { composeGateway } from '../../src/compose/gateway/gateway.js';
import { loadConfig } from '../../src/config.js';
import type { Logger } from '../../src/telemetry/logger.js';

const [file, url, now] = process.argv.slice(2) as [string, string, string];
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet } as unknown as Logger;
const store = await openSqlite(file);
const config = loadConfig({ environment: { SVC_LEARNING_URL: url } });
const gateway = composeGateway({ store, config, clock: () => Number(now), log });
await gateway.learning.flush();
await store.close();
