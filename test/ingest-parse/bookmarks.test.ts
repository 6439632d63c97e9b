import { describe, expect, it } from '@jest/globals';
import { parseTextual } from '../../src/ingest/parse/textual.js';
import { sectionTexts } from './manifests.js';

const HEAD = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n';
const read = (body: string, head = HEAD) => {
  const { parts } = parseTextual({ type: 'html', text: head + body });
  return sectionTexts(parts);
};

describe('the bookmarks of a browser', () => {
  it('are a passage each, with address, words about it and tags, below their folders', async () => {
    const body = `<DL><p>
      <DT><H3 ADD_DATE="1">Kitchen &amp; home</H3>
      <DL><p>
        <DT><A HREF="https://heat.example/bleed" ICON="data:image/png;base64,AA">How to bleed a radiator</A>
        <DT><H3>Recipes</H3>
        <DL><p>
          <DT><A HREF="https://food.example/caponata" TAGS="italian,summer">Caponata</A>
          <DD>Needs capers
          <DT><A HREF="https://food.example/rye">Rye bread</A>
        </DL><p>
        <DT><A HREF="https://docs.example/locks">Locks</A>
      </DL><p>
      <DT><A HREF="https://news.example/">News</A>
    </DL><p>`;
    expect(await read(body)).toEqual([
      { path: 'Bookmarks > Kitchen & home', texts: ['How to bleed a radiator\nhttps://heat.example/bleed'] },
      {
        path: 'Bookmarks > Kitchen & home > Recipes',
        texts: ['Caponata\nhttps://food.example/caponata\nNeeds capers\ntags: italian,summer'],
      },
      { path: 'Bookmarks > Kitchen & home > Recipes', texts: ['Rye bread\nhttps://food.example/rye'] },
      { path: 'Bookmarks > Kitchen & home', texts: ['Locks\nhttps://docs.example/locks'] },
      { path: 'Bookmarks', texts: ['News\nhttps://news.example/'] },
    ]);
  });

  it('stand below what was written about their folder', async () => {
    const body = `<DL><p>
      <DT><H3>Kitchen</H3>
      <DD>What the new
      kitchen needs
      <DL><p>
        <DT><A HREF="https://food.example/rye">Rye bread</A>
        <DD>With caraway
        <DT><H3>Tiles</H3>
        <DD>Only blue ones
        <DL><p></DL><p>
      </DL><p>
    </DL><p>`;
    expect(await read(body)).toEqual([
      { path: 'Bookmarks > Kitchen', texts: ['What the new kitchen needs'] },
      { path: 'Bookmarks > Kitchen', texts: ['Rye bread\nhttps://food.example/rye\nWith caraway'] },
      { path: 'Bookmarks > Kitchen > Tiles', texts: ['Only blue ones'] },
    ]);
  });

  it('show no codes that sign somebody in', async () => {
    const links = [
      'https://a.example/callback?code=4%2F0AeaYSH&page=2',
      'https://b.example/app?code=Xy12&state=9f2',
      'https://c.example/?code=0123456789abcdef0123',
      'https://d.example/login?code=481516&lang=de',
      'https://e.example/door?otp=481516',
      'https://f.example/app#code=Xy12',
      'https://f.example/oauth/done#code=Xy12',
      'https://g.example/parts?code=K-1200',
      'https://h.example/authors?code=7',
    ].map((href) => `<DT><A HREF="${href}">A page</A>`);
    expect((await read(`<DL>${links.join('')}</DL>`)).flatMap(({ texts }) => texts)).toEqual(
      [
        'https://a.example/callback?page=2',
        'https://b.example/app?state=9f2',
        'https://c.example/',
        'https://d.example/login?lang=de',
        'https://e.example/door',
        'https://f.example/app#code=Xy12',
        'https://f.example/oauth/done',
        'https://g.example/parts?code=K-1200',
        'https://h.example/authors?code=7',
      ].map((address) => `A page\n${address}`),
    );
  });

  it('show no secrets of an address, and are no programs and searches', async () => {
    const links = [
      'https://ada:hunter22@a.example/x?api_key=s3cr3tvalue&page=2',
      'https://c.example/cb#access_token=s3cr3tvalue&state=1',
      'https://d.example/f?X-Amz-Signature=a1b2c3&sig=d4e5&name=lease#page=2',
      'https://e.example/door?pin=4021',
      'javascript:alert(1)',
      'place:sort=8',
      'https://',
      `https://b.example/${'p'.repeat(20)}?q=${'w'.repeat(400)}`,
    ].map((href) => `<DT><A HREF="${href}">A page</A>`);
    expect((await read(`<DL>${links.join('')}</DL>`)).flatMap(({ texts }) => texts)).toEqual([
      'A page\nhttps://a.example/x?page=2',
      'A page\nhttps://c.example/cb',
      'A page\nhttps://d.example/f?name=lease#page=2',
      'A page\nhttps://e.example/door',
      `A page\nhttps://b.example/${'p'.repeat(20)}`,
    ]);
  });

  it('are read in folders that lie deep, have no name, or are never closed, and refused in those that lie too deep', async () => {
    const deep = '<DL><DT><H3>a</H3>';
    await expect(async () => read(deep.repeat(3000))).rejects.toThrow('nests folders deeper than 2000');
    const body = `${deep.repeat(500)}<DL><DT><H3></H3>${'<DT><A HREF="https://a.example/">A</A>'.repeat(2000)}`;
    const sections = await read(body, '<!DOCTYPE NETSCAPE-Bookmark-file-1>');
    expect(sections.flatMap(({ texts }) => texts)).toHaveLength(2000);
    expect(sections[0]?.path.split(' > ').length).toBeLessThan(8);
  });

  it('are read in time where an address asks for thousands of secrets', async () => {
    const href = `https://a.example/?${Array.from({ length: 50_000 }, (_, i) => `a${i}_token=1`).join('&amp;')}&amp;page=2`;
    const before = process.cpuUsage().user;
    expect((await read(`<DL><DT><A HREF="${href}">A</A></DL>`))[0]?.texts).toEqual(['A\nhttps://a.example/?page=2']);
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(2000);
  });

  it('are told from a page that only speaks of such a file', async () => {
    const page = '<p>It begins with &lt;!DOCTYPE NETSCAPE-Bookmark-file-1&gt;: <a href="https://a.example/">here</a>.';
    expect((await read(page, ''))[0]?.texts).toEqual(['It begins with <!DOCTYPE NETSCAPE-Bookmark-file-1>: here.']);
  });
});
