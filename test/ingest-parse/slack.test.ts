import { describe, expect, it } from '@jest/globals';
import { chatExport } from '../../src/ingest/chats/chat-export.js';
import { JsonText } from '../../src/ingest/chats/json-text.js';
import { peopleIn } from '../../src/ingest/chats/slack.js';

const read = (text: string, { name = 'Chat', directory = 'exports', users }: Record<string, string | undefined> = {}) =>
  chatExport({
    text: new JsonText(text),
    name: name!,
    directory: directory!,
    users: users === undefined ? users : peopleIn(new JsonText(users)),
  });

describe('a Slack export', () => {
  const users = JSON.stringify([
    { id: 'U1', name: 'anna', profile: { real_name: 'Anna Keller', display_name: 'anna' } },
    { id: 'U2', name: 'ben', real_name: 'Ben' },
  ]);
  const list = [
    {
      type: 'message',
      user: 'U2',
      text: 'Ask <@U1> in <#C1|legal>: see <https://x.example/a|the lease> &amp; reply',
      ts: '1710252400.000200',
    },
    {
      type: 'message',
      user: 'U1',
      text: 'Is the <mailto:a@x.example|a@x.example> deposit paid?',
      ts: '1710252333.000100',
    },
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U2',
      text: '<@U2> has joined the channel',
      ts: '1710252300.000100',
    },
    { type: 'message', subtype: 'bot_message', username: 'Reminder', text: 'Rent is due', ts: '1710339000.000100' },
    { type: 'message', user: 'U3', user_profile: { real_name: 'Cem' }, text: '', ts: '1710339001.000100', files: [{}] },
    { type: 'message', user: 'U3', user_profile: { real_name: 'Cem' }, text: 'Done', ts: '1710339002.000100' },
  ];

  it('has people, channels and links by their names, in the order of time, a session for each day of a channel', () => {
    const file = { name: '2024-03-12', directory: 'legal', users };
    expect(read(JSON.stringify(list, null, 2), file)).toEqual([
      {
        session_id: 'legal 2024-03-12',
        message_id: '1710252333.000100',
        speaker: 'Anna Keller',
        text: 'Is the a@x.example deposit paid?',
        timestamp: '2024-03-12T14:05:33.000Z',
      },
      expect.objectContaining({
        speaker: 'Ben',
        text: 'Ask @Anna Keller in #legal: see the lease (https://x.example/a) & reply',
      }),
      expect.objectContaining({ session_id: 'legal 2024-03-13', speaker: 'Reminder', text: 'Rent is due' }),
      expect.objectContaining({ speaker: 'Cem', text: 'Done' }),
    ]);
  });

  it('names somebody for each message, whatever its members are', () => {
    const message = { type: 'message', text: 'Hello', ts: '1710252333.000100' };
    const names = [{ username: '' }, { username: 5 }, { username: 'x'.repeat(300) }, { user: 'U9', bot_profile: null }];
    const speakers = read(JSON.stringify(names.map((one) => ({ ...message, ...one }))))!.map(({ speaker }) => speaker);
    expect(speakers).toEqual(['unknown', 'unknown', 'x'.repeat(256), 'U9']);
  });

  it('shows groups and days by their names', () => {
    const text = '<!here> <!subteam^S1|@team> until <!date^1708214400^{date}|Feb 18>';
    expect(read(JSON.stringify([{ type: 'message', user: 'U1', text, ts: '1710252333.000100' }]))![0]!.text).toBe(
      '@here @team until Feb 18',
    );
  });

  it('has days without a message, which are no other text where there is a list of people', () => {
    const events = [{ type: 'login', ts: '1710252333.000100' }, { type: 'logout' }];
    const message = { type: 'message', text: 'Tea?', ts: '1710252333.000100' };
    expect(read(JSON.stringify([...events, message]))).toBeUndefined();
    expect(read(JSON.stringify([...events, message, message, message]))).toHaveLength(3);
    const day = { name: '2024-03-12', users };
    expect([read('[]', day), read('[{"canvas": 1}]', day), read('[]')]).toEqual([[], [], undefined]);
    expect(read('[{"text": "Tea?"}]', { users })).toBeUndefined();
  });

  it('without a list of people, or with one that is none, has their ids', () => {
    for (const users of [undefined, '{}', '[null, 5, {"id": 7}]', '['])
      expect(read(JSON.stringify(list), { users })!.map(({ speaker }) => speaker)).toEqual([
        'U1',
        'U2',
        'Reminder',
        'Cem',
      ]);
  });
});
