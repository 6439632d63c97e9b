import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chatExport } from '../../src/ingest/chats/chat-export.js';
import { JsonText } from '../../src/ingest/chats/json-text.js';
import { parse } from '../../src/ingest/parse/parse.js';

function read(written: unknown, name = 'conversations') {
  const text = new JsonText(typeof written === 'string' ? written : JSON.stringify(written));
  const messages = chatExport({ text, name, directory: 'exports', users: undefined });
  return messages?.map(({ conversation: _identity, ...message }) => message);
}

const node = (id: string, parent: string | null, message: object | null) => {
  return { [id]: { id, message: message === null ? null : { id: `m-${id}`, ...message }, parent, children: [] } };
};
const said = (role: string, text: string, more: object = {}) => {
  return { author: { role }, content: { content_type: 'text', parts: [text] }, recipient: 'all', ...more };
};
const CHATGPT = {
  title: 'Sourdough  for beginners',
  create_time: 1_772_368_200.5,
  current_node: 'e',
  mapping: {
    ...node('root', null, null),
    ...node('s', 'root', said('system', 'You are helpful.')),
    ...node('u', 's', said('user', 'My starter is called Bruno.', { create_time: 1_772_368_210 })),
    ...node('x', 'u', said('assistant', 'A first answer, made anew.', { create_time: 1_772_368_215 })),
    ...node('t', 'u', said('assistant', 'search("sourdough")', { recipient: 'web' })),
    ...node('r', 't', { author: { role: 'tool' }, content: { content_type: 'text', parts: ['Results'] } }),
    ...node('h', 'r', {
      author: { role: 'assistant' },
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Thinking', content: 'Hm.' }] },
    }),
    ...node(
      'a',
      'h',
      said('assistant', 'Feed Bruno twice a day.【4†baking.pdf】 \ue200cite\ue202turn0search0\ue201', {
        create_time: 1_772_368_220,
      }),
    ),
    ...node('i', 'a', {
      author: { role: 'user' },
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-1' }, 'Is this mould?'],
      },
      create_time: null,
    }),
    ...node('z', 'i', said('user', 'Hidden', { metadata: { is_visually_hidden_from_conversation: true } })),
    ...node('e', 'z', said('assistant', 'No, that is flour.')),
  },
};

const CLAUDE = {
  uuid: 'c-1',
  name: 'Lease of the shop',
  created_at: '2026-03-01T12:30:00.123456Z',
  chat_messages: [
    {
      uuid: 'm-1',
      sender: 'human',
      text: 'What is the deposit?',
      content: [{ type: 'text', text: 'What is the deposit?' }],
      created_at: '2026-03-01T12:30:05Z',
      attachments: [{ file_name: 'lease.txt', extracted_content: 'The deposit is 1,200 euros.\n' }, { file_name: 'a' }],
    },
    {
      uuid: 'm-2',
      sender: 'assistant',
      text: 'This block is not supported on your current device yet.',
      content: [
        { type: 'thinking', thinking: 'It is in the file.' },
        { type: 'tool_use', name: 'search', input: {} },
        { type: 'text', text: 'It is 1,200 euros.' },
        { type: 'text', text: 'You pay it once.' },
      ],
      created_at: '2026-03-01T12:30:20Z',
    },
    { uuid: 'm-3', sender: 'human', text: 'Thanks', created_at: 'soon' },
    { uuid: 'm-4', sender: 'assistant', text: ' ', content: [] },
  ],
};

const DISCORD = {
  guild: { id: '1', name: 'Harbour crew' },
  channel: { id: '2', type: 'GuildTextChat', category: 'Boats', name: 'repairs', topic: null },
  dateRange: { after: null, before: null },
  messages: [
    ['Default', '10', 'The Heron leaks.', { name: 'mara.b', nickname: 'Mara' }],
    ['ChannelPinnedMessage', '11', 'Pinned a message.', { name: 'mara.b', nickname: 'Mara' }],
    ['Reply', '12', 'I seal her on Friday.', { name: 'jon', nickname: null }],
    ['Default', '13', '', { name: 'jon', nickname: null }],
  ].map(([type, id, content, author]) => ({ id, type, timestamp: '2026-03-01T23:30:00.5+02:00', content, author })),
};

describe('conversations with ChatGPT', () => {
  it('are the branch that was read last, without instructions, tools, thoughts and marks of sources', () => {
    const session_id = 'Sourdough for beginners 2026-03-01 12:30';
    const own = { role: 'assistant', speaker: 'ChatGPT' };
    expect(read([CHATGPT])).toEqual([
      {
        session_id,
        message_id: 'm-u',
        text: 'My starter is called Bruno.',
        timestamp: '2026-03-01T12:30:10.000Z',
      },
      { session_id, message_id: 'm-a', ...own, text: 'Feed Bruno twice a day.', timestamp: '2026-03-01T12:30:20.000Z' },
      { session_id, message_id: 'm-i', text: 'Is this mould?', timestamp: '2026-03-01T12:30:20.000Z' },
      { session_id, message_id: 'm-e', ...own, text: 'No, that is flour.', timestamp: '2026-03-01T12:30:20.000Z' },
    ]);
    expect(read(CHATGPT)).toEqual(read([CHATGPT]));
  });

  it('may lack a title, a time and the message that was read last, and may lead in a circle', () => {
    const mapping = { ...node('a', 'b', said('user', 'One')), ...node('b', 'a', said('assistant', 'Two')) };
    expect(
      read([
        { title: null, mapping },
        { current_node: '', mapping: {} },
      ]),
    ).toEqual([
      { session_id: 'conversations', message_id: 'm-a', text: 'One' },
      { session_id: 'conversations', message_id: 'm-b', role: 'assistant', speaker: 'ChatGPT', text: 'Two' },
    ]);
  });
});

describe('conversations with Claude', () => {
  it('are read without thoughts and tools, and with the text of attached files', () => {
    const session_id = 'Lease of the shop 2026-03-01 12:30';
    expect(read([CLAUDE])).toEqual([
      {
        session_id,
        message_id: 'm-1',
        text: 'What is the deposit?\n\nlease.txt:\nThe deposit is 1,200 euros.',
        timestamp: '2026-03-01T12:30:05.000Z',
      },
      {
        session_id,
        message_id: 'm-2',
        role: 'assistant',
        speaker: 'Claude',
        text: 'It is 1,200 euros.\n\nYou pay it once.',
        timestamp: '2026-03-01T12:30:20.000Z',
      },
      { session_id, message_id: 'm-3', text: 'Thanks', timestamp: '2026-03-01T12:30:00.123Z' },
    ]);
  });

  it('take no attached file that makes the message too long', () => {
    const attachments = ['a'.repeat(999_990), 'Small'].map((extracted_content) => ({ extracted_content }));
    const long = { ...CLAUDE, chat_messages: [{ uuid: 'm', sender: 'human', text: 'Read these.', attachments }] };
    expect(read([long])?.map(({ text }) => text)).toEqual(['Read these.\n\nSmall']);
  });
});

describe('channels of Discord', () => {
  it('have a session for each day, with the names that people have on the server, and without notes of the program', () => {
    const session_id = 'Harbour crew repairs 2026-03-01';
    const timestamp = '2026-03-01T21:30:00.500Z';
    const messages = [
      { session_id, message_id: '10', speaker: 'Mara', text: 'The Heron leaks.', timestamp },
      { session_id, message_id: '12', speaker: 'jon', text: 'I seal her on Friday.', timestamp },
    ];
    expect(read(DISCORD)).toEqual(messages);
    const [direct] = read({ ...DISCORD, guild: { name: 'Direct Messages' } }) ?? [];
    expect(direct?.session_id).toBe('repairs 2026-03-01');
  });
});

describe('conversations as language models take them', () => {
  const MESSAGES = [
    { role: 'system', content: 'You are a clerk.' },
    { role: 'user', name: 'Mara', content: 'When is the kettle back?' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] },
    { role: 'tool', tool_call_id: 'c', content: '{"month": 4}' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'In April.' }, { type: 'image_url' }] },
  ];
  const READ = (session_id: string) => [
    { session_id, speaker: 'Mara', text: 'When is the kettle back?' },
    { session_id, role: 'assistant', text: 'In April.' },
  ];
  const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');

  it('are read from a list, from lines, and from lists in objects', () => {
    for (const written of [MESSAGES, lines(MESSAGES), { model: 'm', messages: MESSAGES }])
      expect(read(written, 'till')).toEqual(READ('till'));
    expect(read(lines([{ messages: MESSAGES }, { id: 'late', messages: MESSAGES }]), 'till')).toEqual([
      ...READ('till 1'),
      ...READ('late'),
    ]);
    const dated = { role: 'user', content: 'Hi', id: 'm1', session_id: 's', timestamp: '2026-03-01T12:00:00Z' };
    expect(read([dated])).toEqual([
      { session_id: 's', message_id: 'm1', text: 'Hi', timestamp: '2026-03-01T12:00:00.000Z' },
    ]);
    for (const timestamp of [1_772_366_400, 1_772_366_400_000])
      expect(read([{ ...dated, timestamp }])).toEqual(read([dated]));
  });

  it('are no records of a table that only has such columns', () => {
    expect(read([{ role: 'Editor', content: 'Writes' }])).toBeUndefined();
    expect(read([{ role: 'user', content: 'a', text: 'b' }])).toBeUndefined();
  });
});

describe('every conversation of these kinds', () => {
  it('is left out of a folder of documents, to be read as messages', async () => {
    const files = [[CHATGPT], CHATGPT, [CLAUDE], CLAUDE, DISCORD, [{ role: 'user', content: 'Hi' }]];
    for (const written of files) {
      const bytes = new TextEncoder().encode(JSON.stringify(written));
      await expect(parse({ bytes, name: 'conversations.json', type: 'json' })).rejects.toThrow(/messages/u);
    }
  });

  it('is read whatever stands in its members', () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('text', 'user', 1e300, -1, [null], { parts: [{}] }));
    const members = (like: object) => fc.record(Object.fromEntries(Object.keys(like).map((key) => [key, odd])));
    const mapping = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'root'), odd);
    const chats = fc.oneof(
      fc.record({ title: odd, create_time: odd, current_node: fc.constantFrom('a', 'b', 'constructor'), mapping }),
      fc.record({ title: odd, uuid: odd, created_at: odd, chat_messages: fc.array(members(CLAUDE.chat_messages[0]!)) }),
      fc.record({
        guild: fc.record({ name: odd }),
        channel: fc.record({ name: odd }),
        messages: fc.array(members({ ...DISCORD.messages[0] })),
      }),
      fc.record({
        messages: fc.array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: odd, id: odd })),
      }),
    );
    fc.assert(
      fc.property(fc.oneof(chats, fc.array(chats)), (written) => {
        for (const { session_id, text, timestamp } of read(written) ?? []) {
          expect(session_id.trim()).not.toBe('');
          expect(text.trim()).not.toBe('');
          if (timestamp !== undefined) expect(new Date(timestamp).toISOString()).toBe(timestamp);
        }
      }),
      { numRuns: 500, seed: 20261201 },
    );
  });
});
