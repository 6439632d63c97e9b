import { describe, expect, it } from '@jest/globals';
import { parseTextual } from '../../src/ingest/parse/textual.js';

const read = (text: string): string =>
  [...parseTextual({ type: 'text', text }).parts].map((part) => ('text' in part ? part.text : '')).join('\n');

const HEAD = `From: =?ISO-8859-1?Q?Elodie_Larr=E9?= <e@example.org>
Subject: =?UTF-8?B?R2FyYW50w61h?=
 =?UTF-8?Q?_de_bater=C3=ADas?=
Message-ID: <1@example.org>
MIME-Version: 1.0
`;

describe('a mail as text', () => {
  it('is read without the encoding of its headers and its body', () => {
    const text = read(`${HEAD}Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

La garant=C3=ADa de las bater=C3=ADas es de dos a=C3=B1os o de 500 ciclos =
de carga.
`);
    expect(text).toContain('La garantía de las baterías es de dos años o de 500 ciclos de carga.');
    expect(text).toContain('Subject: Garantía de baterías');
    expect(text).toContain('From: Elodie Larré <e@example.org>');
    expect(text).not.toMatch(/=C3|Content-|MIME-/);
  });

  it('of several parts is its plain text, without what is attached', () => {
    const text = read(
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

  it.each([
    'Note: the =C3=AD stays\n\nIn a text that is no mail.',
    `${HEAD}Content-Type: text/html\n\n<p>Only HTML =C3=AD</p>`,
    'Message-ID: only\nno header here\n\nBody =C3=AD',
  ])('leaves what is no mail, or has no plain text, as it is', (text) => {
    expect(read(text)).toContain('=C3=AD');
  });
});
