import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanUp, end, type Finished, finished, firstLine, start, temporaryDirectory } from '../cli/processes.js';
import { DOCUMENTS, openService, snapshot, type TestService } from '../service/harness.js';
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
      expect(items[0]?.content).toBeTruthy();
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
  const run = (...args: string[]) => start('src/cli/main.ts', args, environment);
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
    'move a data directory to Neo4j: the same answers; copies and their restore while it serves; and back',
    async () => {
      const page = commands('docs/recipes/neo4j.md');
      const [move, serve, checkpoint, checkpoints, restore] = page;
      expect([serve, page.length]).toEqual([['serve'], 5]);
      expect(commands('README.md')).toEqual(expect.arrayContaining([move, serve, checkpoint]));
      const { directory, holds, answers } = await embeddedDirectory();
      const svc = shell(directory);
      expect(ok(await svc.run(...move!))).toMatchObject({ from: 'embedded', to: 'neo4j', sources: 3, resumed: false });
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
      const back = shell(directory, { SVC_GRAPH: 'embedded' });
      ok(await back.run('graph', 'import', '--from', 'neo4j', '--replace'));
      expect(await back.serving(answersOf)).toEqual(answers);
    },
    SLOW,
  );

  it(
    'fill a text index in Neo4j too; a service with another data directory has both after svc reindex',
    async () => {
      const { directory, holds, answers } = await embeddedDirectory();
      const svc = shell(directory, { SVC_TEXT: 'neo4j' });
      ok(await svc.run(...commands('docs/recipes/neo4j.md')[0]!));
      const after = await openService({ SVC_DATA_DIR: directory, SVC_TEXT: 'neo4j', ...NEO4J });
      expect(await snapshot(after, 'north')).toEqual(holds);
      await after.close();
      expect(await svc.serving(answersOf)).toEqual(answers);

      const other = join(temporaryDirectory(), 'data');
      ok(await shell(other).run('reindex'));
      const opened = await openService({ SVC_DATA_DIR: other, ...NEO4J });
      expect(await snapshot(opened, 'north')).toEqual(holds);
      await opened.close();
      expect(await shell(other).serving(answersOf)).toEqual(answers);
    },
    SLOW,
  );

  it(
    'leave alone what was written to Neo4j since an import stopped, unless it is to be replaced',
    async () => {
      const { directory } = await embeddedDirectory();
      const svc = shell(directory);
      const move = commands('docs/recipes/neo4j.md')[0]!;
      const write = async (environment: Record<string, string>, work: (test: TestService) => Promise<unknown>) => {
        const test = await openService({ SVC_DATA_DIR: directory, ...environment });
        await work(test);
        await test.close();
      };
      const bell = { text: 'The bell of Skarn rings at noon.', name: 'bell' };
      await write({}, async (test) => {
        for (let i = 0; i < 120; i += 1) {
          const concepts = [{ name: 'Lamp', description: `told by ${i}` }];
          await test.post('/v1/ingest/structured', { domain: 'north', source_id: `batch ${i}`, concepts });
        }
      });
      const stop = new AbortController();
      await write(NEO4J, async ({ service }) => {
        const stopped = service.graphImports.run({
          from: 'embedded',
          signal: stop.signal,
          progress: () => stop.abort(),
        });
        await expect(stopped).rejects.toThrow('it goes on from here');
        expect(await service.graph.getDomain('north')).not.toBeNull();
      });
      await write({}, (test) => test.post('/v1/ingest/text', { ...bell, domain: 'moved' }));
      await write(NEO4J, (test) => test.post('/v1/ingest/text', { ...bell, domain: 'new' }));
      const refused = await svc.run(...move);
      expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([
        1,
        { code: 'conflict', error: expect.stringMatching(/neo4j graph was written to since.*--replace/) },
      ]);
      await write(NEO4J, async ({ service }) => {
        expect(await service.graph.getDomain('new')).toMatchObject({ passages: 1 });
      });
      expect(ok(await svc.run(...move, '--replace'))).toMatchObject({ resumed: false, sources: 124 });
      await write(NEO4J, async ({ service }) => expect(await service.graph.getDomain('new')).toBeNull());
    },
    SLOW,
  );
});

it('the page names every variable of Neo4j', () => {
  const page = readFileSync('docs/recipes/neo4j.md', 'utf8');
  const settings = readFileSync('config/default.yaml', 'utf8');
  const graph = settings.slice(settings.indexOf('\ngraph:'), settings.indexOf('\nembedding:'));
  const names = [...graph.matchAll(/# (SVC_[A-Z0-9_]+)/g)].map((name) => name[1]!);
  expect(names.length).toBe(10);
  for (const name of [...names, 'SVC_TEXT']) expect(page).toContain(`\`${name}\``);
});
