import { describe, expect, it } from '@jest/globals';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { htmlParts } from '../../src/ingest/parse/html.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { processorTime } from '../support/processor-time.js';

const texts = (html: string) => htmlParts(html).parts.map(({ kind, text }) => `${kind}: ${text}`);
const source = { domain: 'd', kind: 'file', key: 'trip.htm', label: 'trip.htm' } as const;

async function titles(html: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(html);
  const passages = await chunk(await parse({ bytes, name: 'trip.htm', type: 'html' }), { source, title: 'trip.htm' });
  return passages.map(({ title }) => title);
}

describe('a document that Word saved as a page', () => {
  it('has its title as heading, and no name that a program gave it', async () => {
    const body = '<p class=MsoTitle>Trip to the coast<o:p></o:p></p><p class=MsoNormal>Bring boots.</p>';
    expect(await titles(`<html><title>Document1</title><body>${body}</body></html>`)).toEqual(['Trip to the coast']);
    expect(await titles('<title>Document1</title><p class=MsoNormal>Bring boots.</p>')).toEqual(['trip.htm']);
    expect(await titles('<title>Trip</title><p class=MsoNormal>Bring boots.</p>')).toEqual(['Trip']);
  });

  it('has its lists, with the numbers that stand in their text', () => {
    const item = (mark: string, text: string, level = 1) =>
      `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`;
    expect(
      texts(
        `<p class=MsoNormal>Bring:</p>${item('·', 'boots')}${item('o', 'two pairs', 2)}${item('2.', 'a hat')}<p>End.</p>`,
      ),
    ).toEqual(['prose: Bring:', 'list: - boots', 'list:   - two pairs', 'list: 2. a hat', 'prose: End.']);
    expect(texts('<p class=MsoListParagraph>Only indented.</p>')).toEqual(['prose: Only indented.']);
  });

  it('has its lists, too, where Word saved it filtered, or by styles of lists', () => {
    const drawn = (mark: string) => `${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span>`;
    const item = (mark: string, text: string, margin: string) =>
      `<p class=MsoListParagraphCxSpMiddle style='margin-left:${margin};text-indent:-18.0pt'>${drawn(mark)}${text}</p>`;
    expect(
      texts(`${item('·', 'boots', '36.0pt')}${item('o', 'two pairs', '72.0pt')}${item('2.', 'a hat', '.5in')}`),
    ).toEqual(['list: - boots', 'list:   - two pairs', 'list: 2. a hat']);
    expect(
      texts(
        `<p class=MsoListBullet>${drawn('·')}ergs</p><p class=MsoListBullet2>${drawn('·')}rate 20</p><p class=MsoListNumber>${drawn('1.')}outing</p><p class=MsoListContinue>or not</p>`,
      ),
    ).toEqual(['list: - ergs', 'list:   - rate 20', 'list: 1. outing', 'prose: or not']);
  });

  it('keeps a row whose cells hold items', () => {
    const cell = "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'>· boots</p>";
    expect(texts(`<table><tr><td>${cell}</td><td>two</td></tr></table>`)).toEqual(['table: | · boots | two |']);
  });
});

describe('a page of a site', () => {
  it('leaves out its menu, the way to the page and the question for cookies', () => {
    const page = '<h1>Rules</h1><p>No gum.</p>';
    for (const own of [
      '<div class="breadcrumb"><a href="/">Home</a> &gt; Rules</div>',
      '<ol class="nav breadcrumbs"><li><a href="/">Home</a></li></ol>',
      '<div id="nav"><ul><li><a href="/">Home</a></li></ul></div>',
      '<div class="box main-navigation"><a href="/">Home</a></div>',
      '<div id="cookie-banner"><p>We use cookies.</p></div>',
      '<section class="box cookie-consent"><p>We use cookies.</p></section>',
      '<div role="dialog" aria-label="Cookie settings"><p>Choose.</p></div>',
    ])
      expect(texts(`<body>${own}${page}</body>`)).toEqual(['heading: Rules', 'prose: No gum.']);
  });

  it('keeps a page whose body has such a word, and words that only begin alike', () => {
    expect(texts('<body class="breadcrumbs cookie-banner"><p>No gum.</p></body>')).toEqual(['prose: No gum.']);
    expect(texts('<div class="navy nav-boats"><p>No gum.</p></div>')).toEqual(['prose: No gum.']);
    expect(texts('<div id="main-menu" class="menu"><p>Soup 4.50</p></div>')).toEqual(['prose: Soup 4.50']);
    for (const [open, close] of [
      ['<section id="navigation">', '</section>'],
      ['<div class="section" id="navigation">', '</div>'],
    ])
      expect(texts(`${open}<h2 id="nav">Navigation</h2><p>By stars.</p>${close}`)).toEqual([
        'heading: Navigation',
        'prose: By stars.',
      ]);
    expect(texts('<div class="cookie-recipes"><p>No gum.</p></div>')).toEqual(['prose: No gum.']);
    expect(texts('<main><div class="cookie-bar"><p>Bake.</p></div></main>')).toEqual(['prose: Bake.']);
    expect(texts('<div role="dialog"><p>We went by train.</p></div>')).toEqual(['prose: We went by train.']);
  });

  it('is read in no time with a long class', async () => {
    const page = `<div class="${'cookie-banner-'.repeat(70_000)}"><p class="Mso${'l'.repeat(1e6)}" style="${'mso-list: l1'.repeat(80_000)}">x</p></div>`;
    expect(await processorTime(() => texts(page))).toBeLessThan(1500);
  });
});
