import { describe, expect, it } from '@jest/globals';
import { documentType } from '../../src/ingest/read/file-type.js';
import { linesOf, readFile } from '../ingest-markup/read-markup.js';

const times = (text: string, count: number) => text.repeat(count);
const enex = (notes: string, end = '</en-export>') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "x.dtd">\n<en-export>${notes}${end}\n`;
const note = (content: string, more = '', title = 'Boiler') =>
  `<note><title>${title}</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note>${content}</en-note>]]></content>${more}</note>`;

describe('an export of Evernote', () => {
  it('has each note as a section with its text, tasks, tags and days, and no files', async () => {
    const more = `<created>20250103T101112Z</created><updated>20250204T090000Z</updated><tag>house</tag><tag>R&amp;D</tag>
<note-attributes><author>Ada Berg</author><source-url>https://ada:pw@f.example/c?token=abcdefghijklmnopqrstuvwxyz0123</source-url></note-attributes>
<resource><data encoding="base64">aVZCT1J3</data><recognition><![CDATA[<recoIndex>seen</recoIndex>]]></recognition></resource>
<task><title>Buy jars</title><taskStatus>open</taskStatus><dueDate>20260915T000000Z</dueDate></task><task><title>Pay</title><taskStatus>completed</taskStatus></task>`;
    const text =
      '<div>Contract <b>FH-2291</b> &amp; more.</div><div><en-todo checked="true"/>Bleed</div><div><en-todo/>Call</div>' +
      '<div>PIN: <en-crypt cipher="AES">RU5D</en-crypt> kept</div><en-media hash="ab" type="image/png"/>' +
      '<h1>Parts</h1><ul style="--en-todo:true;"><li style="--en-checked:false;"><div>Valve</div></li><li style="--en-checked:true;"><div>Seal</div></li></ul>';
    expect(await linesOf('House notes.enex', enex(note(text, more)))).toEqual([
      '# 1 House notes',
      '# 2 Boiler',
      'list: - [ ] Buy jars, due 2026-09-15',
      'list: - [x] Pay',
      'prose: Contract FH-2291 & more.',
      'prose: - [x] Bleed',
      'prose: - [ ] Call',
      'prose: PIN: (encrypted, left out) kept',
      'prose: tags: house, R&D; created: 2025-01-03; edited: 2025-02-04; author: Ada Berg; address: https://f.example/c.',
      '# 3 Parts',
      'list: - [ ] Valve',
      'list: - [x] Seal',
    ]);
  });

  it('leaves out a note that is encrypted as a whole, and says where the file is cut off', async () => {
    const encrypted = '<note><title>Bank</title><content encoding="base64:aes">RU5DSECRET</content></note>';
    const { parts, notice } = await readFile(
      'x.enex',
      enex(encrypted + note('Second.', '', 'Two'), '<note><title>Thr'),
    );
    expect(parts.map(({ text }) => text).slice(1, 5)).toEqual(['Bank', '(encrypted, left out)', 'Two', 'Second.']);
    expect(notice).toBe(
      'It ends before its end (</en-export>), as a file that was not saved whole; what stands before was read.',
    );
    expect((await readFile('x.enex', enex(note('a')))).notice).toBeUndefined();
  });
});

describe('a feed', () => {
  it('in RSS, also of WordPress, has each entry as a section', async () => {
    const rss = `<?xml version="1.0" encoding="ISO-8859-1"?><!-- made -->\n<rss version="2.0"><channel><title>Harbour D\u00fcary</title><image><title>Logo</title></image>
<item><title>The &lt;b&gt;new&lt;/b&gt; crane</title><link>https://d.example/crane</link><pubDate>Tue, 03 Mar 2026 09:00:00 +0000</pubDate><dc:creator><![CDATA[Maja]]></dc:creator><category>machines</category><category>machines</category>
<description>short</description><content:encoded><![CDATA[<p>Lifts <b>40 tonnes</b>.</p><h2>History</h2><p>From Rostock.</p>]]></content:encoded><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>
<item><title>Gone</title><content:encoded>x</content:encoded><wp:status>trash</wp:status></item>
<item><title>pic.jpg</title><wp:post_type>attachment</wp:post_type></item></channel></rss>`;
    expect(await linesOf('wordpress.xml', Buffer.from(rss, 'latin1'))).toEqual([
      '# 1 Harbour D\u00fcary',
      '# 2 The new crane',
      'prose: Lifts 40 tonnes.',
      'prose: author: Maja; date: 2026-03-03; tags: machines; address: https://d.example/crane.',
      '# 4 History',
      'prose: From Rostock.',
    ]);
  });

  it('in Atom has each entry as a section', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Bee News</title>
<entry><title type="html">Varroa &amp;amp; winter</title><link rel="self" href="https://b.example/self"/><link href="https://b.example/v"/><updated>2026-01-12T08:00:00Z</updated><author><name>Klara</name></author><category term="health"/>
<content type="xhtml"><x:div><x:p>Treat at <x:em>four</x:em> degrees &lt; five.</x:p></x:div></content></entry>
<entry><title>Short</title><summary>Only this.</summary></entry></feed>`;
    expect(await linesOf('news.atom', atom)).toEqual([
      '# 1 Bee News',
      '# 2 Varroa & winter',
      'prose: Treat at four degrees < five.',
      'prose: author: Klara; date: 2026-01-12; tags: health; address: https://b.example/v.',
      '# 2 Short',
      'prose: Only this.',
    ]);
  });

  it.each([
    [
      '<urlset><url/></urlset>',
      'a.xml is a sitemap, which holds addresses and no text; save the pages that it names and ingest these.',
    ],
    [
      '<!DOCTYPE x><mediawiki/>',
      'a.xml is a dump of MediaWiki; convert its pages to Markdown or HTML and ingest these.',
    ],
    ['<project/>', 'a.xml holds no feed in RSS or Atom; ingest it by itself with source_type text, as plain text.'],
    [enex(''), 'a.xml is an export of Evernote; name it so that it ends in .enex, or say source_type evernote.'],
  ])('is told from other XML: %s', async (written, message) => {
    await expect(readFile('a.xml', written)).rejects.toMatchObject({ message, details: { skipped: true } });
  });
});

it.each([
  ['Export-1.zip', 'unpack it and ingest what it holds'],
  ['a.msg', 'save the mail as a file that ends in .eml, as text or as HTML'],
  ['a.pages', 'save it as DOCX or PDF'],
])('%s is refused with what helps, and no list of endings', (name, advice) => {
  const type = name.slice(name.lastIndexOf('.'));
  expect(() => documentType(name)).toThrow(`A file of type ${type} cannot be ingested; ${advice}.`);
});

describe('hostile XML', () => {
  const entities = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${times(`&l${i};`, 10)}">`).join('');
  it.each([
    ['a.enex', 'marks without ends', enex(note(times('<en-crypt><en-todo<li ', 100_000)))],
    ['a.enex', 'notes without ends', enex(times('<note><title>b</title>', 1000))],
    [
      'a.enex',
      'large files in notes',
      enex(note('a', `<resource><data>${times('aGVs', 5_000_000)}</data></resource>`)),
    ],
    ['a.enex', 'many notes', enex(times(note('a'), 20_000))],
    [
      'a.rss',
      'entities',
      `<!DOCTYPE x [<!ENTITY l0 "x">${entities}]><rss><item><title>&l20;</title><description>a</description></item></rss>`,
    ],
    ['a.rss', 'entries in entries', `<rss>${times('<item><title>b</title>', 500)}</rss>`],
    [
      'a.rss',
      'remarks',
      `<rss>${times('<!-- ', 200_000)}--><item><title>a</title><description>b</description></item></rss>`,
    ],
  ])(
    '%s: %s is read',
    async (name, _, written) => {
      expect((await readFile(name, written)).parts.length).toBeGreaterThan(1);
    },
    30_000,
  );

  it.each([
    ['a.enex', 'depth', enex(note('a', times('<a>', 3000)))],
    ['a.rss', 'depth', `<rss><item><description>${times('<a>', 3000)}`],
    ['a.rss', 'elements', `<rss><item>${times('<a/>', 1_000_001)}`],
  ])('%s is refused by its %s', async (name, limit, written) => {
    await expect(readFile(name, written)).rejects.toMatchObject({ code: 'too_large', details: { limit } });
  });
});
