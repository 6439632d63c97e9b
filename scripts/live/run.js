// Starts the real servers, runs the live tests against them, stops the servers. Further arguments go to vitest.
import { runBeside } from './beside.js';

const servers = ['postgres', 'mariadb', 'neo4j', ...(process.env.QDRANT_URL === undefined ? ['qdrant'] : [])];
await runBeside(servers, 'npx', ['vitest', 'run', '--config', 'vitest.live.config.ts', ...process.argv.slice(2)]);
