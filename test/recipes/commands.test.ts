import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerProcess, startProcess } from '../service/process.js';
import { commandsOf, type PageCommand } from './pages.js';
import { layOut, runInShell } from './reader.js';

/** Commands that are not run here, and why. */
const NOT_RUN: ReadonlyArray<readonly [RegExp, string]> = [
  [/…|<checkpoint>|33ccca95094b794fc162/, 'holds a value that a reader fills in'],
  [/^export /, 'sets what the test sets for the whole page'],
  [/^npm (run|start)/, 'installs, builds or checks the project itself'],
  [/docker-compose|kubectl/, 'needs an engine of containers; test/live and test/deploy check the files'],
  [/\bserve\b|--watch/, 'stays; its own tests run it'],
  [/neo4j|qdrant|graph sync|migrate store/, 'needs that server; test/live runs it'],
  [
    /^(SVC_EMBEDDING=static )?npx svc (reindex|graph )/,
    'test/cli/graph.test.ts and test/live/neo4j-recipe.test.ts run it',
  ],
  [/^npx tsx docs\/recipes/, 'test/recipes/recipes.test.ts runs it'],
  [/svc restore/, 'needs an empty directory; test/cli/backup.test.ts runs it'],
];

const reasonOf = (command: string) => NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

interface Page {
  /** Whether a service runs beside, as the page says. */
  readonly served?: boolean;
  /** Domains in which there is something, where the page is about them. */
  readonly domains?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Pages whose commands are run. */
const PAGES: Readonly<Record<string, Page>> = {
  'README.md': { served: true, domains: ['handbook'] },
  'docs/api.md': { served: true, domains: ['handbook'], environment: { SVC_HMAC_SECRET: 'of the reader' } },
  'docs/first-ten-minutes.md': {},
  'docs/security.md': { environment: { SVC_KEYS_FILE: 'keys.yaml' } },
  'docs/recipes/agent-memory.md': { served: true },
  'docs/recipes/console.md': { served: true, domains: ['handbook'] },
  'docs/recipes/entity-resolution.md': { domains: ['ops'] },
  // A plan asks the model nothing, so that none need be there.
  'docs/recipes/language-models.md': { environment: { SVC_LLM: 'ollama', SVC_LLM_MODEL: 'llama3.1:8b' } },
  'docs/recipes/operations.md': { served: true },
  'docs/recipes/rule-sets.md': {},
};

/** Pages of which no command can be run here. */
const NOTHING_RUN = ['docs/recipes/README.md', 'docs/recipes/neo4j.md'];

let world: string;
let server: ServerProcess | undefined;
beforeEach(() => {
  world = mkdtempSync(join(tmpdir(), 'svc-pages-'));
  layOut(world);
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(world, { recursive: true, force: true });
});

/** Runs a command in a shell of the reader's; addresses and places of the page become the test's. */
async function run({ command, code }: PageCommand, environment: Record<string, string>, before: string): Promise<void> {
  const here = command
    .replaceAll('http://127.0.0.1:8400', server?.url ?? 'http://127.0.0.1:8400')
    .replaceAll('/backups/', `${world}/backups/`)
    .replaceAll('/srv/', `${world}/`)
    .replace(/^curl /, 'curl --fail-with-body ');
  const ended = await runInShell(`${before}\n${here}`, world, environment);
  expect({ command, ...ended, output: ended.code === code ? '' : ended.output.slice(-1500) }).toEqual({
    command,
    code,
    output: '',
  });
}

it('every page with commands is run, or holds none that can be run here', () => {
  const pages = ['README.md', ...['docs', 'docs/recipes'].flatMap((folder) => markdownOf(folder))];
  expect(pages.filter((page) => commandsOf(page).length > 0).sort()).toEqual(
    [...Object.keys(PAGES), ...NOTHING_RUN].sort(),
  );
  const isRun = (page: string) => commandsOf(page).some(({ command }) => reasonOf(command) === undefined);
  expect([Object.keys(PAGES).filter((page) => !isRun(page)), NOTHING_RUN.filter(isRun)]).toEqual([[], []]);
});

const markdownOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** A line that sets variables of the shell belongs to the commands after it. */
const isAssignment = (command: string): boolean => /^[a-z]+=/.test(command);

describe('the commands run as they are typed:', () => {
  it.each(Object.entries(PAGES))('%s', async (page, { served, domains = [], environment: more }) => {
    const environment = { SVC_DATA_DIR: join(world, 'data'), SVC_EMBEDDING: 'static', ...more };
    for (const domain of domains)
      await run({ command: `svc ingest samples/handbook.md --domain ${domain}`, code: 0 }, environment, '');
    if (served === true) server = await startProcess(join(world, 'data'), { ...environment, SVC_INGEST_ROOTS: world });
    let before = '';
    for (const one of commandsOf(page)) {
      if (reasonOf(one.command) !== undefined) continue;
      if (isAssignment(one.command)) before += `${one.command}\n`;
      else await run(one, environment, before);
    }
  });
});
