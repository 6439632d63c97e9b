import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const said = (day: string, text: string) => `${day}/2026, 18:02 - Ana: ${text}\n`;
let chat: string;
beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  chat = join(temporaryDirectory(), 'Hall.txt');
  writeFileSync(chat, said('13/02', 'The hall is locked.') + said('14/02', 'The key is at the till.'));
  writeFileSync(join(dirname(chat), 'notes.txt'), 'The barn is open.');
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const kinds = async () =>
  (await svcJson('documents', '--domain', 'hall')).documents.map(({ kind }: { kind: string }) => kind).sort();

it('a chat that is kept as messages is not read as text again with its directory', async () => {
  await svc('ingest', chat, '--type', 'messages', '--domain', 'hall');
  appendFileSync(chat, said('15/02', 'The till is closed.'));
  const { code, stdout } = await svc('ingest', dirname(chat), '--domain', 'hall');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/skipped .*Hall\.txt.*kept as messages.*--type messages/)]);
  expect(await kinds()).toEqual(['file', 'session', 'session']);
  await svc('ingest', chat, '--type', 'text', '--domain', 'hall');
  expect(await kinds()).toEqual(['file', 'file', 'session', 'session']);
}, 60_000);

it('one that is known as text, or in another domain, is read as before', async () => {
  await svc('ingest', chat, '--type', 'messages', '--domain', 'barn');
  const first = await svc('ingest', dirname(chat), '--domain', 'hall');
  expect(first.stdout).toContain('It looks like a chat');
  await svc('ingest', chat, '--type', 'messages', '--domain', 'hall');
  appendFileSync(chat, said('15/02', 'The till is closed.'));
  expect((await svc('ingest', dirname(chat), '--domain', 'hall')).stdout).toMatch(/^ingested .*Hall\.txt/m);
}, 60_000);

it('another chat of its name and days was never kept, and is read', async () => {
  await svc('ingest', chat, '--type', 'messages', '--domain', 'hall');
  const other = join(dirname(chat), 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'Hall.txt'), said('13/02', 'The mast is cut.') + said('14/02', 'The sail is torn.'));
  const { stdout } = await svc('ingest', other, '--domain', 'hall');
  expect(stdout).toMatch(/^ingested .*Hall\.txt/m);
}, 60_000);
