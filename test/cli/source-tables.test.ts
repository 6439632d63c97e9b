import { expect, it } from '@jest/globals';
import { discovered } from '../../src/cli/output/source-tables.js';

it('discover says of a view that its rows were not counted, and marks an estimate', () => {
  const common = { schema: 'main', columns: [{}], pk_columns: [], fk_count: 0 };
  const shown = discovered({
    tables: [
      { ...common, name: 'orders', kind: 'table', row_count: 403 },
      { ...common, name: 'events', kind: 'table', row_count: 120_000, row_count_estimated: true },
      { ...common, name: 'archive', kind: 'table', row_count: 0, row_count_estimated: true },
      { ...common, name: 'open_orders', kind: 'view', row_count: 0, row_count_estimated: true },
    ],
  });
  const rows = shown.split('\n');
  const cells = (name: string): string => rows.find((row) => row.includes(name))!;
  expect(cells(' orders ')).toContain(' 403 ');
  expect(cells('events')).toContain('about 120000');
  expect(cells('archive')).toContain('about 0');
  expect(cells('open_orders')).toContain('not counted');
  expect(cells('open_orders')).not.toContain('about');
});
