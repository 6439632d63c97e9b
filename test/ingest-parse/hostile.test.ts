import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/ingest/parse/limits.js';
import { type Content, parse } from '../../src/ingest/parse/parse.js';
import { parserCount } from '../../src/ingest/parse/worker/pool.js';
import * as hostile from './hostile-documents.js';

const MOST_WORKERS = 4;
const pdf = (bytes: Uint8Array): Content => ({ type: 'pdf', name: 'deck.pdf', bytes });
const docx = (bytes: Uint8Array): Content => ({ type: 'docx', name: 'report.docx', bytes });
const html = (text: string): Content => ({ type: 'html', name: 'page.html', bytes: Buffer.from(text) });

/**
 * Returns the refusal of a document that a limit of size is for. A machine that gives the parser a twentieth of a processor
 * lets the limit on the clock come first; that says nothing of the document, which is parsed again, up to four times.
 */
async function refusal(content: Content): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await parse(content).then(
      () => new Error('It was read.'),
      (reason: unknown) => reason,
    );
    const onTheClock = (error as { details?: { limit?: string } }).details?.limit === 'seconds';
    if (!onTheClock || attempt === 4) return error;
  }
}

async function refused(content: Content, limit: string, words: string) {
  expect(await refusal(content)).toMatchObject({
    code: 'too_large',
    message: expect.stringContaining(words),
    details: { member: 'source_path', limit },
  });
}

describe('documents that would hold a parser up', () => {
  it('are refused with the limit: a table whose long head stands before every cell', async () => {
    const letters = (i: number) => [...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const head = Array.from({ length: 1000 }, (_, i) => `${'column '.repeat(10)}${letters(i)}`).join(',');
    const bytes = Buffer.from(`${head}\n${`${'1,'.repeat(999)}1\n`.repeat(2000)}`);
    await refused({ type: 'csv', name: 'table.csv', bytes }, 'characters', 'more than 64 Mi characters');
  });

  it('are refused with the limit: pages of a PDF', async () => {
    await refused(pdf(await hostile.pdfOfPages(LIMITS.pdfPages + 1)), 'pdfPages', 'more than 5000 pages');
  });

  it('are refused: one page listed 50,000 times', async () => {
    await expect(parse(pdf(hostile.pdfOfOnePageManyTimes(50_000)))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('deck.pdf'),
    });
  });

  it('are read for what they hold: a PDF that claims pages it has not', async () => {
    const { parts } = await parse(pdf(hostile.pdfOfClaimedPages(1_000_000)));
    expect(parts).toEqual([{ kind: 'prose', text: 'The keeper counts the trees.' }]);
  });

  it.each([1, 2])(
    'are refused with the limit: a stream that inflates to half a gigabyte, layers: %i',
    async (layers) => {
      await refused(pdf(hostile.pdfBomb(1 << 29, layers)), 'bufferMib', 'more than 256 MiB');
    },
  );

  it('are refused for their time, on the clock or of the processor: a PDF of nested graphics states', async () => {
    await expect(parse(pdf(hostile.pdfOfNestedStates(1_000_000)))).rejects.toMatchObject({
      code: 'too_large',
      details: { member: 'source_path', limit: expect.stringMatching(/seconds$/iu) },
    });
  });

  it('are refused with the limit of memory, and end no process but the parser: widths of 300 million characters', async () => {
    expect(await refusal(pdf(hostile.pdfOfWidths(300_000_000)))).toMatchObject({
      code: 'too_large',
      details: { member: 'source_path', limit: expect.stringMatching(/Mib$/u) },
    });
    const { parts } = await parse(pdf(hostile.pdfOfClaimedPages(1)));
    expect(parts).toEqual([{ kind: 'prose', text: 'The keeper counts the trees.' }]);
  });

  it('are refused with the limit: paragraphs, entries, size and ratio of a DOCX', async () => {
    await refused(docx(hostile.docxOfParagraphs(300_000)), 'docxParagraphs', 'more than 50000 paragraphs');
    await refused(docx(hostile.docxOfEntries(20_000)), 'entries', 'more than 10000 archive entries');
    await refused(docx(hostile.docxBomb(1 << 27)), 'unpackedMib', 'more than 64 MiB');
    await refused(docx(hostile.docxBomb(32 << 20)), 'ratio', 'compressed by more than 200 to 1');
  });

  it('are refused with the limit: elements of HTML nested too deep', async () => {
    await refused(html(hostile.nestedHtml(100_000)), 'depth', `deeper than ${LIMITS.depth}`);
    await expect(parse(html(hostile.nestedHtml(1500)))).resolves.toMatchObject({ parts: [{ text: 'words' }] });
  });

  it('are read: HTML whose title is ten megabytes, of which a line stays', async () => {
    const { title, parts } = await parse(html(`<title>${'a '.repeat(5_000_000)}</title><p>words`));
    expect([title?.length, parts]).toEqual([299, [{ kind: 'prose', text: 'words' }]]);
  });

  it('are read: HTML of many end tags without an element to end, below as many open ones as there may be', async () => {
    const { parts } = await parse(html(hostile.strayEndTags(1_000_000)));
    expect(parts).toEqual([{ kind: 'prose', text: 'words' }]);
  });

  it('are read: lines of a PDF that end in almost a row of dots, and one paragraph of very many lines', async () => {
    const { parts } = await parse(pdf(hostile.pdfOfDots(300_000)));
    expect(parts).toEqual([{ kind: 'prose', text: expect.stringMatching(/^word \.+ word$/u) }]);
    const long = await parse(pdf(hostile.pdfOfLines(100_000)));
    expect(long.parts).toEqual([{ kind: 'prose', text: expect.stringMatching(/^line 0 (?:line \d+ ?)+$/u) }]);
  });

  it.each([
    ['HTML', html(`<p>${'<a href="b">a</a> '.repeat(50_000)}`)],
    ['Markdown', { type: 'markdown' as const, text: '[a](b) '.repeat(50_000) }],
  ])('hand over the words of links once at most: a paragraph of very many of them in %s', async (_, content) => {
    const { parts } = await parse(content);
    expect(parts.length).toBeGreaterThan(1);
    const links = parts.flatMap((part) => (part.kind === 'heading' ? [] : (part.links ?? [])));
    expect(links.length).toBeLessThanOrEqual(50_000);
  });

  it('leave no more workers than there may be, and the next document is read', async () => {
    const bytes = await hostile.pdfOfPages(3);
    const many = Array.from({ length: 12 }, () => parse(pdf(bytes)));
    for (const { parts } of await Promise.all(many)) expect(parts.at(-1)?.text).toContain('Page 2 says so.');
    expect(parserCount()).toBeLessThanOrEqual(MOST_WORKERS);
  });
});

describe('a parser that runs', () => {
  it('ends with the call that is cancelled, also in the queue', async () => {
    const controller = new AbortController();
    const text = hostile.hostileMarkdown['short lines']!(4 << 20);
    const running = Array.from({ length: 10 }, () => parse({ type: 'markdown', text }, controller.signal));
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const reasons = (await Promise.allSettled(running)).map(
      (each) => each.status === 'rejected' && each.reason.message,
    );
    expect(new Set(reasons)).toEqual(new Set(['enough']));
    await expect(parse({ type: 'markdown', text: '# A\n\nWords.' })).resolves.toMatchObject({ parts: [{}, {}] });
  });
});

/** Markdown of marks alone: nothing to read is left of it. */
const WITHOUT_TEXT = new Set(['nested quotes', 'nested lists', 'comments that never close', 'bars']);

describe.each(Object.entries(hostile.hostileMarkdown))('Markdown of %s', (kind, make) => {
  it('is parsed, or refused as empty where it holds marks only', async () => {
    const parsed = parse({ type: 'markdown', text: make(1 << 18) });
    if (WITHOUT_TEXT.has(kind)) {
      await expect(parsed).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('empty') });
      return;
    }
    const { parts } = await parsed;
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.every(({ text }) => text.trim() !== '')).toBe(true);
  });
});

describe.each(Object.entries(hostile.hostileHtml))('HTML of %s', (_, make) => {
  it('is parsed whole', async () => {
    const { parts } = await parse(html(make(1 << 19)));
    expect(parts[0]?.text).toMatch(/^(?:\| )?[a&]/u);
  });
});
