// `npm run pins`: writes schemas/pinned and the tables of docs/api.md anew. A change there is a change of what callers see: say so in the commit.
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeTables } from './api-tables.js';
import { pinned, pinnedText } from './pinned.js';

const folder = new URL('../schemas/pinned/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [file, value] of Object.entries(pinned())) writeFileSync(new URL(file, folder), pinnedText(value));
writeTables();
