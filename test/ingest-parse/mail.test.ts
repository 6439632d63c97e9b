import { describe, expect, it } from '@jest/globals';
import { parseTextual } from '../../src/ingest/parse/textual.js';

const partsOf = async (text: string) => [...(await parseTextual({ type: 'text', text })).parts];
const read = async (text: string) => (await partsOf(text)).map((part) => part.text).join('\n');

const HEAD = `From: =?ISO-8859-1?Q?Elodie_Larr=E9?= <e@example.org>
Subject: =?UTF-8?B?R2FyYW50w61h?=
 =?UTF-8?Q?_de_bater=C3=ADas?=
Message-ID: <1@example.org>
MIME-Version: 1.0
`;

describe('a mail as text', () => {
  it('is read under its subject, without the encoding of its headers and its body', async () => {
    const text = await read(`${HEAD}Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

La garant=C3=ADa de las bater=C3=ADas es de dos a=C3=B1os o de 500 ciclos =
de carga.
`);
    expect(text).toContain('La garantía de las baterías es de dos años o de 500 ciclos de carga.');
    expect(text).toContain('Subject: Garantía de baterías');
    expect(text).toContain('From: Elodie Larré <e@example.org>');
    expect(text).not.toMatch(/=C3|Content-|MIME-/);
  });

  it('of several parts is its plain text, without what is attached', async () => {
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
Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer--
`.replaceAll('\n', '\r\n'),
    );
    expect(text).toContain('Le stand est confirmé.');
    expect(text).not.toMatch(/JVBER|<p>|--outer|Preamble/);
  });

  it('of HTML alone is what the page shows', async () => {
    const parts = await partsOf(
      `${HEAD}Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<h2>Precios</h2><p>La e-bike cuesta <b>35=C2=A0=E2=82=AC</b>.</p><script>alert(1)</script>
`,
    );
    expect(parts.slice(-2)).toMatchObject([{ text: 'Precios', level: 2 }, { text: 'La e-bike cuesta 35 €.' }]);
  });

  it('has the subject for its title, without the marks of answers, and keeps the headers that people read', async () => {
    const received = 'Received: from mx.example.org by mail.example.org; Tue, 3 Mar 2026 10:00:00 +0100';
    const { title, parts } = await parseTextual({
      type: 'text',
      text: `${received}\nDKIM-Signature: v=1; a=rsa-sha256;\n b=abc\nSubject: Re: AW: Bike 12\nFrom: Ada <a@example.org>\nDate: Tue, 3 Mar 2026 10:00:00 +0100\n\nIt is repaired.\n`,
    });
    expect(title).toBe('Bike 12');
    const text = [...parts].map((part) => part.text).join('\n');
    expect(text).toMatch(/^Subject: Re: AW: Bike 12\s+From: Ada <a@example\.org>\s+Date: Tue, 3 Mar 2026/);
    expect(text).toContain('It is repaired.');
    expect(text).not.toMatch(/Received|DKIM|b=abc/);
  });

  it.each([
    'Note: the =C3=AD stays\n\nIn a text that is no mail.',
    'Message-ID: only\nno header here\n\nBody =C3=AD',
    `${HEAD}X-Note: =C3=AD\n\n`,
  ])('leaves what is no mail, or has no text, as it is', async (text) => {
    expect(await read(text)).toContain('=C3=AD');
  });

  it('that is broken or nested without end is read in bounded time', async () => {
    const nested = Array.from(
      { length: 200 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`,
    ).join('');
    for (const text of [
      `${HEAD}${nested}Deep`,
      `${HEAD}Content-Type: multipart/mixed; boundary=x\n\n--x\n`,
      `${HEAD}${'X-A: b\n'.repeat(50_000)}\nBody`,
    ]) {
      expect(await partsOf(text)).not.toEqual([]);
    }
  });
});
