import { describe, expect, it } from '@jest/globals';
import type { DatabaseRow } from '../../src/backends/relational/port.js';
import { configFile } from '../../src/config/files.js';
import { contentHash } from '../../src/core/ids.js';
import { parseConventions } from '../../src/sources/inspect/conventions.js';
import { rowHash } from '../../src/sources/inspect/identity.js';
import { rowManifest } from '../../src/sources/sync/row-graph.js';
import { rowPlan } from '../../src/sources/sync/row-plan.js';
import { rowFingerprint } from '../../src/sources/sync/row-text.js';
import { tableOf } from './table.js';

const table = tableOf('modules', ['id', 'name', 'notes', 'origin', 'total']);
const view = {
  sourceId: 's',
  tables: [table],
  domainMap: {},
  conventions: parseConventions(configFile('sources.yaml')),
};
const plan = rowPlan(view, table, { edges: true, vectors: true, named: new Set() });
const row = (cells: DatabaseRow): DatabaseRow => ({ id: '1', name: 'Parser', ...cells });
const textOf = (cells: DatabaseRow) =>
  rowManifest(view, plan, { cells: row(cells), found: new Map() }).concepts[0]!.description;

describe('a value that ends with punctuation', () => {
  it.each([
    [{ origin: 'fork', total: 4 }, 'modules with origin: fork; total: 4.'],
    [{ origin: 'A fork.', total: 4 }, 'modules with origin: A fork. total: 4.'],
    [{ origin: 'A fork?', total: 'many!' }, 'modules with origin: A fork? total: many!'],
    [{ origin: 'declared by us.' }, 'modules with origin: declared by us.'],
    [{ origin: 'He said “no.”', total: 'a,' }, 'modules with origin: He said “no.” total: a,'],
    [{ notes: 'Reads text.', origin: 'us…' }, 'Reads text. modules with origin: us…'],
    [{ notes: 'Reads text', origin: 'us' }, 'Reads text. modules with origin: us.'],
    [{ notes: 'Reads text' }, 'Reads text'],
  ])('has no other mark behind it: %j', (cells, text) => {
    expect(textOf(cells)).toBe(text);
  });

  it('makes the row new for the next sync, as no other value does', () => {
    const earlier = (cells: DatabaseRow) => contentHash(`${rowHash(cells)}:${plan.signature}`);
    const kept = row({ notes: 'Reads text.', origin: 'fork' });
    expect(rowFingerprint(plan, { cells: kept, found: new Map() })).toBe(earlier(kept));
    const ended = row({ notes: 'Reads text', origin: 'A fork.' });
    expect(rowFingerprint(plan, { cells: ended, found: new Map() })).not.toBe(earlier(ended));
  });
});
