import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;
beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
const large = (name: string, beginning: string) => {
  write(name, beginning);
  truncateSync(join(folder, name), 257 * 2 ** 20);
};
const WHATSAPP = '12/03/2024, 14:05 - Anna: Hello\n12/03/2024, 14:06 - Bob: The kettle is back\n';
const all = (...more: string[]) => svc('ingest', folder, '--type', 'messages', '--domain', 'chats', ...more);

describe('a folder of messages', () => {
  it('is read without a text in another encoding and a large log, which are named', async () => {
    write('WhatsApp Chat.txt', WHATSAPP);
    write('readme.txt', Buffer.from('Für die Küche\n', 'latin1'));
    large('server.txt', 'started\n');
    const { code, stdout } = await all();
    expect(code).toBe(0);
    expect(stdout).toContain('2 messages of 1 session: 2 added\n');
    expect(stdout).toContain('note 2 files have no messages that can be read and were left out:\n');
    expect(stdout).toMatch(
      / {5}\S*readme\.txt: The file is not .*UTF-8.*\n {5}\S*server\.txt is larger than 256 MiB;/u,
    );
  }, 60_000);

  it.each<[string, () => void, string]>([
    [
      'of WhatsApp in another encoding',
      () => write('c.txt', Buffer.from(`${WHATSAPP}12/03/2024, 14:07 - Bö: Hi\n`, 'latin1')),
      'UTF-8',
    ],
    ['of WhatsApp in UTF-16 without its mark', () => write('c.txt', Buffer.from(WHATSAPP, 'utf16le')), 'UTF-16'],
    ['that is large, of Claude', () => large('c.json', '[{"uuid": "a", "name": "B", "chat_messages": [{'), '256 MiB'],
    ['that is large, of a day of Slack', () => large('2024-03-12.json', '['), '256 MiB'],
    [
      'of ChatGPT that is cut off',
      () => write('c.json', '[{"title": "Trip", "create_time": 17'),
      'ChatGPT exported, and is cut off',
    ],
    [
      'of Claude that is cut off',
      () => write('c.json', '[{"uuid": "a", "name": "Trip", "summ'),
      'Claude exported, and is cut off',
    ],
    ['of a day of Slack that is a text', () => write('2024-03-12.json', 'No JSON'), 'no day of a channel'],
  ])('is refused for an export %s', async (_what, make, reason) => {
    write('WhatsApp Chat.txt', WHATSAPP);
    make();
    expect(await all()).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });

  it('is read with its lists of messages and JSON Lines, a session for each file; what holds none is named', async () => {
    mkdirSync(join(folder, 'a'));
    write(
      'a/monday.jsonl',
      '{"text": "The kettle is back", "speaker": "Mara"}\n{"text": "At last", "speaker": "Jon"}\n',
    );
    write('tuesday.ndjson', '{"text": "The roof leaks", "speaker": "Mara"}\n');
    write('friday.json', '[{"text": "It is mended", "speaker": "Jon"}]');
    write('2024-03-12.json', '[{"text": "The oven is cold", "speaker": "Jon"}]');
    write('notes.txt', 'No chat.\nOf nobody.\n');
    write('broken.jsonl', '{"text": "One"}\n{"speaker": "Jon"}\n');
    write('settings.json', '{"a": 1}');
    write('empty.txt', '');
    const { files, left_out } = await svcJson('ingest', folder, '--type', 'messages', '--domain', 'chats');
    expect(files.map(({ messages }: { messages: number }) => messages)).toEqual([1, 2, 1, 1]);
    const { documents } = await svcJson('documents', '--domain', 'chats');
    expect(documents.map(({ label }: { label: string }) => label).sort()).toEqual([
      '2024-03-12',
      'friday',
      'monday',
      'tuesday',
    ]);
    const at = (name: string) => join(folder, name);
    expect(left_out.map(({ reason }: { reason: string }) => reason)).toEqual([
      `Line 2 of ${at('broken.jsonl')} is no message: text is missing; it is required.`,
      `${at('empty.txt')} is empty; there is nothing to ingest.`,
      `${at('notes.txt')} is plain text, and no chat.`,
      `Line 1 of ${at('settings.json')} is no message: text is missing; it is required.`,
    ]);
    expect((await all()).stdout).toContain('1 message of 1 session: 1 unchanged');
  }, 60_000);

  it('without messages is refused with what was left out, and lists of people are no remark', async () => {
    write('broken.jsonl', '{"text": "One"}\n{"speaker": "Jon"}\n');
    const { code, stderr } = await all();
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${folder} is a directory; name`)]);
    expect(stderr).toContain(`Line 2 of ${join(folder, 'broken.jsonl')} is no message`);
    mkdirSync(join(folder, 'zoo'));
    write('users.json', '[{"id": "U1", "name": "mara"}]');
    write('zoo/2024-03-12.json', '[{"type": "message", "user": "U1", "text": "Fed", "ts": "1710252300.000100"}]');
    write('zoo/2024-03-13.json', '[]');
    const { left_out } = await svcJson('ingest', folder, '--type', 'messages', '--domain', 'chats');
    expect(left_out).toHaveLength(1);
  }, 60_000);
});
