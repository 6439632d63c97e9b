import { startWorld } from './world.js';

const w = await startWorld();
console.log(JSON.stringify({ a: w.a, b: w.b, dir: w.directory }));
process.on('SIGTERM', () => void w.close().then(() => process.exit(0)));
