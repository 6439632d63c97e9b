import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chatExport } from '../../src/ingest/chats/chat-export.js';
import { JsonText } from '../../src/ingest/chats/json-text.js';
import { peopleIn } from '../../src/ingest/chats/slack.js';
import { beginsLikeWhatsapp } from '../../src/ingest/chats/whatsapp.js';

const read = (text: string, { name = 'Chat', directory = 'exports', users }: Record<string, string | undefined> = {}) =>
  chatExport({
    text: new JsonText(text),
    name: name!,
    directory: directory!,
    users: users === undefined ? users : peopleIn(new JsonText(users)),
  });
const told = (text: string) => read(text)?.map(({ speaker, text, timestamp }) => [speaker, text, timestamp]);

describe('a WhatsApp export', () => {
  it.each([
    ['of a German iPhone', '[12.03.24, 14:05:33] Anna: Hallo', '2024-03-12T14:05:33Z'],
    [
      'of an American iPhone',
      '[3/12/24, 2:05:33\u202fPM] Anna: Hallo\n[3/13/24, 9:00:00\u202fAM] Anna: Ja',
      '2024-03-12T14:05:33Z',
    ],
    ['of a German Android', '12.03.24, 14:05 - Anna: Hallo', '2024-03-12T14:05:00Z'],
    ['of a British Android', '12/03/2024, 14:05 - Anna: Hallo', '2024-03-12T14:05:00Z'],
    ['of an American Android', '3/12/24, 12:05 AM - Anna: Hallo', '2024-03-12T00:05:00Z'],
    [
      'of a Spanish Android',
      '12/3/24, 2:05 p. m. - Anna: Hallo\n13/3/24, 9:00 a. m. - Anna: Sí',
      '2024-03-12T14:05:00Z',
    ],
    ['of a Portuguese Android', '12/03/2024 14:05 - Anna: Hallo', '2024-03-12T14:05:00Z'],
    ['of a Swedish one', '2024-03-12, 14:05 - Anna: Hallo', '2024-03-12T14:05:00Z'],
    ['of a Hungarian one', '2024. 03. 12. 14:05 - Anna: Hallo', '2024-03-12T14:05:00Z'],
    ['with a mark of direction', '\u200e[12.03.24, 14:05:33] ~\u202fAnna: Hallo', '2024-03-12T14:05:33Z'],
  ])('%s has who said what, and when', (_of, text, timestamp) => {
    expect(told(text)![0]).toEqual(['Anna', 'Hallo', timestamp]);
  });

  it('has messages of several lines, and none of the notes of the program', () => {
    const text = [
      '[12.03.24, 14:00:00] Miete: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
      '[12.03.24, 14:05:33] Anna: Die Kaution:',
      '1.200 Euro, fällig am 1. April',
      '\u200e[12.03.24, 14:06:00] Ben: \u200eBild weggelassen',
      '[12.03.24, 14:07:00] Ben: Einverstanden.',
      '12 Uhr passt mir \u200e<Diese Nachricht wurde bearbeitet>',
      '[13.03.24, 08:00:00] \u202a+49 170 1234567\u202c: Guten Morgen: alles gut?',
    ].join('\r\n');
    expect(told(text)).toEqual([
      ['Anna', 'Die Kaution:\n1.200 Euro, fällig am 1. April', '2024-03-12T14:05:33Z'],
      ['Ben', 'Einverstanden.\n12 Uhr passt mir', '2024-03-12T14:07:00Z'],
      ['+49 170 1234567', 'Guten Morgen: alles gut?', '2024-03-13T08:00:00Z'],
    ]);
    expect(read(text)!.map(({ session_id }) => session_id)).toEqual([
      'Chat 2024-03-12',
      'Chat 2024-03-12',
      'Chat 2024-03-13',
    ]);
    expect(read(text, { name: '_chat', directory: 'WhatsApp Miete' })![0]!.session_id).toBe(
      'WhatsApp Miete 2024-03-12',
    );
  });

  it('of Android leaves out what the program says of people', () => {
    const text = [
      '12.03.24, 14:00 - Nachrichten sind Ende-zu-Ende-verschlüsselt.',
      '12.03.24, 14:01 - Anna hat den Betreff zu „Fahrt: Rom“ geändert.',
      '12.03.24, 14:02 - Anna: <Medien ausgeschlossen>',
      '12.03.24, 14:03 - Anna: Wann fahren wir?',
    ].join('\n');
    expect(told(text)).toEqual([['Anna', 'Wann fahren wir?', '2024-03-12T14:03:00Z']]);
  });

  it.each([
    'Anna changed the description to',
    'Anna changed the subject from Trip',
    'Anna changed the group description to',
    'Anna hat die Beschreibung geändert zu',
    'Du hast den Betreff geändert in',
    'Anna a modifié le sujet',
    'Anna a changé la description du groupe',
    'Carlos Ruiz cambió el asunto del grupo a',
    'Cambiaste el nombre del grupo a',
    "Anna ha cambiato l'oggetto in",
    'Anna ha cambiato la descrizione del gruppo in',
    'Anna mudou o nome do grupo de Viagem',
    'Anna alterou a descrição do grupo para',
  ])('of Android has no message of %j', (note) => {
    const text = `12/03/2024, 14:01 - ${note}: Trip: Rome\n12/03/2024, 14:03 - Anna: When do we leave?`;
    expect(told(text)).toEqual([['Anna', 'When do we leave?', '2024-03-12T14:03:00Z']]);
  });

  it.each([
    ['time, which goes on from month to month', ['26/11/24', '26/12/01'], '2026-11-24'],
    ['time, which goes on from year to year', ['23-12-30', '24-01-02'], '2023-12-30'],
    ['days of a month', ['26/11/23', '26/11/24', '26/11/25'], '2026-11-23'],
    ['but takes a single date for one with its day first', ['26/11/24'], '2024-11-26'],
    ['but no days of one month', ['10/11/24', '11/11/24', '12/11/24'], '2024-11-10'],
    ['but no day of the months', ['15/03/24', '15/04/24', '15/05/24', '15/06/24'], '2024-03-15'],
    ['but no birthday', ['26/11/24', '26/11/25'], '2024-11-26'],
    ['but no months first', ['11/24/24', '12/01/24'], '2024-11-24'],
  ])('tells years of two digits in front by %s', (_by, dates, day) => {
    const text = dates.map((date) => `${date}, 9:00 - Anna: Hallo`).join('\n');
    expect(told(text)![0]![2]).toBe(`${day}T09:00:00Z`);
  });

  it.each([
    ['a day that is no month', ['5/3/24, 9:00 - A: a', '13/3/24, 9:00 - A: b'], '2024-03-05'],
    ['a month that is no day', ['5/3/24, 9:00 - A: a', '5/13/24, 9:00 - A: b'], '2024-05-03'],
    ['time, which goes on', ['5/3/24, 9:00 - A: a', '4/4/24, 9:00 - A: b'], '2024-03-05'],
    ['half days, where nothing else tells', ['5/3/24, 9:00 AM - A: a'], '2024-05-03'],
  ])('tells days from months by %s', (_by, lines, day) => {
    expect(told(lines.join('\n'))![0]![2]).toBe(`${day}T09:00:00Z`);
  });

  it.each([
    ['see <https://example.com/rota>'],
    ['Write to Ben <ben@example.com>'],
    ['use Array<string>'],
    ['<https://example.com>'],
    ['c\u2028d'],
    ['a\rb'],
    ['Rent: "due" today'],
    ['See the plan in report.pdf (file attached)'],
    ['Null'],
    ['null and void'],
    ['This message was deleted by admin Anna, and I want to know why'],
  ])('keeps %j whole', (said) => {
    expect(told(`12/03/2024, 14:05 - Anna: ${said}\n12/03/2024, 14:06 - Ben: Yes`)).toEqual([
      ['Anna', said, '2024-03-12T14:05:00Z'],
      ['Ben', 'Yes', '2024-03-12T14:06:00Z'],
    ]);
  });

  it('keeps people with a quotation in their names, or with no letter', () => {
    const text = '12/03/2024, 14:05 - Tom "Tommy" Jones: Yes\n12/03/2024, 14:06 - ~: No';
    expect(told(text)!.map(([speaker]) => speaker)).toEqual(['Tom "Tommy" Jones', '~']);
  });

  it.each([
    'This message was deleted',
    'You deleted this message.',
    'Se eliminó este mensaje',
    'Ce message a été supprimé',
    'Diese Nachricht wurde gelöscht.',
    'Hai eliminato questo messaggio',
    'Mensagem apagada',
    'IMG-20240312-WA0001.jpg (archivo adjunto)',
    'PTT-20240312-WA0002.opus (file attached)',
    'archive.7z (file attached)',
    '\u200eRent of March.pdf (file attached)',
    'This message was deleted by admin Anna',
    'Diese Nachricht wurde von Admin Anna K. gelöscht',
    'Ce message a été supprimé par l’admin Anna',
    'null',
  ])('of Android has no message of a deleted one or a file: %s', (said) => {
    expect(told(`12/03/2024, 14:05 - Anna: Hallo\n12/03/2024, 14:06 - Ben: ${said}`)).toEqual([
      ['Anna', 'Hallo', '2024-03-12T14:05:00Z'],
    ]);
  });

  it('of Android keeps what was written under a file, and a sentence about a deleted message', () => {
    const text = [
      '12/03/2024, 14:05 - Anna: IMG-1.jpg (file attached)',
      'The dented fork',
      '12/03/2024, 14:05 - Anna: \u200eIMG-2.jpg (file attached)',
      'And the wheel',
      '12/03/2024, 14:06 - Ben: This message was deleted by mistake, I send it again',
    ].join('\n');
    expect(told(text)!.map(([, said]) => said)).toEqual([
      'The dented fork',
      'And the wheel',
      'This message was deleted by mistake, I send it again',
    ]);
  });

  it('of Android has edited messages without their note', () => {
    expect(told('12/03/2024, 14:05 - Anna: Yes <This message was edited>')).toEqual([
      ['Anna', 'Yes', '2024-03-12T14:05:00Z'],
    ]);
  });

  it('keeps each message of any texts', () => {
    const word = fc.stringMatching(/^[\p{L}\d ,.:"“„<>!?()-]{1,40}$/u).map((text) => text.replaceAll('>', ')').trim());
    const said = fc.array(
      word.filter((text) => /^\p{L}/u.test(text)),
      { minLength: 1, maxLength: 4 },
    );
    const message = fc.record({
      minutes: fc.nat(600_000),
      lines: said,
      speaker: fc.constantFrom('Anna', 'Ben K.', 'Çağrı'),
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), fc.boolean(), (given, isPhone) => {
        const sorted = given.map((one, i) => ({ ...one, at: new Date(Date.UTC(2024, 0, 13, 0, one.minutes + i)) }));
        sorted.sort((a, b) => a.at.getTime() - b.at.getTime());
        const text = sorted.map(({ at, speaker, lines }) => {
          const [date, time] = [at.toISOString().slice(0, 10), at.toISOString().slice(11, 16)];
          const day = date.slice(2).split('-').reverse().join('.');
          return `${isPhone ? `[${day}, ${time}:00] ` : `${day}, ${time} - `}${speaker}: ${lines.join('\n')}`;
        });
        const expected = sorted.map(({ at, speaker, lines }) => [
          speaker,
          lines.join('\n').trim(),
          `${at.toISOString().slice(0, 16)}:00Z`,
        ]);
        expect(told(text.join('\n'))).toEqual(expected);
      }),
    );
  });
});

describe('another text', () => {
  it.each([
    ['of messages as JSON Lines', '{"text":"a"}\n{"text":"b"}'],
    ['of another list', '[{"text":"a"}]'],
    ['that begins with words', 'Notes\n12.03.24, 14:05 - Anna: Hallo'],
    ['with times and nobody who speaks', '12.03.24, 14:05 - started'],
    ['with a day that is none', '[42.13.24, 14:05:33] Anna: Hallo'],
    ['that is empty', ''],
  ])('%s is no export', (_text, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('of any form ends without an error, and has names, texts and times', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.integer(),
      fc.constant(null),
      fc.constant('1710252333.000100'),
    );
    const odd = fc.dictionary(
      fc.constantFrom('type', 'ts', 'text', 'user', 'username', 'subtype', 'user_profile', 'bot_profile'),
      value,
    );
    const list = fc.array(odd.map((one) => ({ type: 'message', ts: '1710252333.000100', text: 'a', ...one })));
    const head = fc.constantFrom(
      '12.03.24, 14:05 - ',
      '[3/12/24, 2:05 PM] ',
      '\u200e',
      'Anna: ',
      '\n',
      '<a b>',
      '“',
      '"',
      ':',
    );
    const lines = fc.array(fc.oneof(head, fc.string({ unit: 'binary', maxLength: 20 }))).map((parts) => parts.join(''));
    let found = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          list.map((one) => JSON.stringify(one)),
          lines,
        ),
        fc.json(),
        (one, users) => {
          for (const { speaker = '', text, timestamp = '', session_id } of read(one, { users }) ?? []) {
            found += 1;
            expect([speaker.trim(), text.trim(), session_id].includes('')).toBe(false);
            expect(Number.isNaN(Date.parse(timestamp))).toBe(false);
          }
        },
      ),
      { numRuns: 500, seed: 20261126 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it.each([
    ['[2024-03-12 14:05:33] production.ERROR: boom\n[2024-03-12 14:05:34] production.ERROR: bang'],
    ['2024-03-12 14:05:33 - INFO - started\n2024-03-12 14:05:34 - INFO - done'],
    ['12.03.2024 14:00 - 15:30 Uhr: Sitzung\n12.03.2024 16:00 - 17:30 Uhr: Abschluss'],
    ['12.03.24, 14:05 - Anna: one message'],
  ])('such as %j does not look like a chat', (text) => {
    expect(beginsLikeWhatsapp(text)).toBe(false);
  });

  it('but one with two messages does', () => {
    const [first, second] = ['12.03.24, 14:05 - Anna: Ja', '12.03.24, 14:06 - Ben: Nein'];
    const note = '12.03.24, 14:00 - Nachrichten sind Ende-zu-Ende-verschlüsselt.';
    for (const text of [`${first}\n${second}`, `${note} ${first} ${second}`])
      expect(beginsLikeWhatsapp(text)).toBe(true);
  });
});
