import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { processorTime } from '../support/processor-time.js';

const PDF = `Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
`;

describe('a mail box', () => {
  const boxOf = async (written: string | Buffer) =>
    (await parse({ name: 'in.mbox', type: 'text', bytes: Buffer.from(written as string) })).parts.map((part) =>
      part.kind === 'heading' ? `${part.level} ${part.text}` : part.text,
    );
  const mail = (head: string, text: string, end = '\n') =>
    `From ada@x.example Mon Mar  2 10:00:00 2026\n${head}\n\n${text}\n\n`.replaceAll('\n', end);

  it.each(['\n', '\r\n'])('has each mail below its subject', async (end) => {
    const page = 'Subject: Re: Chimney\nContent-Type: text/html';
    const text = 'The roof needs 320 tiles.\n>From the yard he brings sand.\n\nFrom here on 2026 it is dry.';
    const box =
      mail('Subject: Tiles', text, end) +
      mail(page, '<h1>Sweep</h1><p>He comes.</p>', end) +
      mail('To: me', 'Bye.', end);
    expect(await boxOf(box)).toEqual([
      '1 Tiles',
      'Subject: Tiles',
      ...['The roof needs 320 tiles.\nFrom the yard he brings sand.', 'From here on 2026 it is dry.'],
      ...['1 Chimney', 'Subject: Re: Chimney', '2 Sweep', 'He comes.', '1 Mail without a subject', 'To: me', 'Bye.'],
    ]);
  });

  it.each([
    'From 2024 the desk is open.\nNote: bring the key 4711.',
    'We close.\nFrom ada@x.example Mon Mar  2 10:00:00 2026\nNote: bring the key 4711.',
    'We close.\n\nFrom 2024 the desk is open.\nNote: bring the key 4711.',
  ])('is not parted by a line of a text: %j', async (text) => {
    const read = await boxOf(mail('Subject: Desk', text));
    expect(read.filter((part) => part.startsWith('1 '))).toEqual(['1 Desk']);
    expect(read.join('\n')).toContain(text.slice(-25));
  });

  it('is parted by the lines that Thunderbird and other programs write', async () => {
    const dates = [
      '- Mon Jan 05 10:00:00 2026',
      'a at x.example  Mon Jan  5 9:00 2026',
      '1@xxx Mon Jan 05 10:00:00 +0000 2026',
    ];
    const read = await boxOf(dates.map((date, i) => `From ${date}\nSubject: Tile ${i}\n\nText.\n\n`).join(''));
    expect(read.filter((part) => part.startsWith('1 '))).toEqual(['1 Tile 0', '1 Tile 1', '1 Tile 2']);
  });

  const asked = 'Can I copy it?\nIt has three rooms.';
  const quoted = (text: string) => text.replace(/^(?=>)/gmu, '>').replace(/^(?!>)/gmu, '> ');
  const footer =
    '_______________________________________________\ntiles mailing list\nhttps://x.example/mailman/listinfo/tiles';

  it('has no quote at the end of a mail of what stands in an earlier one, nor the words of a mailing list', async () => {
    const answer = `Yes, at night.\n\nOn Mon, 2 Mar 2026, Ada\n<ada@x.example> wrote:\n${quoted(asked)}`;
    const thanks = `Thanks.\n\n-----Original Message-----\nFrom: Bo\nSent: Monday\n\nYes, at night.\n\n${quoted(asked)}\n\n${footer}`;
    const box = [asked, answer, thanks].map((text) => mail('Subject: Copy', text)).join('');
    expect((await boxOf(box)).filter((part) => !/^1 |^Subject/u.test(part))).toEqual([
      asked,
      'Yes, at night.',
      'Thanks.',
    ]);
  });

  it('keeps a quote that an answer stands below, and one of a mail that is not there', async () => {
    const below = `Ada wrote:\n${quoted(asked)}\n\nYes, at night.`;
    const other = 'Thanks.\n\nBo wrote:\n> Note: by day it is loud.\n> And hot.';
    const read = await boxOf([asked, below, other].map((text) => mail('Subject: Copy', text)).join(''));
    expect(read.join('\n')).toContain(below.replace('\n\n', '\n'));
    expect(read.join('\n')).toContain(other.replace('\n\n', '\n'));
  });

  it('keeps the words above a quote that say more than whom it is of, and the quote that they lead to', async () => {
    const bodiesOf = async (...texts: string[]) => {
      const read = await boxOf([asked, ...texts].map((text) => mail('Subject: Copy', text)).join(''));
      return read.filter((part) => !/^1 |^Subject/u.test(part)).slice(1);
    };
    const quote = quoted(asked);
    expect(await bodiesOf(`El martes cierra.\n\nBo wrote:\n${quote}`)).toEqual(['El martes cierra.']);
    expect(await bodiesOf(`Am Montag komme ich nicht.\nAda schrieb:\n${quote}`)).toEqual([
      'Am Montag komme ich nicht.',
    ]);
    expect(await bodiesOf(`Ja.\n\nLe lun. 2 mars 2026 à 10:00, Ada <ada@x.example> a\nécrit :\n${quote}`)).toEqual([
      'Ja.',
    ]);
    const led = `On 2 March 2026 we close. The rule is:\n${quote}`;
    expect(await bodiesOf(led)).toEqual([led]);
  });

  it('keeps an answer below the mail that Outlook quotes, though its words stand in another mail', async () => {
    const answer = `-----Original Message-----\nFrom: Ada\n\n${asked}\n\nAgreed.\nBo`;
    const read = await boxOf(
      [asked, 'Agreed.\nBo', `Hi.\n${answer}`].map((text) => mail('Subject: Copy', text)).join(''),
    );
    expect(read.filter((part) => part.includes('Agreed.'))).toHaveLength(2);
  });

  it('reads the text, not the page, of a mail whose page is longer by the quote', async () => {
    const part = (type: string, text: string) => `--b\nContent-Type: text/${type}\n\n${text}\n`;
    const both = `${part('plain', `Yes.\n\n${quoted(asked)}`)}${part('html', `<p>Yes.</p><p>${asked}</p>`)}--b--`;
    const box = mail('Subject: A', asked) + mail('Content-Type: multipart/alternative; boundary=b\nSubject: B', both);
    expect((await boxOf(box)).slice(-2)).toEqual(['Subject: B', 'Yes.']);
  });

  it('keeps a signature above the words of a mailing list, and what a mail says of leaving one', async () => {
    const signed = 'Ring me at noon.\n\n--\nAda Bly\nTel. 0228 12345';
    expect((await boxOf(mail('Subject: Tiles', `${signed}\n${footer}`))).slice(2).join('\n\n')).toBe(signed);
    const leaving = 'How to leave\n--\nClick unsubscribe in the settings.';
    expect((await boxOf(mail('Subject: Tiles', leaving))).join('\n')).toContain('Click unsubscribe in the settings.');
  });

  it('keeps what only speaks of a mailing list', async () => {
    const text = 'Bye.\n__________\nAsk the mailing list before you come.';
    expect(await boxOf(mail('Subject: Tiles', text))).toContain(text);
  });

  it('with very many words of leaving a mailing list is read at once', async () => {
    const words = `x\n${`--\n${'unsubscribe '.repeat(8000)}\n`.repeat(5)}`;
    expect(await processorTime(() => boxOf(mail('Subject: Tiles', words)))).toBeLessThan(8000);
  });

  it('with a line of very many digits is read at once', async () => {
    const digits = `x\n\nFrom ${'2026'.repeat(75_000)}`;
    expect(await processorTime(() => boxOf(mail('Subject: Digits', digits)))).toBeLessThan(8000);
  }, 60_000);

  it('has a mail that cannot be read as one as a plain text', async () => {
    const long = `X-A: ${'a '.repeat(150_000)}`;
    const box =
      mail('Subject: Tiles', 'Red.') + mail(`Subject: =?utf-8?q?Caf=C3=A9?=\n${long}`, 'Blue.') + mail(long, 'Green.');
    const read = await boxOf(box);
    const titles = ['1 Tiles', '1 Café', '1 From ada@x.example Mon Mar 2 10:00:00 2026'];
    expect(read.filter((part) => part.startsWith('1 '))).toEqual(titles);
    for (const text of ['Red.', 'Blue.', 'Green.']) expect(read).toContain(text);
    await expect(boxOf(mail(long, 'Green.'))).rejects.toThrow();
  });

  it('may hold an attachment as the bytes that it is after many mails', async () => {
    const attached = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plan.\n--b\n${PDF.replace('base64', 'binary')}\0\0\n--b--\n`;
    const box =
      mail('Subject: Tiles', 'Red roof tiles.\n'.repeat(20_000)) +
      mail('Subject: Plan', attached).replace('Plan\n\n', 'Plan\n');
    expect(await boxOf(box)).toContain('The plan.');
  }, 30_000);

  it('of binary data is refused', async () => {
    await expect(boxOf(mail('Subject: x', '\0\x01'))).rejects.toMatchObject({ code: 'unsupported_media' });
  });
});
