import { describe, expect, it } from '@jest/globals';
import { docxParts } from '../../src/ingest/parse/docx.js';
import { docxOf } from './hostile-documents.js';

const run = (text: string, isBold = false) => `<w:r>${isBold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t>${text}</w:t></w:r>`;
const line = (text: string) => `<w:p>${run(text)}</w:p>`;
const bold = (text: string) => `<w:p>${run(text, true)}</w:p>`;

async function texts(body: string): Promise<string[]> {
  const { parts } = await docxParts(docxOf(body));
  return parts.map((part) => `${part.kind === 'heading' ? `h${part.level}` : part.kind}: ${part.text}`);
}

describe('a Word document without styles of headings', () => {
  it('has its short lines in bold as headings, below those that it begins with', async () => {
    const body = `${bold('Rowing Club')}${bold('Minutes of 3 June')}${line('Present: Ada')}${bold('Landing stage')}<w:p/>${line('The fee is 212.')}`;
    expect(await texts(body)).toEqual([
      'h1: Rowing Club',
      'h2: Minutes of 3 June',
      'prose: Present: Ada',
      'h3: Landing stage',
      'prose: The fee is 212.',
    ]);
  });

  it('has them below the line in the style of titles', async () => {
    const title = `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>${run('Rowing Club')}</w:p>`;
    const body = `${title}${line('Present: Ada')}${bold('Landing stage')}${line('The fee is 212.')}`;
    expect(await texts(body)).toEqual([
      'h1: Rowing Club',
      'prose: Present: Ada',
      'h2: Landing stage',
      'prose: The fee is 212.',
    ]);
  });

  it('has its sentences in bold, labels in bold, several bold lines and bold cells as they stand', async () => {
    const cell = `<w:tbl><w:tr><w:tc>${bold('Who')}</w:tc></w:tr></w:tbl>`;
    const body = `${line('One.')}${bold('Never row alone.')}${line('Two.')}<w:p>${run('Present:', true)}${run(' Ada')}</w:p>${bold('Ada Marsh')}${bold('Secretary')}${line('Three.')}${cell}${bold('The end')}`;
    expect((await texts(body)).filter((text) => text.startsWith('h'))).toEqual([]);
  });

  it('has merged cells in each of their rows', async () => {
    const row = (merge: string, name: string, what: string) =>
      `<w:tr><w:tc><w:tcPr><w:vMerge${merge}/></w:tcPr>${line(name)}</w:tc><w:tc>${line(what)}</w:tc></w:tr>`;
    const body = `<w:tbl>${row(' w:val="restart"', 'Corrie', 'sculls')}${row('', '', 'letter')}</w:tbl>`;
    expect(await texts(body)).toEqual(['table: | Corrie | sculls |', 'table: | Corrie | letter |']);
  });
});

it('a Word document with a style of headings keeps its bold lines as text', async () => {
  const body = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run('Rules')}</w:p>${bold('Landing stage')}${line('The fee is 212.')}`;
  expect(await texts(body)).toEqual(['h1: Rules', 'prose: Landing stage', 'prose: The fee is 212.']);
});

it('a Word document has its styled headings below the line in the style of titles', async () => {
  const styled = (style: string, text: string) => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}</w:p>`;
  const body = `${styled('Title', 'Boat contract')}${styled('Heading1', 'Dates')}${line('It ends in May.')}${styled('Heading2', 'Delay')}${styled('Heading6', 'Deep')}`;
  expect(await texts(body)).toEqual([
    'h1: Boat contract',
    'h2: Dates',
    'prose: It ends in May.',
    'h3: Delay',
    'h6: Deep',
  ]);
});
