import { describe, expect, it } from '@jest/globals';
import { chatExport } from '../../src/ingest/chats/chat-export.js';
import { JsonText } from '../../src/ingest/chats/json-text.js';
import { leftOutOf } from '../../src/ingest/chats/left-out.js';
import { unreadableExport } from '../../src/ingest/chats/unreadable-export.js';
import { parse } from '../../src/ingest/parse/parse.js';

function read(written: unknown) {
  const text = new JsonText(typeof written === 'string' ? written : JSON.stringify(written));
  return chatExport({ text, name: 'export', directory: 'exports', users: undefined });
}
const parsed = (written: unknown) =>
  parse({ bytes: Buffer.from(JSON.stringify(written)), name: 'export.json', type: 'json' });

const claude = (name: string, ...texts: string[]) => {
  const chat_messages = texts.map((text, i) => ({ uuid: `m${i}`, sender: 'human', text }));
  return { uuid: name, name, created_at: '2026-03-01T12:30:00Z', chat_messages };
};
const chatgpt = (title: string, text: string) => {
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } };
  const mapping = { a: { id: 'a', message, parent: null, children: [] } };
  return { title, create_time: 1_772_368_200, current_node: 'a', mapping };
};
const model = (text: string) => ({ messages: [{ role: 'user', content: text }] });

describe('an export with odd conversations', () => {
  it.each([
    ['ChatGPT', [chatgpt('A', 'One'), null, { title: 'B' }, chatgpt('C', 'Two'), chatgpt('D', 'Three')]],
    ['Claude', [{ uuid: 'x', name: '' }, claude('A', 'One'), claude('C', 'Two', 'Three')]],
    ['an agent', [model('One'), { messages: [] }, model('Two'), model('Three')]],
  ])('of %s is read without those that are broken or empty', async (_program, written) => {
    expect(read(written)?.map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
    const records = written.filter((one) => one !== null);
    await expect(parsed(records)).rejects.toThrow(/messages/u);
  });

  it.each([
    ['ChatGPT', [{ title: 'B', mapping: 7 }, chatgpt('A', 'One'), null, { title: 'C\n' }], ['1 ("B")', '3', '4 ("C")']],
    ['Claude', [claude('A', 'One'), { uuid: 'x', name: 'Lost' }], ['2 ("Lost")']],
    ['an agent', [model('One'), { messages: [] }, { id: 's' }], ['2', '3']],
  ])('of %s is read where one conversation alone is whole, and tells the others', (_program, written, entries) => {
    expect(read(written)?.map(({ text }) => text)).toEqual(['One']);
    expect(leftOutOf(new JsonText(JSON.stringify(written)))).toEqual({ listed: written.length, entries });
  });

  it('is none where an entry is a message by itself', () => {
    expect(read([model('One'), { text: 'Two' }])).toBeUndefined();
  });

  it('goes on behind a message that shows nothing', () => {
    const texts = ['\u200b', '\u0000\u2063 \ufeff', 'Back in May.\u0000', 'Paid \ud83d'];
    expect(read([claude('A', ...texts)])?.map(({ text }) => text)).toEqual(['Back in May.', 'Paid \ufffd']);
  });

  it('is a session of the file where the title of a conversation shows nothing', () => {
    const [first, second] = read([{ ...claude('\u200b\u0000', 'One'), created_at: null }, claude('a\u0000b', 'Two')])!;
    expect([first!.session_id, second!.session_id]).toEqual(['export', 'ab 2026-03-01 12:30']);
  });

  it('has what is longer than a message in several, none of which ends within a character', () => {
    const long = `${'a'.repeat(999_999)}😀${'b'.repeat(10)}`;
    const messages = read([claude('A', long, 'Short')])!;
    expect(messages.map(({ text }) => text.length)).toEqual([999_999, 12, 5]);
    expect(messages.map(({ message_id }) => message_id)).toEqual(['m0', 'm0:2', 'm1']);
    expect(messages[0]!.text + messages[1]!.text).toBe(long);
  });

  it('has ids that can be stored', () => {
    const ids = { id: 'i'.repeat(2000), session_id: 's'.repeat(2000) };
    const [long, blank] = read([
      { role: 'user', content: 'One', ...ids },
      { role: 'user', content: 'Two', id: ' ', session_id: ' ' },
    ])!;
    expect([long!.message_id!.length, long!.session_id.length]).toEqual([20, 20]);
    expect(blank).toEqual({ session_id: 'export', text: 'Two' });
  });

  it('of Telegram may nest a text as deep as it likes', () => {
    const nested = `${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`;
    const message = `{"id": 1, "type": "message", "date": "2024-01-01T00:00:00", "text": `;
    const good = `${message}["Back in ", {"type": "bold", "text": "May"}]}`;
    const messages = read(`{"messages": [${message}${nested}}, ${good}]}`);
    expect(messages?.map(({ text }) => text)).toEqual(['Back in May']);
  });
});

describe('logs of agents', () => {
  it('hold calls of tools without content', () => {
    const call = { role: 'assistant', tool_calls: [{ id: 'c' }] };
    expect(read([...model('One').messages, call])?.map(({ text }) => text)).toEqual(['One']);
  });

  it('that have a broken line are told which', () => {
    const line = JSON.stringify(model('One').messages[0]);
    const broken = `${line}\n\n${line.slice(0, -3)}\n${line}`;
    expect(read(broken)).toBeUndefined();
    expect(unreadableExport(new JsonText(broken))).toBe('has no JSON on line 3; mend or remove the line.');
  });
});

describe('other documents', () => {
  it.each([
    ['settings of a bot', { guild: { id: 1 }, channel: { id: 2 }, messages: ['Welcome aboard', 'Goodbye'] }],
    [
      'settings with messages',
      { guild: { id: 1 }, channel: { id: 2 }, messages: [{ key: 'a', text: 'Welcome aboard' }] },
    ],
    ['prompts', [{ id: 'p1', role: 'system', content: 'Welcome aboard' }]],
    ['a request', { model: 'm', messages: [{ role: 'system', content: 'Welcome aboard' }] }],
    ['an organisation', { mapping: { a: { parent: null, children: ['b'], title: 'Welcome aboard' } } }],
    [
      'a table of roles',
      [
        { role: 'user', content: 'Welcome aboard' },
        { role: 'Editor', content: 'Writes' },
      ],
    ],
    ['a mapping of fields', [{ uuid: 'u', mapping: { field: 'Welcome aboard' } }]],
  ])('are no chats: %s', async (_name, written) => {
    expect(read(written)).toBeUndefined();
    const { parts } = await parsed(written);
    expect(parts.map(({ text }) => text).join()).toContain('Welcome aboard');
  });
});
