import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const opml = (body: string, head = '') =>
  `<?xml version="1.0"?><opml version="2.0"><head>${head}</head><body>${body}</body></opml>`;

describe('OPML', () => {
  it('of an outliner has lines that hold others as headings, the others as items with their notes', async () => {
    const written = opml(
      `<outline text="Budget"><outline text="Tiles: 640 euro" _note="Valid until May."/><outline text="&lt;b&gt;Sink&lt;/b&gt; &amp;amp; tap" _complete="true"/>
       <outline text="Light"><outline text="Three pendants"/></outline><outline text="Paint"/></outline><outline text="a &lt; b"/>`,
      '<title>Kitchen</title><ownerName>Ada</ownerName>',
    );
    expect((await readFile('kitchen.opml', written)).title).toBe('Kitchen');
    expect(await linesOf('kitchen.opml', written)).toEqual([
      'prose: author: Ada.',
      '# 0 Kitchen',
      '# 1 Budget',
      'list: - Tiles: 640 euro',
      'prose: Valid until May.',
      'list: - [x] Sink & tap',
      '# 2 Light',
      'list: - Three pendants',
      '# 1 Budget',
      'list: - Paint',
      '# 1 a < b',
      'list: - a < b',
    ]);
  });

  it('of a reader of feeds has a passage for each, with its addresses and no token in them', async () => {
    const written = opml(
      `<outline text="Garden"><outline type="rss" text="Pear Tree" xmlUrl="https://u:p@pear.example/feed?token=abc&amp;n=1" htmlUrl="https://pear.example/" description="Pruning" category="/fruit"/>
       <outline type="rss" title="Compost" xmlUrl="http://compost.example/rss"/></outline>`,
    );
    expect((await readFile('feeds.opml', written)).parts).toEqual([
      { kind: 'heading', level: 1, text: 'Garden' },
      {
        kind: 'prose',
        text: 'Pear Tree\nfeed: https://pear.example/feed?n=1\nsite: https://pear.example/\nPruning\ntags: fruit',
        opens: true,
      },
      { kind: 'prose', text: 'Compost\nfeed: http://compost.example/rss', opens: true },
    ]);
  });

  it('replaces no entity that the file declares, and reads no other file', async () => {
    const written = `<!DOCTYPE opml [<!ENTITY a "boom"><!ENTITY e SYSTEM "file:///etc/passwd">]>${opml('<outline text="x &a; &e;"/>')}`;
    expect(await linesOf('a.opml', written)).toEqual(['list: - x &a; &e;']);
  });

  it('that is cut off is read as far as it goes, with a notice', async () => {
    const written = opml('<outline text="One"/><outline text="Two"/><outline text="Thr').slice(0, -22);
    const { parts, notice } = await readFile('a.opml', written);
    expect([parts.map(({ text }) => text), notice]).toEqual([
      ['- One', '- Two'],
      expect.stringContaining('ends before its end'),
    ]);
  });

  it('is read in the charset that it declares', async () => {
    const written = opml('<outline text="Käse: 3 €"/>').replace('?>', ' encoding="ISO-8859-15"?>');
    const bytes = Buffer.from(written.replace('€', '\u00a4'), 'latin1');
    expect(await linesOf('a.opml', bytes)).toEqual(['list: - Käse: 3 €']);
  });
});
