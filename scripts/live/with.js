// Runs a command beside real servers and stops them: `node scripts/live/with.js postgres,qdrant -- npm run bench:vectors`.
import { runBeside, SERVERS } from './beside.js';

const [names = '', dashes, command, ...args] = process.argv.slice(2);
if (dashes !== '--' || command === undefined || !names.split(',').every((name) => Object.hasOwn(SERVERS, name))) {
  process.stderr.write(`Usage: with.js <${Object.keys(SERVERS).join(',')}> -- <command…>\n`);
  process.exit(2);
}
await runBeside(names.split(','), command, args);
