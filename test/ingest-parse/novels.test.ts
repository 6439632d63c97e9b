import { describe, expect, it } from '@jest/globals';
import { textParts } from '../../src/ingest/parse/plain-text.js';
import { processorTime } from '../support/processor-time.js';
import { sectionTexts } from './manifests.js';

const read = (text: string) => sectionTexts(textParts(text));
const long = 'The orchard has forty apple trees and one pear tree near the gate, where the boats land in autumn.';

describe('a story in plain text', () => {
  it('takes no spoken line for a heading', async () => {
    for (const line of [
      '"Since Friday."',
      '"I knew," said Ada. "It was mine."',
      '“Who is there?”',
      '« Entrez ! »',
      '„Komm!“',
      "'Not yet,' she said, 'but soon'",
    ]) {
      expect(await read(`${long}\n\n${line}\n\n${long}`)).toEqual([{ path: '', texts: [long, line, long] }]);
      expect((await read(`${line}\n${long}`))[0]?.path).toBe('');
    }
    expect(await read(`"The Orchard" in short\n\n${long}`)).toEqual([
      { path: '"The Orchard" in short', texts: [long] },
    ]);
  });

  it('puts text below its chapter, with the title on the next line', async () => {
    for (const [lines, path] of [
      ['CHAPTER TWO\n\nThe Gate', 'CHAPTER TWO: The Gate'],
      ['CHAPTER II.\nTHE GATE', 'CHAPTER II: THE GATE'],
      ['Chapter 2: The Gate', 'Chapter 2: The Gate'],
      ['Chapter Twenty-One', 'Chapter Twenty-One'],
      ['Zweites Kapitel\n\nDas Tor', 'Zweites Kapitel: Das Tor'],
      ['Kapitel 3', 'Kapitel 3'],
      ['CHAPITRE PREMIER', 'CHAPITRE PREMIER'],
      ['Epilogue', 'Epilogue'],
    ]) {
      expect(await read(`${lines}\n\n"Run!"\n\n${long}`)).toEqual([{ path, texts: ['"Run!"', long] }]);
    }
    expect(await read(`CHAPTER TWO\nThe Gate\n${long}\n\n${long}`)).toEqual([
      { path: 'CHAPTER TWO: The Gate', texts: [long, long] },
    ]);
  });

  it('puts chapters below their part, and other headings below the chapter', async () => {
    const book = `PART ONE\n\nCHAPTER ONE\n\n${long}\n\nA Letter\n\n${long}\n\nCHAPTER TWO\n\n${long}\n\nPART TWO\n\n${long}`;
    expect((await read(book)).map(({ path }) => path)).toEqual([
      'PART ONE > CHAPTER ONE',
      'PART ONE > CHAPTER ONE > A Letter',
      'PART ONE > CHAPTER TWO',
      'PART TWO',
    ]);
  });

  it('takes no list of chapters for chapters, and no sentence for one', async () => {
    const contents = 'Chapter One\nChapter Two\nChapter Three';
    expect(await read(contents)).toEqual([{ path: '', texts: [contents] }]);
    expect(await read('Chapter 1\n\nThe Gate\n\nChapter 2\n\nThe Sea')).toEqual([
      { path: '', texts: ['Chapter 1', 'The Gate', 'Chapter 2', 'The Sea'] },
    ]);
    expect((await read(`Chapter one was better than chapter two.\n\n${long}`))[0]?.path).toBe('');
    expect((await read(`Part 2 of the form is for parents.\n\n${long}`))[0]?.path).toBe('');
  });

  it('stays linear for hostile lines', async () => {
    for (const line of ['"' + '.'.repeat(90), 'CHAPTER ONE', 'Chapter 1:'.padEnd(99, ' -'), '“' + ',“'.repeat(40)]) {
      const text = `${line}\n\n`.repeat(1e6 / (line.length + 2));
      const spent = await processorTime(() => {
        for (const _ of textParts(text));
      });
      expect(spent).toBeLessThan(4000);
    }
  });
});

describe('a letter in plain text', () => {
  it('keeps its subject with whom it is for', async () => {
    expect(await read(`Mill Lane\n\nDear Ms Bell,\n\nFinn: the gate\n\n${long}`)).toEqual([
      { path: '', texts: ['Mill Lane', 'Dear Ms Bell,', 'Finn: the gate', long] },
    ]);
    expect((await read(`Dear Ms Bell,\n\nFinn: the gate\n${long}`))[0]?.path).toBe('');
  });

  it('takes no name above a quoted mail for a heading', async () => {
    for (const quote of [
      `On Tue, 10 Nov 2026 at 19:42, Karen Ash wrote:\n> ${long}`,
      `On Tue, 10 Nov 2026 at 19:42, Karen Ash <karen.ash@mail.example> wrote:\n\n> ${long}`,
      `> ${long}`,
      `From: Karen Ash <karen@mail.example>\nSent: 10 November 2026 19:42\nTo: Ada Bly\nSubject: the gate\n\n${long}`,
      `Von: Karen Ash <karen@mail.example>\nGesendet: Dienstag, 10. November 2026 19:42\nAn: Ada Bly\n\n${long}`,
    ]) {
      expect((await read(`Thank you.\n\nAda Bly\n\n${quote}`)).map(({ path }) => path)).toEqual(['']);
    }
  });
});
