// Starts the real servers, runs the live tests against them, stops the servers. Further arguments go to jest. The whole suite
// runs in two processes, each with servers of its own, since tests of one file change a server for all others.
import { runBeside } from './beside.js';

const given = process.argv.slice(2);
const isWhole = given.every((argument) => argument.startsWith('-'));
const isOwnQdrant = process.env.QDRANT_URL === undefined;
const sets = isWhole && isOwnQdrant ? 2 : 1;
const servers = ['postgres', 'mariadb', 'neo4j', ...(isOwnQdrant ? ['qdrant'] : [])];
const jest = ['jest', '--config', 'jest.live.config.js', `--maxWorkers=${sets}`, ...given];
await runBeside(servers, 'npx', jest, sets);
