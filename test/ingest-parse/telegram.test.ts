import { describe, expect, it } from '@jest/globals';
import { chatExport } from '../../src/ingest/chats/chat-export.js';
import { JsonText } from '../../src/ingest/chats/json-text.js';
import { parse } from '../../src/ingest/parse/parse.js';

const read = (value: unknown) =>
  chatExport({
    text: new JsonText(typeof value === 'string' ? value : JSON.stringify(value, null, 1)),
    name: 'result',
    directory: 'exports',
    users: undefined,
  });

const message = (id: number, more: object = {}) => {
  return {
    id,
    type: 'message',
    date: `2026-03-0${id}T10:00:00`,
    date_unixtime: '1772359200',
    from: 'Ada',
    text: 'Hola',
    ...more,
  };
};
const CHAT = {
  name: 'Tours',
  type: 'private_supergroup',
  id: 12,
  messages: [
    { id: 0, type: 'service', date: '2026-03-01T09:00:00', actor: 'Ada', action: 'create_group', text: '' },
    message(1, { text: ['The e-bike is at ', { type: 'link', text: 'example.org' }, ' now'] }),
    message(2, { from: null, text: 'The account is gone' }),
    message(3, { photo: 'photos/1.jpg', text: '' }),
    message(4, { from: 'Jon', photo: 'photos/2.jpg', text: 'The broken display' }),
  ],
};

describe('a Telegram export', () => {
  it('has messages with their pieces joined, a session for each day, without notes and bare pictures', () => {
    expect(read(CHAT)).toEqual([
      {
        session_id: 'Tours 2026-03-01',
        message_id: '1',
        speaker: 'Ada',
        text: 'The e-bike is at example.org now',
        timestamp: '2026-03-01T10:00:00Z',
      },
      {
        session_id: 'Tours 2026-03-02',
        message_id: '2',
        speaker: 'unknown',
        text: 'The account is gone',
        timestamp: '2026-03-02T10:00:00Z',
      },
      {
        session_id: 'Tours 2026-03-04',
        message_id: '4',
        speaker: 'Jon',
        text: 'The broken display',
        timestamp: '2026-03-04T10:00:00Z',
      },
    ]);
  });

  it('of all chats has those of each, named like the file where the chat has no name', () => {
    const all = {
      about: 'Here is the data',
      chats: { about: '', list: [CHAT, { id: 1, type: 'saved_messages', messages: [message(1)] }, null] },
    };
    expect(read(all)?.map(({ session_id }) => session_id)).toEqual([
      ...['Tours 2026-03-01', 'Tours 2026-03-02', 'Tours 2026-03-04'],
      'result 2026-03-01',
    ]);
  });

  it.each([
    ['{"text":"Hi","session_id":"a"}\n{"text":"Ho","session_id":"a"}'],
    [{ messages: [] }],
    [{ name: 'Log', messages: [{ id: 1, type: 'error', date: 'today' }, null, 3] }],
    [{ chats: { list: {} } }],
    [{ chats: { list: ['a'] } }],
    ['{"messages": [{'],
  ])('is none without its messages: %j', (value) => {
    expect(read(value)).toBeUndefined();
  });

  it('is refused as a document with the command that reads it', async () => {
    const bytes = Buffer.from(JSON.stringify(CHAT));
    await expect(parse({ name: 'result.json', type: 'json', bytes })).rejects.toMatchObject({
      message: expect.stringMatching(/holds messages.*--type messages/),
    });
  });
});
