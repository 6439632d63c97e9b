import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hash20 } from '../../src/core/ids.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;
let file: string;
beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
  file = join(folder, 'conversations.json');
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const created_at = '2026-02-01T10:00:00Z';
const claude = (uuid: string, name: string, ...texts: readonly string[]) => {
  const chat_messages = texts.map((text, i) => ({ uuid: `${uuid}-${i}`, sender: 'human', text, created_at }));
  return { uuid, name, created_at, chat_messages };
};
const chatgpt = (id: string, title: string, texts: readonly string[]) => {
  const mapping = texts.map((text, i) => {
    const message = { id: `${id}-${i}`, author: { role: 'user' }, content: { content_type: 'text', parts: [text] } };
    return [String(i), { id: String(i), message, parent: i === 0 ? null : String(i - 1), children: [] }];
  });
  return { conversation_id: id, title, create_time: 1_769_940_000, mapping: Object.fromEntries(mapping) };
};
const ingest = async (...chats: unknown[]) => {
  writeFileSync(file, JSON.stringify(chats));
  return (await svc('ingest', file, '--type', 'messages', '--domain', 'chats')).stdout;
};
const sessions = async () =>
  (await svcJson('documents', '--domain', 'chats')).documents
    .map(({ label, passages }: { label: string; passages: number }) => `${label}: ${passages}`)
    .sort();
const AT = '2026-02-01 10:00';
const mark = (id: string) => hash20(id).slice(0, 8);

describe('a conversation with an assistant', () => {
  it('stays in its session when its title is another one in the next export', async () => {
    await ingest(claude('c1', 'Deposit', 'We paid it.'), claude('c2', 'Roof', 'It leaks.'));
    const stdout = await ingest(
      claude('c1', 'Deposit of the shop', 'We paid it.', 'It was 1,200 euros.'),
      claude('c2', 'Repairs', 'It leaks.', 'It is mended.'),
    );
    expect(stdout).toContain('4 messages of 2 sessions: 2 added, 2 unchanged');
    expect(stdout).toContain(
      `2 conversations have new titles and stay in the sessions of before: Deposit of the shop ${AT} in Deposit ${AT}, Repairs ${AT} in Roof`,
    );
    expect(await sessions()).toEqual([`Deposit ${AT}: 2`, `Roof ${AT}: 2`]);
    await ingest(chatgpt('g1', 'Sourdough', ['Bruno is hungry.']));
    await ingest(chatgpt('g1', 'My starter', ['Bruno is hungry.', 'Bruno is fed.']));
    expect(await sessions()).toContain(`Sourdough ${AT}: 2`);
    const { stdout: forgotten } = await svc('forget', file, '--sessions');
    expect(forgotten).toContain('Forgotten: 1 source;');
    expect(await sessions()).toEqual([`Deposit ${AT}: 2`, `Roof ${AT}: 2`]);
  }, 60_000);

  it('has a session of its own beside another of its title and minute, whichever comes first later', async () => {
    const [one, two] = [claude('c1', 'Deposit', 'We paid it.'), claude('c2', 'Deposit', 'They want more.')];
    await ingest(one, two);
    expect(await sessions()).toEqual([`Deposit ${AT} ${mark('c2')}: 1`, `Deposit ${AT}: 1`]);
    const three = claude('c3', 'Deposit', 'A third one.');
    expect(await ingest(three, two, one)).toContain('3 messages of 3 sessions: 1 added, 2 unchanged\n');
    expect(await sessions()).toHaveLength(3);
  }, 60_000);

  it('goes on in a session that an earlier release shared between two', async () => {
    const lines = ['c1-0', 'c2-0'].map((message_id, i) =>
      JSON.stringify({
        session_id: `Deposit ${AT}`,
        message_id,
        text: `Said ${i}`,
        timestamp: '2026-02-01T10:00:00.000Z',
      }),
    );
    const stored = join(folder, 'stored.jsonl');
    writeFileSync(stored, lines.join('\n'));
    await svc('ingest', stored, '--type', 'messages', '--domain', 'chats');
    expect(await ingest(claude('c2', 'Deposit', 'Said 1'), claude('c1', 'Deposit', 'Said 0'))).toContain('2 unchanged');
    expect(await sessions()).toEqual([`Deposit ${AT}: 2`]);
  }, 60_000);

  it('is read though others of the export are broken, which are named', async () => {
    const stdout = await ingest({ uuid: 'x', name: 'Lost' }, null, claude('c1', 'Deposit', 'We paid it.'));
    expect(stdout).toBe(
      `ingested  ${file}  1 message of 1 session: 1 added\n  note 2 of the 3 entries of the list are no conversations with messages and were left out: number 1 ("Lost"), 2.\n`,
    );
  }, 60_000);
});

describe('files of messages', () => {
  it('are read from a folder of exports of several programs, and one that was cut off is named', async () => {
    const exports = join(folder, 'exports');
    mkdirSync(exports);
    const write = (name: string, text: string) => writeFileSync(join(exports, name), text);
    write('claude.json', JSON.stringify([claude('c1', 'Deposit', 'We paid it.')]));
    write('WhatsApp Chat.txt', '12/03/2024, 14:05 - Anna: Hello\n12/03/2024, 14:06 - Bob: The kettle is back\n');
    write('agent.jsonl', '{"role": "user", "content": "Hi"}\n{"role": "assistant", "content": "Hello"}\n');
    write('notes.txt', 'No chat.');
    write('settings.json', '{"a": 1}');
    const all = () => svc('ingest', exports, '--type', 'messages', '--domain', 'chats');
    expect((await all()).stdout).toMatch(/^ingested.*WhatsApp Chat.*\ningested.*agent\.jsonl.*\ningested.*claude/u);
    write('cut.json', JSON.stringify([chatgpt('g1', 'Sourdough', ['Bruno is hungry.'])]).slice(0, -9));
    expect(await all()).toMatchObject({ code: 2, stderr: expect.stringContaining('cut.json begins as a chat that') });
  }, 60_000);

  it('that are too large to be held are refused before they are read', async () => {
    writeFileSync(file, '[');
    truncateSync(file, 257 * 2 ** 20);
    const { code, stderr } = await svc('ingest', file, '--type', 'messages', '--domain', 'chats');
    expect([code, stderr]).toEqual([2, expect.stringContaining('conversations.json is larger than 256 MiB; ')]);
  });
});
