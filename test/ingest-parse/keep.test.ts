import { describe, expect, it } from '@jest/globals';
import { readParts } from './read-parts.js';

const note = {
  color: 'YELLOW',
  isTrashed: false,
  isPinned: true,
  title: 'Bike',
  textContent: 'Lock key number 40917\nframe WBK 118\n\nDB_PASSWORD=hunter22x',
  userEditedTimestampUsec: 1788077472000000,
  labels: [{ name: 'stuff' }],
};
const read = (object: object) => readParts('2026-08-30.json', Buffer.from(JSON.stringify(object)));

describe('notes of Google Keep', () => {
  it('are read as notes, not as the settings of a program', async () => {
    const [title, text, secret, about] = await read(note);
    expect([title, text]).toEqual(['1 Bike', 'Lock key number 40917\nframe WBK 118']);
    expect(secret).not.toContain('hunter22x');
    expect(about).toBe('labels: stuff; edited: 2026-08-30.');
  });

  it('have the boxes of their lists, and the name of their file where they have no title', async () => {
    const listContent = [
      { text: 'light bulbs E14', isChecked: false },
      { text: 'cat food', isChecked: true },
    ];
    const { textContent: _, labels: __, ...others } = note;
    expect(await read({ ...others, title: '', listContent })).toEqual([
      '1 2026-08-30',
      '- [ ] light bulbs E14',
      '- [x] cat food',
      'edited: 2026-08-30.',
    ]);
  });

  it('that were thrown away are left out', async () => {
    await expect(read({ ...note, isTrashed: true })).rejects.toMatchObject({
      message: expect.stringContaining('is a note in the trash'),
      details: { skipped: true },
    });
  });

  it('are told from other objects', async () => {
    expect((await read({ title: 'Bike', textContent: 'x', isTrashed: 'no' })).join('\n')).toContain('isTrashed');
  });
});
