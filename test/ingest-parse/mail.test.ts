import { describe, expect, it } from '@jest/globals';
import { mailParts } from '../../src/ingest/parse/mail/mail.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { processorTime } from '../support/processor-time.js';

const mailOf = (written: string | Buffer) =>
  parse({ name: 'offer.eml', type: 'text', bytes: typeof written === 'string' ? Buffer.from(written) : written });
const read = async (written: string | Buffer) => (await mailOf(written)).parts.map((part) => part.text).join('\n');

const HEAD = `From: =?ISO-8859-1?Q?Elodie_Larr=E9?= <e@example.org>
Subject: =?UTF-8?B?R2FyYW50w61h?=
 =?UTF-8?Q?_de_bater=C3=ADas?=
Message-ID: <1@example.org>
MIME-Version: 1.0
`;
const PDF = `Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
`;

describe('a mail', () => {
  it('is read under its subject, without the encoding of its headers and its body', async () => {
    const { title, parts } = await mailOf(`${HEAD}Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

La garant=C3=ADa de las bater=C3=ADas es de dos a=C3=B1os o de 500 ciclos =
de carga.
`);
    expect(title).toBe('Garantía de baterías');
    const text = parts.map((part) => part.text).join('\n');
    expect(text).toContain('La garantía de las baterías es de dos años o de 500 ciclos de carga.');
    expect(text).toContain('Subject: Garantía de baterías');
    expect(text).toContain('From: Elodie Larré <e@example.org>');
    expect(text).not.toMatch(/=C3|Content-|MIME-|Message-ID/);
  });

  it('of several parts is its plain text, with the names of what is attached', async () => {
    const text = await read(
      `${HEAD}Content-Type: multipart/mixed;
 boundary="outer"

Preamble.
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=windows-1252
Content-Transfer-Encoding: base64

${Buffer.from('Le stand est confirm\u00e9.', 'latin1').toString('base64')}
--inner
Content-Type: text/html

<p>Le stand</p>
--inner--
--outer
${PDF}--outer--
`.replaceAll('\n', '\r\n'),
    );
    expect(text).toContain('Le stand est confirmé.');
    expect(text).toContain('Attachments: plan.pdf');
    expect(text).not.toMatch(/JVBER|<p>|--outer|Preamble/);
  });

  it('with nothing but an attachment is its headers', async () => {
    const text = await read(`${HEAD}${PDF}`);
    expect(text).toMatch(/Subject: Garantía de baterías\s+Attachments: plan\.pdf$/);
  });

  it.each([
    ['has no plain text', ''],
    ['has one that only says so', 'This mail needs a reader of HTML.'],
  ])('is what its page shows where it %s', async (_where, plain) => {
    const { parts } = await mailOf(
      `${HEAD}Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

${plain}
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<h2>Precios</h2><p>${'La e-bike cuesta <b>35=C2=A0=E2=82=AC</b> al d=C3=ADa. '.repeat(9)}</p><script>alert(1)</script>
--b--
`,
    );
    expect(parts.slice(-2)).toMatchObject([
      { text: 'Precios', level: 2 },
      { text: expect.stringMatching(/^(?:La e-bike cuesta 35 € al día\. ?){9}$/) },
    ]);
  });

  it('drops the marks of answers from its title, and keeps the headers that people read', async () => {
    const { title, parts } = await mailOf(
      'Received: from mx.example.org by mail.example.org; Tue, 3 Mar 2026 10:00:00 +0100\n' +
        'DKIM-Signature: v=1; a=rsa-sha256;\n b=abc\nSubject: Re: AW: Bike 12\nFrom: Ada <a@example.org>\n' +
        'Date: Tue, 3 Mar 2026 10:00:00 +0100\n\nIt is repaired.\n',
    );
    expect(title).toBe('Bike 12');
    const text = parts.map((part) => part.text).join('\n');
    expect(text).toMatch(/^Subject: Re: AW: Bike 12\s+From: Ada <a@example\.org>\s+Date: Tue, 3 Mar 2026/);
    expect(text).toContain('It is repaired.');
    expect(text).not.toMatch(/Received|DKIM|b=abc/);
  });

  it.each([
    ['iso-8859-1', Buffer.from('dos años', 'latin1')],
    ['us-ascii', Buffer.from('dos años')],
    ['utf-8', Buffer.from('dos años')],
  ])('of eight bits is read by its charset: %s', async (charset, body) => {
    const head = `Subject: Hola\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: 8bit\n\n`;
    expect(await read(Buffer.concat([Buffer.from(head), body]))).toContain('dos años');
  });

  it.each([
    ['that names no charset', '\n', 'MIME-Version: 1.0\n'],
    ['of parts that name none', '\r\n', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n'],
    ['that says it is ASCII', '\n', 'Content-Type: text/plain; charset=us-ascii\n'],
    ['that says it is UTF-8', '\n', 'Content-Type: text/plain; charset="utf-8"\n'],
  ])('of eight bits %s is read as Windows-1252 where it is not UTF-8', async (_what, end, head) => {
    const written = `Subject: Caf\xe9${end}From: Ren\xe9 <r@example.org>${end}${head}${end}Le caf\xe9 co\xfbte 3 \x80.${end}`;
    const { title, parts } = await mailOf(Buffer.from(written, 'latin1'));
    expect(title).toBe('Café');
    const text = parts.map((part) => part.text).join('\n');
    expect(text).toContain('From: René');
    expect(text).toContain('Le café coûte 3 €.');
  });

  it.each(['windows-1252', 'iso-8859-1'])('of %s keeps the signs that Latin-1 lacks', async (charset) => {
    const head = `Subject: =?${charset}?Q?=93Offer=94?=\nContent-Type: text/plain; charset=${charset}\n`;
    const eight = Buffer.from(`${head}\nIt\x92s 3 \x80.\n`, 'latin1');
    const quoted = `${head}Content-Transfer-Encoding: quoted-printable\n\nIt=92s 3 =80.\n`;
    for (const mail of [eight, quoted])
      expect([(await mailOf(mail)).title, await read(mail)]).toEqual(['“Offer”', expect.stringContaining('It’s 3 €.')]);
  });

  it('of eight bits has headers in UTF-8 or Windows-1252 above a body of another charset', async () => {
    const head = 'From: Ren\xe9 <r@x.example>\nContent-Type: text/plain;\n charset=iso-8859-2\n\n';
    const bytes = [Buffer.from('Subject: Café\n'), Buffer.from(`${head}\xe8a\xe8ak\n`, 'latin1')];
    const { title, parts } = await mailOf(Buffer.concat(bytes));
    expect([title, parts.map((part) => part.text).join('\n')]).toEqual(['Café', expect.stringMatching(/René.*čačak/s)]);
  });

  it.each([
    ['a NUL', [0x68, 0x00, 0x69]],
    ['control characters', Array.from({ length: 400 }, (_, i) => (i % 26) + 1)],
  ])('of binary data behind a header is refused: %s', async (_what, body) => {
    const bytes = Buffer.concat([Buffer.from('Subject: Draft\n\n'), Buffer.from(body)]);
    await expect(mailOf(bytes)).rejects.toMatchObject({
      code: 'unsupported_media',
      message: expect.stringContaining('binary data'),
    });
  });

  it('may hold an attachment as the bytes that it is', async () => {
    const written = `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plan.\n--b\n${PDF.replace('base64', 'binary')}\0\0\n--b--\n`;
    expect(await read(Buffer.from(written, 'latin1'))).toContain('The plan.');
  });

  it.each(['\ufeff', 'From ada@example.org Tue Mar  3 10:00:00 2026\n', '>From ada\r\n'])(
    'may have %j before it',
    async (before) => {
      expect(await mailOf(`${before}Subject: Draft\n\nNo other header.\n`)).toMatchObject({ title: 'Draft' });
    },
  );

  it('of bytes that are not UTF-8 is read at once where a line is long', async () => {
    const bytes = Buffer.from(`From: J\xf6rg\nSubject: Draft\n\n${'lorem ipsum '.repeat(25_000)}\n`, 'latin1');
    const spent = await processorTime(async () => expect(await read(bytes)).toContain('From: Jörg'));
    expect(spent).toBeLessThan(8000);
  }, 60_000);

  it('is read as Windows-1252 where its text but quotes a header with another charset', async () => {
    const quoted = 'Content-Type: text/plain; charset=iso-8859-2';
    const one = `Subject: Draft\n\nThey wrote:\n${quoted}\n\n--b\n${quoted}\n\nLe caf\xe9, charset=us-ascii.\n`;
    const text = await read(Buffer.from(one, 'latin1'));
    expect(text).toContain('Le café, charset=us-ascii.');
  });

  it('within a mail is read by the charset that it names', async () => {
    const head =
      'Subject: Draft\nContent-Type: multipart/mixed; boundary="b 1"\n\n--b 1\nContent-Type: message/rfc822\n\n';
    const inner = 'Subject: In\nContent-Type: text/plain; charset=iso-8859-2\n\n\xe8a\xe8ak\n--b 1--\n';
    expect(await read(Buffer.from(head + inner, 'latin1'))).toContain('čačak');
  });

  it('leaves the decoder of the process as it was', async () => {
    await mailParts(Buffer.from('Subject: Draft\n\nText.\n'));
    expect(globalThis.TextDecoder.name).toBe('TextDecoder');
    await expect(mailParts(Buffer.from(`X: ${'a'.repeat(300_000)}\n\nText.\n`))).rejects.toThrow();
    expect(globalThis.TextDecoder.name).toBe('TextDecoder');
  });

  it('has no headers but its own: a line break in a subject begins none', async () => {
    const { title, parts } = await mailOf('Subject: =?utf-8?q?Hi=0AFrom:_forged?=\nFrom: Ada <a@x.example>\n\nText.\n');
    expect(title).toBe('Hi From: forged');
    expect(parts[0]?.text).not.toMatch(/\nFrom: forged/);
  });

  it('of bytes that are neither a mail nor a text is refused', async () => {
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 197 + 0x81) % 256));
    await expect(mailOf(bytes)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:invalid_input|unsupported_media)$/),
    });
  });

  it('that does not begin with a header is a plain text', async () => {
    expect(await read('The kettle is dented.\n\nSupplier: Okafor & Sons\n')).toContain('Supplier: Okafor & Sons');
  });

  it.each([
    [
      'parts in parts without end',
      Array.from({ length: 200 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`).join(''),
    ],
    ['headers without end', 'X-A: b\n'.repeat(200_000)],
    [
      'a page that postal-mime reads in cubic time',
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: text/html\n\n${'<a href="'.repeat(490)}\n--b--\n`,
    ],
  ])(
    'with %s is read or refused',
    async (_what, hostile) => {
      await mailOf(`${HEAD}${hostile}\nText.\n`).then(
        ({ parts }) => expect(parts.length).toBeGreaterThan(0),
        (error: Error) =>
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(?:too_large|invalid_input|unsupported_media)$/),
          }),
      );
    },
    60_000,
  );

  it('is read as it stands where it is no file: a note may begin like one', async () => {
    const note = 'Received: 3 March 2026\nSupplier: Okafor & Sons\nPrice: 89 EUR\n\nThe lid is dented.\n';
    const { parts } = await parse({ type: 'text', text: note });
    expect(parts.map(({ text }) => text).join('\n')).toContain('Supplier: Okafor & Sons');
  });
});
