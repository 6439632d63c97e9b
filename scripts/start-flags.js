import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The flags of Node that `npm start` sets, for what starts the service in another way. */
export const START_FLAGS = scripts.start.match(/--[\w-]+=\d+/g);
