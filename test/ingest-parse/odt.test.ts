import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openDocumentOf } from './archives.js';
import { readParts } from './read-parts.js';

const odt = (body: string, styles = '') => readParts('rules.odt', openDocumentOf('text', body, { styles }));
const p = (text: string, style = '') => `<text:p${style === '' ? '' : ` text:style-name="${style}"`}>${text}</text:p>`;
const h = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`;
const style = (name: string, family: string, properties: string, parent = '') =>
  `<style:style style:name="${name}" style:family="${family}" style:parent-style-name="${parent}"><style:text-properties ${properties}/></style:style>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const cell = (text: string, attributes = '') => `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;

describe('a text document of LibreOffice', () => {
  it('has its title above its headings, lists, tables and notes, as LibreOffice writes them', async () => {
    const bytes = await readFile('test/fixtures/documents/sailing.odt');
    expect(await readParts('sailing.odt', bytes)).toEqual([
      ...['1 Sailing club: house rules', '2 Boats'],
      'A dinghy has 12 m² of sail [1]. Ask the bosun first.\n[1] Measured without the jib.',
      ...['1. Rinse the boat.', '  - Also below the deck.', '2. Sign the book.'],
      ...['2 Fees', '| Boat | Season | Fee |', '| Laser | Summer | 90 euros |', '| Laser | Winter | 35 euros |'],
      'Pay by the form.',
    ]);
  });

  it('has no deleted text, comments, contents and hidden words', async () => {
    const hidden = style('T1', 'text', 'text:display="none"');
    const body = [
      `<text:tracked-changes>${p('deleted')}</text:tracked-changes>`,
      `<text:table-of-content>${p('contents')}</text:table-of-content>`,
      p(
        'Rinse<office:annotation><text:p>comment</text:p></office:annotation> the<text:tab/>boat<text:line-break/>at noon.',
      ),
      p('Sign<text:span text:style-name="T1">hidden</text:span> the <text:a xlink:href="x">book</text:a>.'),
    ];
    expect(await odt(body.join(''), hidden)).toEqual(['Rinse the boat\nat noon.', 'Sign the book.']);
  });

  it('has headings in lists, in sections and by their styles', async () => {
    const numbered = `<text:list><text:list-item>${h(1, 'Boats')}</text:list-item></text:list>`;
    const body = `${numbered}${p('A')}<text:section>${h(2, 'Sails')}${p('B')}</text:section>${p('Oars', 'P1')}${p('C')}`;
    expect(
      await odt(body, style('P1', 'paragraph', '', 'Heading_20_2') + style('Heading_20_2', 'paragraph', '')),
    ).toEqual([...['1 Boats', 'A', '2 Sails', 'B', '2 Oars', 'C']]);
  });

  it('has a question as the heading of its answer', async () => {
    const body =
      h(1, 'Keys') + p('Q: Where is the key?') + p('A: In the box.') + p('Q: Who may row?') + p('A: Members.');
    expect(await odt(body)).toEqual(['1 Keys', '2 Where is the key?', 'In the box.', '2 Who may row?', 'Members.']);
  });

  it('has short lines in bold as headings where it has no others', async () => {
    const bold = style('P1', 'paragraph', 'fo:font-weight="bold"') + style('T1', 'text', 'fo:font-weight="bold"');
    const span = (text: string) => p(`<text:span text:style-name="T1">${text}</text:span>`);
    const body = p('Minutes of May', 'P1') + span('Apologies') + p('Bo is ill.') + span('Boats') + p('Two are sold.');
    expect(await odt(body, bold)).toEqual([
      '1 Minutes of May',
      '2 Apologies',
      'Bo is ill.',
      '3 Boats',
      'Two are sold.',
    ]);
  });

  it('has cells that are repeated in each of their columns, and empty ones in their place', async () => {
    const empty = '<table:table-cell table:number-columns-repeated="2"/>';
    const table =
      row(cell('Day'), cell('Shift', 'table:number-columns-repeated="2"'), cell('Note')) +
      row(cell('Mon'), empty, cell('Tide'));
    expect(await odt(`<table:table>${table}</table:table>`)).toEqual([
      '| Day | Shift | Shift | Note |',
      '| Mon | | | Tide |',
    ]);
  });

  it('has endnotes with the table row that refers to them', async () => {
    const note =
      '<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>With tax.</text:p></text:note-body></text:note>';
    expect(await odt(`<table:table>${row(cell('Laser'), cell(`90${note}`))}</table:table>${p('End')}`)).toEqual([
      ...['| Laser | 90 [i] |\n[i] With tax.', 'End'],
    ]);
  });
});
