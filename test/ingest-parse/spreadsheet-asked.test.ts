import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { noted, shown, workbook } from './workbooks.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-sheets-'));
const day = (v: number) => shown(v, 'dd.mm.yyyy');
let world: World;

beforeAll(async () => {
  world = await openWorld('static');
  const path = join(directory, 'cafe.xlsx');
  const book = workbook({
    Rota: {
      rows: [
        ['Summer rota', null, null, null],
        ['Day', 'Shift', 'Who', 'Start'],
        [day(46_186), 'Early', 'Ada Pym', shown(0.270_833_3, 'hh:mm')],
        [null, 'Late', noted('Bo Reeve', 'May swap with Cy'), shown(0.604_166_7, 'hh:mm')],
        [day(46_187), 'Early', 'Cy Dale', shown(0.270_833_3, 'hh:mm')],
      ],
      merged: ['A1:D1', 'A3:A4'],
    },
    Suppliers: {
      rows: [
        ['Supplier', 'Phone', 'Discount'],
        ['Tarne Dairy', '01632 960114', shown(0.05, '0%')],
        ['North Mill', '01632 960115', shown(0.125, '0.0%')],
      ],
    },
    Contact: {
      rows: [
        ['Company:', 'Harbour Café'],
        ['Manager:', 'Dora Pym'],
        ['Seats:', 48],
      ],
    },
  });
  writeFileSync(path, book);
  await world.ingest.upload({ path, name: 'cafe.xlsx' }, { domain: 'd' });
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

it.each([
  ['Who works on 13 June 2026?', 'cafe > Rota > Summer rota > Ada Pym: day: 2026-06-13; shift: Early'],
  [
    'Who has the late shift on 13 June?',
    'Bo Reeve: day: 2026-06-13; shift: Late; who: Bo Reeve; start: 14:30; Comment: May swap with Cy.',
  ],
  ['What is the phone number of North Mill?', 'cafe > Suppliers > North Mill'],
  ['What discount does Tarne Dairy give?', 'cafe > Suppliers > Tarne Dairy'],
  ['How many seats does the Harbour Café have?', 'cafe > Contact'],
])('a question is answered by a row or form of a workbook: %s', async (context, title) => {
  const { items } = await world.retrieval.query({ context, domains: ['d'], mode: 'auto', top_k: 5 });
  expect(items[0]?.content).toContain(title);
});
