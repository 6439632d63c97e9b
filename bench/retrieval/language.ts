// Retrieval in another language than English: `npx tsx bench/retrieval/language.ts [--model minilm]`. A handbook in German with
// questions of our own; `english` is the text index as it is without knowing the language.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import type { TextIndex } from '../../src/backends/text/port.js';
import { evidenceIn } from './own-text.js';
import { type ModelName, openWorld } from './world.js';

const { values } = parseArgs({ options: { model: { type: 'string', default: 'minilm' } } });
const FOLDER = 'bench/retrieval/other-languages';
const DOMAIN = 'german';
const [answerable = ''] = readFileSync(`${FOLDER}/german.txt`, 'utf8').split('\n---\n');
const questions = answerable
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(' => ') as [string, string]);

const world = await openWorld(values.model as ModelName);
await world.ingest.text({
  text: readFileSync(`${FOLDER}/german.md`, 'utf8'),
  domain: DOMAIN,
  format: 'markdown',
  name: 'german.md',
});
const passages = await world.parts.graph.findNodes({ domain: DOMAIN, kind: 'passage' });
const english = new MemoryTextIndex('english');
await english.connect();
await english.upsert(
  passages.map(({ id, name, description }) => ({ id, domain: DOMAIN, title: name, text: description })),
);

const byText = (index: TextIndex) => async (question: string) =>
  (await index.search(question, { topK: 5, domains: [DOMAIN] })).hits.map((hit) => hit.id);
const byMode = (mode: 'auto' | 'vec') => async (context: string) =>
  (await world.retrieval.query({ context, domains: [DOMAIN], top_k: 5, mode })).items.map((item) => item.id);

await report('text, English stems', byText(english));
await report('text', byText(world.parts.text));
if (world.parts.embedding !== null) await report('vec', byMode('vec'));
await report('auto', byMode('auto'));
await world.close();

async function report(name: string, ask: (question: string) => Promise<readonly string[]>): Promise<void> {
  let first = 0;
  let found = 0;
  for (const [question, evidence] of questions) {
    const ids = await ask(question);
    const nodes = new Map((await world.parts.graph.getNodes(ids)).map((node) => [node.id, node]));
    const at = ids.findIndex((id) => evidenceIn([evidence], nodes.get(id)!.description).length > 0);
    if (at === 0) first += 1;
    if (at !== -1) found += 1;
  }
  const share = (count: number) => ((100 * count) / questions.length).toFixed(1);
  process.stdout.write(`${name}: first ${share(first)}, recall@5 ${share(found)} (${questions.length} questions)\n`);
}
