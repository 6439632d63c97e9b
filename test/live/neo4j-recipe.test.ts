import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanUp, end, type Finished, finished, firstLine, startSvc, temporaryDirectory } from '../cli/processes.js';
import { DOCUMENTS, openService, snapshot } from '../service/harness.js';
import { neo4jConnection, neo4jOptions, wipe } from './neo4j.js';

const { uri, password } = neo4jOptions();
/** What the page exports; the address is the live server's. */
const NEO4J = {
  SVC_GRAPH: 'neo4j',
  SVC_NEO4J_URI: uri,
  ...(password === undefined ? {} : { SVC_NEO4J_PASSWORD: password }),
};
const connection = neo4jConnection();
beforeAll(() => connection.connect());
beforeEach(() => wipe(connection));
afterAll(async () => {
  await connection.disconnect();
  await cleanUp();
});

/** The lines `npx svc …` of a page's blocks, in order, without comments. */
function commands(page: string): string[][] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)].map((block) => block[1] ?? '');
  const lines = blocks.flatMap((block) => [...block.matchAll(/^npx svc ([^#\n]+)/gm)]);
  return lines.map((line) => (line[1] ?? '').trim().split(/\s+/));
}

const QUESTIONS = ['Where was Mira Voss born?', 'Who designed the lighthouse?', 'How many fishing boats are there?'];

/** What `svc serve` answers: the passages of each question by vectors, by the graph with text, and by default. */
async function answersOf(url: string): Promise<string[][]> {
  const answers: string[][] = [];
  for (const context of QUESTIONS) {
    for (const mode of ['vec', 'graph', 'auto']) {
      const response = await fetch(`${url}/v1/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ context, mode, domains: ['north'], top_k: 5 }),
      });
      const { items } = (await response.json()) as { items: Array<{ id: string; content: string }> };
      expect(items[0]?.content).toMatch(/\w/);
      answers.push(items.map((item) => item.id));
    }
  }
  return answers;
}

/** A data directory of the embedded graph; its path, what it holds, and what it answers. */
async function embeddedDirectory() {
  const directory = join(temporaryDirectory(), 'data');
  const test = await openService({ SVC_DATA_DIR: directory });
  try {
    for (const [name, text] of Object.entries(DOCUMENTS)) {
      await test.post('/v1/ingest/text', { text, domain: 'north', format: 'markdown', name });
    }
    return { directory, holds: await snapshot(test, 'north'), answers: await answersOf(test.url) };
  } finally {
    await test.close();
  }
}

/** The command line as the page runs it, in an environment that has only what the page exports. */
function shell(directory: string, more: Record<string, string> = {}) {
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', ...NEO4J, ...more };
  const run = (...args: string[]) => startSvc(args, environment);
  return {
    run: (...args: string[]): Promise<Finished> => finished(run(...args, '--json')),
    serving: async <T>(work: (url: string) => Promise<T>): Promise<T> => {
      const child = run('serve', '--port', '0', '--variant', 'a', '--json');
      try {
        const line = await firstLine(child);
        return await work(/"a":\s*"(http:[^"]+)"/.exec(line)?.[1] ?? line);
      } finally {
        await end(child);
      }
    },
  };
}

const ok = ({ code, stdout, stderr }: Finished) => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** Each command is a process of its own, on a machine that may be busy. */
const SLOW = 900_000;

describe('the commands of docs/recipes/neo4j.md', () => {
  it(
    'bring Neo4j in line with a data directory: the same answers; copies and their restore while it serves; and back',
    async () => {
      const page = commands('docs/recipes/neo4j.md');
      const [sync, serve, checkpoint, checkpoints, restore] = page;
      expect([serve, page.length]).toEqual([['serve'], 5]);
      const { directory, holds, answers } = await embeddedDirectory();
      const svc = shell(directory);
      expect(ok(await svc.run(...sync!)).engines).toMatchObject([{ engine: 'neo4j', removed: 0 }]);
      await svc.serving(async (url) => {
        expect(await answersOf(url)).toEqual(answers);
        const { id } = ok(await svc.run(...checkpoint!));
        expect(ok(await svc.run(...checkpoints!)).checkpoints).toMatchObject([{ id }]);
        ok(await svc.run('forget', '--domain', 'north'));
        const restored = ok(await svc.run(...restore!.map((word) => word.replace('<checkpoint>', id))));
        expect(restored.changed).toBeGreaterThan(0);
        expect(await answersOf(url)).toEqual(answers);
      });
      const after = await openService({ SVC_DATA_DIR: directory, ...NEO4J });
      expect(await snapshot(after, 'north')).toEqual(holds);
      await after.close();
      expect(await shell(directory, { SVC_GRAPH: 'embedded' }).serving(answersOf)).toEqual(answers);
    },
    SLOW,
  );
});

it('the page names every variable of Neo4j', () => {
  const page = readFileSync('docs/recipes/neo4j.md', 'utf8');
  const settings = readFileSync('config/default.yaml', 'utf8');
  const graph = settings.slice(settings.indexOf('\ngraph:'), settings.indexOf('\nembedding:'));
  const all = [...graph.matchAll(/# (SVC_[A-Z0-9_]+)/g)].map((name) => name[1]!);
  // The templates of rules are the same on every graph engine.
  const names = all.filter((name) => name !== 'SVC_EDGE_TEMPLATES');
  expect(names.length).toBe(11);
  for (const name of [...names, 'SVC_TEXT']) expect(page).toContain(`\`${name}\``);
});
