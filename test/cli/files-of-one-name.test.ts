import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;
beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
  for (const place of ['a', 'b']) mkdirSync(join(folder, place));
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const ingest = (...paths: string[]) =>
  svc('ingest', ...paths.map((path) => join(folder, path)), '--type', 'messages', '--domain', 'chats');
const labels = async (): Promise<string[]> =>
  (await svcJson('documents', '--domain', 'chats')).documents.map(({ label }: { label: string }) => label).sort();

describe('files of messages of one name in several directories', () => {
  it('are a session each, however often and from wherever they are read', async () => {
    write('a/chat.jsonl', '{"text": "The kettle is back", "speaker": "Mara"}\n');
    write('b/chat.jsonl', '{"text": "The roof leaks", "speaker": "Jon"}\n');
    expect(await ingest('')).toMatchObject({ code: 0 });
    expect(await labels()).toEqual(['a/chat', 'b/chat']);
    for (const paths of [[''], ['a'], ['b/chat.jsonl'], ['a/chat.jsonl', 'b/chat.jsonl']]) {
      expect((await ingest(...paths)).stdout).not.toContain('added');
      expect(await labels()).toEqual(['a/chat', 'b/chat']);
    }
    rmSync(join(folder, 'b'), { recursive: true });
    write('a/chat.jsonl', '{"text": "The kettle is back", "speaker": "Mara"}\n{"text": "Tea", "speaker": "Jon"}\n');
    expect((await ingest('')).stdout).toContain('1 added');
    expect(await labels()).toEqual(['a/chat', 'b/chat']);
    expect((await svc('forget', join(folder, 'a/chat.jsonl'), '--sessions', '--domain', 'chats')).code).toBe(0);
    expect(await labels()).toEqual(['b/chat']);
  }, 120_000);

  it('stay in the session of their name where they were read into it before', async () => {
    write('a/chat.txt', '12/03/2024, 14:05 - Anna: Hello\n12/03/2024, 14:06 - Bob: The kettle is back\n');
    await ingest('');
    expect(await labels()).toEqual(['chat 2024-03-12']);
    write('b/chat.txt', '12/03/2024, 15:05 - Eva: Hello\n12/03/2024, 15:06 - Tom: The roof leaks\n');
    for (const expected of ['2 added', '2 unchanged']) {
      expect((await ingest('')).stdout).toContain(expected);
      expect(await labels()).toEqual(['b/chat 2024-03-12', 'chat 2024-03-12']);
    }
  }, 120_000);

  it('that name a session themselves share it', async () => {
    write('a/s1.jsonl', '{"text": "The kettle is back", "session_id": "s1"}\n');
    write('b/s1.jsonl', '{"text": "The roof leaks", "session_id": "s1"}\n');
    await ingest('');
    expect(await labels()).toEqual(['s1']);
  }, 60_000);
});
