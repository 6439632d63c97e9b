// `npm run pins` writes the tables of routes in docs/api.md anew, between their marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { VARIANTS, type VariantName } from '../src/server/variants.js';
import { routesTable } from './routes-table.js';

export const API_PAGE = new URL('../docs/api.md', import.meta.url);

/** The page with its tables as the rows are now. */
export function withTables(page: string): string {
  return (Object.keys(VARIANTS) as VariantName[]).reduce((text, name) => {
    const [begin, end] = [`<!-- routes of variant ${name} -->`, `<!-- end of variant ${name} -->`];
    const [before, after] = [text.indexOf(begin), text.indexOf(end)];
    if (before < 0 || after < 0) throw new Error(`docs/api.md lacks the marks of variant ${name}.`);
    return `${text.slice(0, before + begin.length)}\n\n${routesTable(VARIANTS[name].rows)}\n\n${text.slice(after)}`;
  }, page);
}

export function writeTables(): void {
  writeFileSync(API_PAGE, withTables(readFileSync(API_PAGE, 'utf8')));
}
