/**
 * Writes samples/encyclopedia.md and samples/questions.json from the HotpotQA development passages (BENCH_DATA, default
 * ../shared/data), and samples/handbook.pdf from samples/handbook.md. The same input gives the same bytes.
 *
 *   npx tsx scripts/make-samples.ts            all three
 *   npx tsx scripts/make-samples.ts --pdf      the PDF only (needs no data)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownParts } from '../src/ingest/parse/markdown.js';
import { type Section, sections } from '../src/ingest/parse/parts.js';
import { chooseSample, type Passage, type Question } from './sample-choice.js';
import { handbookPdf } from './sample-pdf.js';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));

const NOTICE = `<!--
Passages of English Wikipedia as collected in HotpotQA (Yang et al., 2018), CC BY-SA 4.0.
Attribution, changes and licence: LICENSE.md beside this file. Made by scripts/make-samples.ts.
-->`;

function readData(): { passages: Passage[]; questions: Question[] } {
  const folder = join(
    process.env.BENCH_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url)),
    'hotpotqa-train',
  );
  const corpus = JSON.parse(readFileSync(join(folder, 'hotpotqa_train_corpus.json'), 'utf8')) as Record<
    string,
    string[]
  >;
  const lines = readFileSync(join(folder, 'hotpotqa_train_eval.jsonl'), 'utf8').trim().split('\n');
  return {
    passages: Object.entries(corpus).map(([title, sentences]) => ({ title, text: sentences.join('').trim() })),
    questions: lines.map((line) => JSON.parse(line) as Question),
  };
}

/** What Markdown would take as a mark gets a backslash. */
function escaped(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/([\\`*_<>~[\]])/gu, '\\$1')
    .replace(/&(?=[#\w]+;)/gu, '\\&')
    .replace(/^(#|[-+|=]|\d+[.)]\s)/u, '\\$1');
}

async function encyclopedia(passages: readonly Passage[]): Promise<string> {
  const body = passages.map(({ title, text }) => `# ${escaped(title)}\n\n${escaped(text)}\n`).join('\n');
  const written = `${NOTICE}\n\n${body}`;
  const read: Section[] = [];
  for await (const section of sections(markdownParts(written))) read.push(section);
  passages.forEach(({ title, text }, i) => {
    const found = read[i]?.blocks.map((block) => block.text).join(' ');
    if (read[i]?.path !== title || found !== text.replace(/\s+/gu, ' '))
      throw new Error(`"${title}" reads otherwise than written`);
  });
  return written;
}

if (!process.argv.includes('--pdf')) {
  const { passages, questions } = readData();
  const sample = chooseSample(passages, questions);
  writeFileSync(join(samples, 'encyclopedia.md'), await encyclopedia(sample.passages));
  writeFileSync(join(samples, 'questions.json'), `${JSON.stringify(sample.questions, null, 2)}\n`);
  console.log(`${sample.passages.length} passages, ${sample.questions.length} questions`);
}
const pdf = await handbookPdf(readFileSync(join(samples, 'handbook.md'), 'utf8'));
writeFileSync(join(samples, 'handbook.pdf'), pdf.bytes);
console.log(`handbook.pdf: ${pdf.pages} pages, ${pdf.bytes.length} bytes`);
