import { describe, expect, it } from '@jest/globals';
import { type MessageInput, messageIdentity, messageManifest, readMessage } from '../../src/ingest/sessions/message.js';

const message: MessageInput = {
  domain: 'chat',
  text: 'Let us meet at the harbour. I bring the maps.',
  session_id: 's1',
  role: 'user',
  speaker: 'Ada',
  timestamp: '2026-03-01T12:30:00Z',
};
const { timestamp: _, ...untimed } = message;

describe('messageManifest', () => {
  it('makes a passage of the words alone, with session, role, speaker, time and turn beside it', async () => {
    const manifest = messageManifest(await readMessage(message), 4);
    expect(manifest).toMatchObject({
      append: true,
      source: { domain: 'chat', kind: 'session', key: 's1' },
      concepts: [],
      edges: [],
      rules: [],
    });
    expect(manifest.passages).toHaveLength(1);
    expect(manifest.passages[0]).toMatchObject({
      title: '',
      text: message.text,
      about: [],
      message: { session_id: 's1', role: 'user', speaker: 'Ada', timestamp: '2026-03-01T12:30:00Z', turn: 4 },
    });
    expect(JSON.stringify({ ...manifest.passages[0], message: null })).not.toMatch(/Ada|2026/u);
  });

  it('keeps the lines that are drawn across a message, which is one text', async () => {
    for (const text of ['---', '* * *', 'Before.\n\n-----\n\nAfter.', 'Corner shop.\n-----\nMilk.']) {
      const { passages } = messageManifest(await readMessage({ ...message, text }), 0);
      expect(passages.map((passage) => passage.text)).toEqual([text]);
    }
  });

  it('gives turns passages of their own, in order, and the same turn the same ids', async () => {
    const [first, second, again] = [
      messageManifest(await readMessage(message), 0),
      messageManifest(await readMessage(message), 1),
      messageManifest(await readMessage(message), 0),
    ];
    expect(first.passages[0]?.id).not.toBe(second.passages[0]?.id);
    expect(first.passages[0]!.order).toBeLessThan(second.passages[0]!.order);
    expect(again).toEqual(first);
  });

  it('divides a long message', async () => {
    const text = Array.from(
      { length: 60 },
      (_, i) => `This is sentence number ${i} of a very long message about the harbour.`,
    ).join(' ');
    const { passages } = messageManifest(await readMessage({ ...message, text }), 2);
    expect(passages.length).toBeGreaterThan(2);
    expect(new Set(passages.map((passage) => passage.id)).size).toBe(passages.length);
    expect(passages.every((passage) => passage.message?.turn === 2)).toBe(true);
  });

  it('refuses an empty text and a time that is none', async () => {
    await expect(readMessage({ ...message, text: ' \n' })).rejects.toMatchObject({ details: { member: 'text' } });
    await expect(readMessage({ ...message, timestamp: 'yesterday' })).rejects.toMatchObject({
      details: { member: 'timestamp' },
    });
  });
});

describe('messageIdentity', () => {
  it('is the message id, else speaker, time and text, else none', () => {
    expect(messageIdentity({ ...message, message_id: 'm7', text: 'other' })).toBe(
      messageIdentity({ ...untimed, message_id: 'm7' }),
    );
    expect(messageIdentity(message)).toBe(messageIdentity({ ...message }));
    expect(messageIdentity(message)).not.toBe(messageIdentity({ ...message, speaker: 'Bob' }));
    expect(messageIdentity(message)).not.toBe(messageIdentity({ ...message, text: 'other' }));
    expect(messageIdentity(untimed)).toBeUndefined();
  });
});
