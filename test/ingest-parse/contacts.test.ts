import { describe, expect, it } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';

const source = { domain: 'd', kind: 'file', key: 'people.vcf', label: 'people.vcf' } as const;
const fileOf = (written: string) => ({ type: 'contacts', name: 'people.vcf', bytes: Buffer.from(written) }) as const;
const card = (lines: string, version = '3.0') =>
  `BEGIN:VCARD\r\nVERSION:${version}\r\n${lines.trim().replaceAll('\n', '\r\n')}\r\nEND:VCARD\r\n`;

async function texts(written: string): Promise<string[]> {
  const passages = await chunk(await parse(fileOf(written)), { source, title: 'people.vcf' });
  return passages.map(({ title, text }) => `${title}: ${text}`);
}

const DORA = card(`N:Pym;Dora;;Dr;
FN:Dora Pym
ORG:Harbour Dental;Reception
TITLE:Practice manager
TEL;TYPE=CELL;TYPE=VOICE;TYPE=pref:+44 7700 900123
TEL;TYPE=WORK,FAX:01632 960114
item1.EMAIL;TYPE=INTERNET:dora@example.org
item1.X-ABLabel:_$!<Home>!$_
item2.TEL:01632 960555
item2.X-ABLabel:Boat
ADR;TYPE=HOME:;;12 Mill Lane;York;;YO1 7AB;United Kingdom
BDAY:1985-11-05
NOTE:Allergic to nuts\\, likes\\nboats
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD
 AAAAAAAAAAAAAAAAAAAAA
KEY;ENCODING=b:AAAA
URL:https://dora.example.org`);

describe('contacts', () => {
  it('are a row each, below their name', async () => {
    expect(await texts(DORA)).toEqual([
      'people > Dora Pym: organisation: Harbour Dental, Reception; job title: Practice manager; mobile phone: +44 7700 900123; work fax: 01632 960114; home email: dora@example.org; boat phone: 01632 960555; home address: 12 Mill Lane, York, YO1 7AB, United Kingdom; birthday: 1985-11-05; url: https://dora.example.org.\n\nnote: Allergic to nuts, likes\nboats',
    ]);
  });

  it('of version 2.1 are read with their charset and quoted-printable', async () => {
    const written = card(
      `N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg
TEL;CELL;VOICE:0170 1234567
ADR;HOME;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Hauptstra=C3=9Fe 5=0D=0AHinterhaus;K=C3=B6ln;=
;50667;Deutschland
EMAIL;INTERNET:joerg@example.org
PHOTO;JPEG;ENCODING=BASE64:
 /9j/4AAQSkZJRgABAQAAAQABAAD
`,
      '2.1',
    );
    expect(await texts(written)).toEqual([
      'people > Jörg Müller: mobile phone: 0170 1234567; home address: Hauptstraße 5 Hinterhaus, Köln, 50667, Deutschland; email: joerg@example.org.',
    ]);
  });

  it('of version 4 may be organisations, and may leave out the year of a birthday', async () => {
    const quarry = card('FN:Quarry Lettings\nKIND:org\nTEL;VALUE=uri;TYPE="voice,work":tel:+44-1632-960222', '4.0');
    const bo = card('FN:Bo Reeve\nBDAY:--1105\nRELATED;TYPE=spouse;VALUE=text:Cy Tam', '4.0');
    const omitted = card('FN:Ada Bly\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29');
    expect(await texts(quarry + bo + omitted)).toEqual([
      'people > Quarry Lettings: work phone: +44-1632-960222.',
      'people > Bo Reeve: birthday: 5 November; spouse: Cy Tam.',
      'people > Ada Bly: birthday: 29 February.',
    ]);
  });

  it('have none of the escapes of older versions', async () => {
    const lines = 'FN:Test\\, Escaping\\; Ltd\nORG:Smith\\, Jones;Research\\; Development\nEMAIL:a\\,b@example.org';
    expect(await texts(card(lines, '2.1'))).toEqual([
      'people > Test, Escaping; Ltd: organisation: Smith, Jones, Research; Development; email: a,b@example.org.',
    ]);
  });

  it('keep their name where the label of something else is called so', async () => {
    const lines =
      'FN:Ada\nitem1.X-ABRELATEDNAMES:Max\nitem1.X-ABLabel:name\nitem2.X-ABDATE:2020-01-02\nitem2.X-ABLabel:Note';
    expect(await texts(card(lines))).toEqual(['people > Ada: related: Max; anniversary: 2020-01-02.']);
  });

  it('without a name are called by their organisation', async () => {
    expect(await texts(card('N:;;;;\nORG:Harbour Dental\nTEL;TYPE=WORK:01632 960114'))).toEqual([
      'people > Harbour Dental: organisation: Harbour Dental; work phone: 01632 960114.',
    ]);
  });

  it.each(['', 'Dora Pym, 01632 960114\n'])('are refused where there are none: %j', async (written) => {
    await expect(parse(fileOf(written))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('people.vcf holds no contact; export the contacts anew as vCard (.vcf)'),
    });
  });

  it.each([
    [
      'telephones without end',
      card(`FN:Ada\n${Array.from({ length: 50_000 }, (_, i) => `TEL;TYPE=CELL:${i}`).join('\n')}`),
    ],
    [
      'labels of prototypes',
      card('FN:Ada\na.TEL:12345\na.X-ABLabel:__proto__\nb.X-ABLabel:constructor\nb.X-ABDATE:2026-01-01'),
    ],
    ['a picture of many lines', card(`FN:Ada\nTEL:1\nPHOTO;ENCODING=b:${'\n AAAA'.repeat(500_000)}`)],
  ])(
    'that are hostile are read: %s',
    async (_what, written) => {
      expect((await texts(written))[0]).toMatch(/^people > Ada: /u);
    },
    60_000,
  );

  it('with more labels than a table has columns are refused with the limit', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `a${i}.TEL:1\na${i}.X-ABLabel:label ${i}`).join('\n');
    await expect(parse(fileOf(card(`FN:Ada\n${lines}`)))).rejects.toMatchObject({
      code: 'too_large',
      details: { limit: 'columns' },
    });
  });

  it('answer what the number of somebody is', async () => {
    const world = await openWorld('none');
    const others = ['Ada Bly', 'Bo Reeve', 'Cy Tam'].map((name, i) => card(`FN:${name}\nTEL;TYPE=CELL:0770 90000${i}`));
    await world.ingest.uploaded({ name: 'people.vcf', bytes: Buffer.from(DORA + others.join('')) }, { domain: 'd' });
    const { items } = await world.retrieval.query({
      context: "What is Dora's mobile number?",
      domains: ['d'],
      top_k: 2,
    });
    await world.close();
    expect(items[0]!.content).toContain('mobile phone: +44 7700 900123');
  });
});
