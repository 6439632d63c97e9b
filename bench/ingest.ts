// Text ingest by stage: `npm run bench:ingest -- --model minilm [--limit 500]`. The passages of MuSiQue-train as one Markdown
// document, through the same code as POST /v1/ingest/text; bytes on disk counted after a stop. Then as documents and as messages
// of their own: one after the other, 32 documents at once, and 100 messages a call, at most 600 of each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chunks } from '../src/backends/store/sql.js';
import { type ComposedService, compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import { inParallel } from '../src/core/async/in-parallel.js';
import { documentManifest, textDocument } from '../src/ingest/document.js';
import { embedManifest } from '../src/ingest/index/embed.js';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'static' },
    limit: { type: 'string', default: '100000' },
    json: { type: 'string' },
  },
});
const file = join(process.env.BENCH_DATA ?? '../shared/data', 'musique-train/musique_train_corpus.json');
const passages = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Array<{ title: string; text: string }>)
  : sections(readFileSync('samples/encyclopedia.md', 'utf8'));
const corpus = passages.slice(0, Number(values.limit));
const text = corpus.map((passage) => `# ${passage.title}\n\n${passage.text}`).join('\n\n');

const directory = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: values.model, SVC_LOG_LEVEL: 'error' };
const figures: Record<string, number | string> = {
  passages: corpus.length,
  model: values.model,
  cores: cpus().length,
  date: new Date().toISOString().slice(0, 10),
};
try {
  await measure();
  await measureSmall();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const [name, value] of Object.entries(figures)) {
  process.stdout.write(`${name.padEnd(36)} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}\n`);
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(figures, null, 2));
process.exit(0);

async function measure(): Promise<void> {
  const service = await compose(loadConfig({ environment, executable: undefined }));
  await service.concepts.serving.embedding?.health();
  const input = { text, domain: 'corpus', format: 'markdown' as const, name: 'corpus' };
  // The stages one by one first; the whole is measured on a fresh directory, where nothing is cached.
  let at = performance.now();
  const manifest = await documentManifest(await textDocument(input));
  figures['read, split, extract, passages/s'] = rate(at);
  at = performance.now();
  await embedManifest(service.concepts.serving.embedding, manifest);
  figures['embed passages and sentences, /s'] = rate(at);
  at = performance.now();
  await service.ingest.text({ ...input, domain: 'second' });
  figures['extract and write, vectors cached, /s'] = rate(at);
  await service.close();
  rmSync(directory, { recursive: true, force: true });
  const again = await compose(loadConfig({ environment, executable: undefined }));
  await again.concepts.serving.embedding?.health();
  at = performance.now();
  await again.ingest.text(input);
  figures['whole ingest, passages/s'] = rate(at);
  await again.close();
  const bytes = Number(execFileSync('du', ['-sb', directory], { encoding: 'utf8' }).split('\t')[0]);
  figures['bytes on disk per passage'] = bytes / corpus.length;
}

async function measureSmall(): Promise<void> {
  const small = corpus.slice(0, 600);
  const fresh = async (name: string, work: (ingest: ComposedService['ingest']) => Promise<unknown>): Promise<void> => {
    rmSync(directory, { recursive: true, force: true });
    const service = await compose(loadConfig({ environment, executable: undefined }));
    await service.concepts.serving.embedding?.health();
    const at = performance.now();
    const began = process.cpuUsage();
    await work(service.ingest);
    figures[`${name}, /s`] = small.length / ((performance.now() - at) / 1000);
    const { user, system } = process.cpuUsage(began);
    figures[`${name}, processor ms each`] = (user + system) / 1000 / small.length;
    await service.close();
  };
  const documents = small.map(({ title, text }, i) => ({
    text: `# ${title}\n\n${text}`,
    domain: 'corpus',
    format: 'markdown' as const,
    name: `document ${i}`,
  }));
  const messages = small.map(({ text }, i) => ({
    text,
    session_id: `session ${i % 20}`,
    role: 'user',
    message_id: `m${i}`,
  }));
  const atOnce = (most: number) => (ingest: ComposedService['ingest']) =>
    inParallel(documents, most, (document) => ingest.text(document));
  const inCallsOf = (most: number) => async (ingest: ComposedService['ingest']) => {
    for (const part of chunks(messages, most)) {
      if (most === 1) await ingest.message({ ...part[0]!, domain: 'corpus' });
      else await ingest.messages({ domain: 'corpus', messages: part });
    }
  };
  await fresh('documents, one after the other', atOnce(1));
  await fresh('documents, 32 at once', atOnce(32));
  await fresh('messages, one a call', inCallsOf(1));
  await fresh('messages, 100 a call', inCallsOf(100));
}

function rate(since: number): number {
  return corpus.length / ((performance.now() - since) / 1000);
}

function sections(markdown: string): Array<{ title: string; text: string }> {
  return markdown
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...rest] = part.split('\n');
      return { title, text: rest.join('\n').trim() };
    });
}
