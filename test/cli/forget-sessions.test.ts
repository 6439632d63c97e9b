import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let chat: string;
beforeEach(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  chat = join(temporaryDirectory(), 'WhatsApp Chat with Hall.txt');
  const day = (date: string, said: string) => `${date}/2026, 18:02 - Ana: ${said}\n`;
  writeFileSync(chat, day('13/02', 'The hall is locked.') + day('14/02', 'The key is at the till.'));
  await svc('ingest', chat, '--type', 'messages', '--domain', 'hall');
  const other = join(temporaryDirectory(), 'WhatsApp Chat with Hallam.txt');
  writeFileSync(other, day('13/02', 'The barn is open.'));
  await svc('ingest', other, '--type', 'messages', '--domain', 'hall');
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const labels = async (domain: string) =>
  (await svcJson('documents', '--domain', domain)).documents.map((one: { label: string }) => one.label).sort();
const [DAY13, DAY14] = ['WhatsApp Chat with Hall 2026-02-13', 'WhatsApp Chat with Hall 2026-02-14'] as const;
const OTHER = 'WhatsApp Chat with Hallam 2026-02-13';

it('forgets all sessions of a chat file by its path or its name, also once the file is gone', async () => {
  expect((await svc('forget', chat)).stderr).toContain('--sessions forgets all of its sessions');
  const { stdout } = await svc('forget', chat, '--sessions', '--dry-run');
  expect(stdout).toContain(`Would be forgotten: 2 sources.\n  ${DAY13}, in hall\n  ${DAY14}, in hall\n`);
  expect(await labels('hall')).toEqual([DAY13, DAY14, OTHER]);
  rmSync(chat);
  const answer = await svcJson('forget', 'WhatsApp Chat with Hall.txt', '--sessions', '--domain', 'hall');
  expect(answer).toMatchObject({ status: 'forgotten', sources: 2, documents: [{ label: DAY13 }, { label: DAY14 }] });
  expect(await labels('hall')).toEqual([OTHER]);
  const again = await svc('forget', chat, '--sessions');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No session was read from')]);
}, 60_000);

it('asks for the domain where several hold sessions of the file, and for the file where none is named', async () => {
  await svc('ingest', chat, '--type', 'messages', '--domain', 'barn');
  const both = await svc('forget', chat, '--sessions');
  expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/has sessions in .*--domain/)]);
  expect((await svc('forget', chat, '--sessions', '--domain', 'barn')).code).toBe(0);
  expect(await labels('hall')).toEqual([DAY13, DAY14, OTHER]);
  for (const words of [
    ['--domain', 'hall'],
    ['--source', 'abc'],
  ])
    expect((await svc('forget', ...words, '--sessions')).stderr).toContain('--sessions is for the file of a chat');
  expect(await labels('hall')).toHaveLength(3);
}, 60_000);

it('refuses a name that is that of a file and of another one, whose name ends with a day', async () => {
  const said = (name: string, text: string) => {
    const path = join(temporaryDirectory(), name);
    writeFileSync(path, JSON.stringify({ text, speaker: 'Ana' }));
    return path;
  };
  const notes = said('notes.jsonl', 'The boat is dry.');
  const dated = said('notes 2026-01-05.jsonl', 'The boat is wet.');
  for (const path of [notes, dated]) await svc('ingest', path, '--type', 'messages', '--domain', 'notes');
  for (const path of [notes, dated]) rmSync(path);
  const both = await svc('forget', 'notes.jsonl', '--sessions');
  expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/--source: \w+ \(notes, .*\(notes 2026-01-05, /)]);
  expect(await labels('notes')).toEqual(['notes', 'notes 2026-01-05']);
  expect((await svc('forget', 'notes 2026-01-05.jsonl', '--sessions')).code).toBe(0);
  expect((await svc('forget', 'notes.jsonl', '--sessions')).code).toBe(0);
  expect(await labels('hall')).toEqual([DAY13, DAY14, OTHER]);
}, 60_000);

it('tells the sessions of a file from those of another one of its name by what they say', async () => {
  const other = join(temporaryDirectory(), 'WhatsApp Chat with Hall.txt');
  const day = (date: string, said: string) => `${date}/2026, 18:02 - Ben: ${said}\n`;
  // Nothing of the other chat is stored: the sessions of that name are not of it.
  writeFileSync(other, day('15/02', 'The hall is sold.'));
  const none = await svc('forget', other, '--sessions');
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringMatching(/holds no message of .*--source: \w+ \(.*-13, in/),
  ]);
  expect(none.stderr).toContain(DAY14);
  await svc('ingest', other, '--type', 'messages', '--domain', 'hall');
  const { stdout } = await svc('forget', other, '--sessions');
  expect(stdout).toContain('Forgotten: 1 source;');
  expect(stdout).toMatch(
    /note 2 sessions of that name are left, .*--source forgets one: \w+ \(WhatsApp .*-13, in hall\)/,
  );
  expect(await labels('hall')).toEqual([DAY13, DAY14, OTHER]);
  // Both said something on one day: nobody loses the other's words unasked.
  writeFileSync(other, day('14/02', 'The hall is let.') + day('15/02', 'The hall is sold.'));
  await svc('ingest', other, '--type', 'messages', '--domain', 'hall');
  for (const path of [chat, other]) {
    const mixed = await svc('forget', path, '--sessions');
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringMatching(/messages that are not in .*: \w+ \(.*-14, in hall\)/),
    ]);
  }
  expect(await labels('hall')).toHaveLength(4);
  // Of a path that leads nowhere nothing tells whose sessions these are; its name takes all of that name.
  rmSync(other);
  const gone = await svc('forget', other, '--sessions');
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringMatching(/is not there, .* give "WhatsApp Chat with Hall" alone/),
  ]);
  expect(await svcJson('forget', 'WhatsApp Chat with Hall', '--sessions')).toMatchObject({ sources: 3 });
  expect(await labels('hall')).toEqual([OTHER]);
}, 60_000);

it('finds the sessions that the messages of a file name themselves', async () => {
  const list = join(temporaryDirectory(), 'export.jsonl');
  writeFileSync(list, JSON.stringify({ session_id: 'pier', text: 'The pier is wet.', message_id: 'm1' }));
  await svc('ingest', list, '--type', 'messages', '--domain', 'pier');
  expect(await svcJson('forget', list, '--sessions')).toMatchObject({ sources: 1, documents: [{ label: 'pier' }] });
}, 60_000);

it('forgets messages without id and time, whatever domain they were read into', async () => {
  const file = join(temporaryDirectory(), 'talk.jsonl');
  writeFileSync(
    file,
    `${JSON.stringify({ text: 'The ship has sailed.' })}\n${JSON.stringify({ text: 'The sea is calm.' })}\n`,
  );
  await svc('ingest', file, '--type', 'messages', '--domain', 'hall');
  expect(await svcJson('forget', file, '--sessions')).toMatchObject({ sources: 1, documents: [{ label: 'talk' }] });
  await svc('ingest', file, '--type', 'messages');
  expect(await svcJson('forget', file, '--sessions')).toMatchObject({ sources: 1, documents: [{ label: 'talk' }] });
}, 60_000);
