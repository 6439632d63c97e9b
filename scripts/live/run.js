// Starts the real servers, runs the live tests against them, stops the servers. Further arguments go to jest.
import { runBeside } from './beside.js';

const servers = ['postgres', 'mariadb', 'neo4j', ...(process.env.QDRANT_URL === undefined ? ['qdrant'] : [])];
await runBeside(servers, 'npx', ['jest', '--config', 'jest.live.config.js', ...process.argv.slice(2)]);
