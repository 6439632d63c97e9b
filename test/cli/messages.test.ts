import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cli } from '../../src/cli/cli.js';
import { SvcError } from '../../src/core/errors.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeAll(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  documents = temporaryDirectory();
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('the command line', () => {
  it('ingests exported messages, each once, and says which line is none before it writes any', async () => {
    const chat = join(documents, 'till.jsonl');
    const said = (text: string) => JSON.stringify({ text, speaker: 'Mara', timestamp: '2026-03-01T12:30:00Z' });
    writeFileSync(chat, `${said('Sencha is sold out.')}\n\n${said('Assam too.')}\n`);
    const ingest = () => svc('ingest', chat, '--type', 'messages', '--domain', 'chat');
    expect((await ingest()).stdout).toBe(`ingested  ${chat}  2 messages of 1 session: 2 added\n`);
    expect((await ingest()).stdout).toBe(`ingested  ${chat}  2 messages of 1 session: 2 unchanged\n`);
    const { items } = await svcJson('query', 'What is sold out?', '--domain', 'chat');
    expect(items[0]).toMatchObject({ content: 'Mara, 1 March 2026: Sencha is sold out.' });
    expect(items[0].metadata).toMatchObject({ source_id: expect.any(String), source: 'till' });
    const { stdout } = await svc('explore', items[0].id);
    expect(stdout).toMatch(/^Node +Mara, 1 March 2026$/mu);
    expect(stdout).toMatch(/Mara, 1 March 2026 │ MENTIONS/u);
    for (const [line, reason] of [
      ['{"text":', 'not a JSON object'],
      ['[{"text": "a"}]', 'it is a list'],
      ['[\n  {\n    "text": "a"\n  }\n]', 'it is a list, or the beginning of one'],
      ['[12.03.24, 14:05:33] Anna: Hello', 'not a JSON object; write a message as {"text": "…"'],
      ['{"text": "a", "timestamp": "noon"}', 'timestamp'],
      ['{"text": " \\n "}', 'text must hold more than white space'],
    ]) {
      writeFileSync(chat, `${said('This is new.')}\n${line}\n`);
      const { code, stderr } = await svc('ingest', chat, '--type', 'messages', '--domain', 'fresh');
      expect([code, stderr]).toEqual([2, expect.stringContaining(`Line 2 of ${chat} is no message: `)]);
      expect(stderr).toContain(reason);
    }
    expect((await svc('ingest', join(documents, 'none.jsonl'), '--type', 'messages')).code).toBe(2);
    expect((await svc('ingest', documents, '--type', 'messages')).stderr).toContain(
      `${documents} is a directory; name`,
    );
    expect((await svc('documents', '--domain', 'fresh')).stderr).toContain('The domain "fresh" does not exist');
    expect((await svc('forget', '--domain', 'chat')).code).toBe(0);
    rmSync(chat);
  });

  it('parses a file of JSON once, whatever it turns out to be', async () => {
    const chat = join(documents, 'whole.json');
    const parsing = jest.spyOn(JSON, 'parse');
    try {
      for (const value of [[{ text: 'The whole list.' }], { text: 'One message.' }, { messages: [] }, { other: 1 }]) {
        const text = JSON.stringify(value, null, 1);
        writeFileSync(chat, text);
        parsing.mockClear();
        await svc('ingest', chat, '--type', 'messages', '--domain', 'once');
        expect(parsing.mock.calls.filter(([written]) => written.trim() === text)).toHaveLength(1);
      }
    } finally {
      parsing.mockRestore();
      rmSync(chat);
    }
  });

  it('says what is missing of a file that holds no messages as a whole', async () => {
    const file = join(documents, 'result.json');
    const chat = { name: 'Tours', type: 'private_supergroup', id: 12, messages: [] as object[] };
    const said = { id: 1, type: 'message', date: '2026-03-01T10:00:00', from: 'Ada', text: 'Hola' };
    const whole = JSON.stringify({ ...chat, messages: [said, said] }, null, 1);
    const slack = JSON.stringify([{ type: 'message', ts: '1700000000.100', text: 'Hola' }], null, 1);
    for (const [text, reason] of [
      ['', 'is empty; there is nothing to ingest.'],
      [' \n\n', 'is empty; there is nothing to ingest.'],
      [whole.slice(0, -30), 'begins as a chat that Telegram exported, and is cut off or damaged (it has 17 lines)'],
      [whole.replaceAll('\n', '').slice(0, -30), 'begins as a chat that Telegram exported'],
      [slack.slice(0, -3), 'begins as a chat that Slack exported'],
      ['[{"title":"Tours","mapping":{"a":{', 'begins as a chat that ChatGPT exported'],
      ['[{"uuid":"1","chat_messages":[{', 'begins as a chat that Claude exported'],
      ['[{"title": "Tours", "create_time": 17', 'begins as a chat that ChatGPT exported'],
      ['[{"uuid":"4b1","name":"Tours","summary":"', 'begins as a chat that Claude exported'],
      ['[{"title": "Tou', 'is cut off: its JSON ends within a value, on line 1; export or copy it again.'],
      ['[\n {"text": "The hall is shut."},\n {"te', 'is cut off: its JSON ends within a value, on line 3;'],
      ['{\n "text": "The hall', 'is cut off: its JSON ends within a value, on line 2;'],
      [JSON.stringify(chat), 'is a chat as Telegram exports it, without a message'],
      [
        JSON.stringify({ about: '', chats: { list: [] } }, null, 1),
        'is a chat as Telegram exports it, without a message',
      ],
      ['{"messages": []}', 'has an empty list of messages; there is nothing to ingest.'],
      ['{"chats": {"open": true},\n"port": 80}', 'is one JSON object over several lines'],
      ['[]', 'holds an empty list; there is nothing to ingest.'],
      [JSON.stringify({ port: 80, hosts: ['a'] }, null, 1), 'is one JSON object over several lines'],
    ] as const) {
      writeFileSync(file, text);
      const { code, stderr } = await svc('ingest', file, '--type', 'messages', '--domain', 'fresh');
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} ${reason}`)]);
    }
    rmSync(file);
  });

  it('reads as messages every file of JSON that a plain ingest says to read as messages', async () => {
    const file = join(documents, 'messages.json');
    const [said, answered] = [
      { text: 'The hall is shut.', speaker: 'Ada' },
      { role: 'assistant', text: 'Until Friday.' },
    ];
    for (const [value, count] of [
      [[said, answered], 2],
      [said, 1],
    ] as const) {
      writeFileSync(file, JSON.stringify(value, null, 1));
      expect((await svc('ingest', file, '--domain', 'papers')).stdout).toContain('svc ingest --type messages');
      const { files } = await svcJson('ingest', '--type', 'messages', file, '--domain', 'hall-list');
      expect(files).toMatchObject([{ messages: count }]);
    }
    // A date without a time is none of Telegram's.
    writeFileSync(file, JSON.stringify({ messages: [{ type: 'message', date: '2026-03-01', text: 'Hola' }] }));
    expect((await svc('ingest', file, '--domain', 'papers')).code).toBe(0);
    writeFileSync(file, JSON.stringify([said, { text: 7 }], null, 1));
    expect(await svc('ingest', '--type', 'messages', file, '--domain', 'hall-list')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Message 2 of ${file} is no message: text`),
    });
    for (const domain of ['papers', 'hall-list']) expect((await svc('forget', '--domain', domain)).code).toBe(0);
    rmSync(file);
  });

  it('forgets a session by its label, and says of the file of a chat which sessions it has', async () => {
    const chat = join(documents, 'WhatsApp Chat with Hall.txt');
    const day = (date: string, said: string) => `${date}/2026, 18:02 - Ana: ${said}\n`;
    writeFileSync(chat, day('13/02', 'The hall is locked.') + day('14/02', 'The key is at the till.'));
    await svc('ingest', chat, '--type', 'messages', '--domain', 'hall');
    const ids = (await svcJson('documents', '--domain', 'hall')).documents.map(
      (one: { source_id: string }) => one.source_id,
    );
    for (const file of [chat, 'WhatsApp Chat with Hall.txt']) {
      const { code, stderr } = await svc('forget', file, '--domain', 'hall');
      expect([code, stderr]).toEqual([2, expect.stringContaining('was read as messages')]);
      expect(ids.every((id: string) => stderr.includes(id))).toBe(true);
    }
    const day14 = 'WhatsApp Chat with Hall 2026-02-14';
    expect((await svc('forget', day14, '--dry-run')).stdout).toContain('Would be forgotten: 1 source.');
    expect(await svcJson('forget', day14, '--domain', 'hall')).toMatchObject({ status: 'forgotten', sources: 1 });
    expect((await svcJson('query', 'hall key till', '--domain', 'hall')).items).toMatchObject([
      { content: expect.stringContaining('locked') },
    ]);
    expect((await svc('forget', '--domain', 'hall')).code).toBe(0);
    rmSync(chat);
  });

  it('ingests a directory as Slack exports it, a session for each day of a channel', async () => {
    const folder = temporaryDirectory();
    const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
    const said = (text: string, ts: string) => ({ type: 'message', user: 'U1', text, ts });
    for (const channel of ['general', 'boats']) mkdirSync(join(folder, channel));
    write('users.json', [{ id: 'U1', real_name: 'Ben Okafor' }]);
    write('channels.json', [{ id: 'C1', name: 'general' }]);
    write('settings.json', { kept: true });
    write('general/2024-03-12.json', [said('The hall is closed on Friday.', '1710252333.000100')]);
    write('general/2024-03-11.json', []);
    write('general/2024-03-13.json', [said('It opens again on Monday.', '1710338733.000100')]);
    write('boats/2024-03-12.json', [said('The skiff has a leak below the bow.', '1710252399.000200')]);
    const parsed = jest.spyOn(JSON, 'parse');
    const { files } = await svcJson('ingest', folder, '--type', 'messages', '--domain', 'slack');
    const people = parsed.mock.calls.filter(([text]) => text.includes('real_name'));
    parsed.mockRestore();
    expect(people).toHaveLength(1);
    const ingested = (files as Array<{ path: string; messages: number }>).map(({ path, messages }) => [path, messages]);
    const days = ['boats/2024-03-12.json', 'general/2024-03-12.json', 'general/2024-03-13.json'];
    expect(ingested).toEqual(days.map((day) => [join(folder, day), 1]));
    const { items } = await svcJson('query', 'Where does the skiff leak?', '--domain', 'slack');
    expect(items[0].content).toBe('Ben Okafor, 12 March 2024: The skiff has a leak below the bow.');
    expect(items[0].metadata.source).toBe('boats 2024-03-12');
    writeFileSync(join(folder, 'boats/2024-03-13.json'), '[{"type": "message", "user": "U1", "te');
    expect(await svc('ingest', folder, '--type', 'messages', '--domain', 'cut')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2024-03-13\.json is no day of a channel/),
    });
    expect((await svc('documents', '--domain', 'cut')).stderr).toContain('The domain "cut" does not exist');
  });

  it('says how many messages are new, how many took the place of others, and how many were there', async () => {
    const chat = join(documents, 'weir.jsonl');
    const ingest = async (...texts: string[]) => {
      writeFileSync(chat, texts.map((text, i) => JSON.stringify({ text, message_id: `m${i}` })).join('\n'));
      return (await svc('ingest', chat, '--type', 'messages', '--domain', 'weir')).stdout;
    };
    expect(await ingest('The weir is high.', 'Wait.')).toContain(': 2 added\n');
    expect(await ingest('The weir is low.', 'Wait.', 'Go.')).toContain(': 1 added, 1 replaced, 1 unchanged\n');
  });

  it('doubles no message without id and time, but keeps what is said twice', async () => {
    const chat = join(documents, 'hall.jsonl');
    const lines = ['Yes.', 'The hall is cold.', 'Yes.', 'Then heat it.'].map((text) => JSON.stringify({ text }));
    const ingest = async (given: readonly string[]) => {
      writeFileSync(chat, given.join('\n'));
      return (await svcJson('ingest', chat, '--type', 'messages', '--domain', 'hall')).files;
    };
    expect(await ingest(lines.slice(0, 3))).toMatchObject([{ messages: 3, unchanged: 0 }]);
    expect(await ingest(lines)).toMatchObject([{ messages: 4, unchanged: 3 }]);
    expect(await ingest(lines)).toMatchObject([{ messages: 4, unchanged: 4 }]);
    expect((await svcJson('documents', '--domain', 'hall')).documents).toMatchObject([{ passages: 4 }]);
    // The last ones of a conversation that went on: what was said again after another message is new.
    expect(await ingest([...lines.slice(1), lines[0]!])).toMatchObject([{ messages: 4, unchanged: 2 }]);
    const nulls = lines.map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: null, message_id: null }));
    expect(await ingest(nulls)).toMatchObject([{ messages: 4, unchanged: 4 }]);
    const twice = await svcJson('ingest', chat, chat, '--type', 'messages', '--domain', 'hall');
    expect(twice.files).toMatchObject([{ messages: 4, unchanged: 4 }]);
  });

  it('says which messages edits hide, and which edit is to be undone to show them', async () => {
    const chat = join(documents, 'gate.jsonl');
    const lines = ['Shut the gate.', 'It is shut.'].map((text, i) => JSON.stringify({ text, message_id: `m${i}` }));
    writeFileSync(chat, lines.join('\n'));
    const ingest = ['ingest', chat, '--type', 'messages', '--domain', 'gates'];
    await svcJson(...ingest);
    const removal = ['remove_message', 'gates', '--session-id', 'gate', '--message-id', 'm1'];
    const { edit_id } = await svcJson('edits', 'make', ...removal);
    const { files } = await svcJson(...ingest);
    expect(files).toMatchObject([
      { messages: 2, added: 0, replaced: 0, unchanged: 1, hidden: 1, warnings: [expect.stringContaining(edit_id)] },
    ]);
    const { stdout } = await svc(...ingest);
    expect(stdout).toContain('2 messages of 1 session: 1 unchanged, 1 hidden\n');
    expect(stdout).toMatch(new RegExp(`note.* hidden by edit ${edit_id}.*undo the edit to show it`));
  });

  it('says how many messages are in where one fails, and goes on with the next call', async () => {
    const chat = join(documents, 'long.jsonl');
    const texts = Array.from({ length: 250 }, (_, i) => `Number ${i}.`);
    writeFileSync(chat, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''));
    const connected = Cli.prototype.withConnection;
    const spy = jest.spyOn(Cli.prototype, 'withConnection').mockImplementationOnce(function (
      this: Cli,
      command,
      options,
      work,
    ) {
      let calls = 0;
      return connected.call(this, command, options, (connection) =>
        work({
          ...connection,
          call: (...call) => {
            if (call[0] === 'ingest_messages') calls += 1;
            return calls === 3
              ? Promise.reject(new SvcError('unavailable', 'The service stops.'))
              : connection.call(...call);
          },
        }),
      ) as never;
    });
    const ingest = () => svc('ingest', chat, '--type', 'messages', '--domain', 'long');
    const failed = await ingest();
    spy.mockRestore();
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(/At least 200 of 250 messages are in; .*\n.*The service stops\.\n$/);
    expect((await ingest()).stdout).toBe(`ingested  ${chat}  250 messages of 1 session: 50 added, 200 unchanged\n`);
    expect((await svc('forget', '--domain', 'long')).code).toBe(0);
    rmSync(chat);
  });
});
