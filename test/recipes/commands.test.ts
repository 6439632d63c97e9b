import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite from 'better-sqlite3';
import { type ServerProcess, startProcess } from '../service/process.js';
import { commandsOf, type PageCommand } from './pages.js';

/** Commands that are not run here, and why. */
const NOT_RUN: ReadonlyArray<readonly [RegExp, string]> = [
  [/…|<checkpoint>|33ccca95094b794fc162|_2026-01-31T/, 'holds a value that a reader fills in'],
  [/^export /, 'sets what the test sets for the whole page'],
  [/^npm (run|start)/, 'installs, builds or checks the project itself'],
  [/docker-compose|kubectl/, 'needs an engine of containers; test/live and test/deploy check the files'],
  [/\bserve\b|interop watch|--watch/, 'stays; its own tests run it'],
  [/neo4j|qdrant|graph sync/, 'needs that server; test/live runs it'],
  [
    /^(SVC_EMBEDDING=static )?npx svc (reindex|graph )/,
    'test/cli/graph.test.ts and test/live/neo4j-recipe.test.ts run it',
  ],
  [/^npx tsx docs\/recipes/, 'test/recipes/recipes.test.ts runs it'],
  [/svc restore/, 'needs an empty directory; test/cli/backup.test.ts runs it'],
  [/a\.pdf/, 'test/jobs uploads files'],
  [/interop validate|paths": \["\/srv/, 'names files of the reader'],
  [/^(ls|cat) /, 'shows the files of the reader'],
];

const reasonOf = (command: string) => NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

/** Pages whose commands are run, and whether a service runs beside, as the page says. */
const PAGES: Readonly<Record<string, { readonly served?: boolean }>> = {
  'README.md': { served: true },
  'docs/security.md': {},
  'docs/recipes/README.md': {},
};

/** Pages with commands that no test runs as a whole yet. */
const ONLY_LISTED = [
  'docs/api.md',
  'docs/first-ten-minutes.md',
  'docs/recipes/console.md',
  'docs/recipes/entity-resolution.md',
  'docs/recipes/language-models.md',
  'docs/recipes/neo4j.md',
  'docs/recipes/operations.md',
  'docs/recipes/rule-sets.md',
];

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

/** The folder of a reader: the project's samples, the files that pages name, and `svc` on the path. */
function layOut(folder: string): void {
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  for (const name of ['handbook', 'notes', 'bin', 'backups']) mkdirSync(join(folder, name));
  const kettles = '# Kettles\n\nThe copper kettle is made by Harlan & Sons in Leeds.';
  for (const name of ['handbook', 'notes']) writeFileSync(join(folder, name, 'kettles.md'), kettles);
  const message = { text: 'When is the kettle back?', session_id: 'chat-1', speaker: 'Mara' };
  writeFileSync(join(folder, 'chat.jsonl'), `${JSON.stringify(message)}\n`);
  const shop = new BetterSqlite(join(folder, 'shop.sqlite'));
  shop.exec("create table product (id integer primary key, name text); insert into product values (1, 'Kettle')");
  shop.close();
  const built = resolve('dist/src/cli/main.js');
  const program = existsSync(built)
    ? `"${built}"`
    : `--import "${import.meta.resolve('tsx')}" "${resolve('src/cli/main.ts')}"`;
  const run = `exec "${process.execPath}" ${program} "$@"\n`;
  writeFileSync(join(folder, 'bin/svc'), `#!/bin/sh\n${run}`);
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\ntest "$1" = svc || exit 9\nshift\n${run}`);
  for (const name of ['svc', 'npx']) chmodSync(join(folder, 'bin', name), 0o755);
}

/** Runs a command in a shell of the reader's; addresses and places of the page become the test's. */
async function run({ command, code }: PageCommand, environment: Record<string, string>, before: string): Promise<void> {
  const here = command
    .replaceAll('http://127.0.0.1:8400', server?.url ?? 'http://127.0.0.1:8400')
    .replaceAll('/backups/', `${world}/backups/`)
    .replace(/^curl /, 'curl --fail-with-body ');
  const child = spawn('bash', ['-c', `${before}\n${here}`], {
    cwd: world,
    env: { ...process.env, ...environment, PATH: `${world}/bin:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = await new Promise((done) => child.once('close', done));
  expect({ command, ended, output: ended === code ? '' : output.slice(-1500) }).toEqual({
    command,
    ended: code,
    output: '',
  });
}

it('every page with commands is run, or listed as one that is not', () => {
  const pages = ['README.md', ...['docs', 'docs/recipes'].flatMap((folder) => markdownOf(folder))];
  expect(pages.filter((page) => commandsOf(page).length > 0).sort()).toEqual(
    [...Object.keys(PAGES), ...ONLY_LISTED].sort(),
  );
});

const markdownOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** A line that sets variables of the shell belongs to the commands after it. */
const isAssignment = (command: string): boolean => /^[a-z]+=/.test(command);

describe('the commands run as they are typed:', () => {
  it.each(Object.entries(PAGES))('%s', async (page, { served }) => {
    const environment = {
      SVC_DATA_DIR: join(world, 'data'),
      SVC_EMBEDDING: 'static',
      ...(page.endsWith('security.md') ? { SVC_KEYS_FILE: join(world, 'keys.yaml') } : {}),
    };
    // Pages about a domain find something in it.
    if (page !== 'docs/security.md') {
      for (const domain of ['handbook', 'ops'])
        await run({ command: `svc ingest samples/handbook.md --domain ${domain}`, code: 0 }, environment, '');
    }
    if (served === true) server = await startProcess(join(world, 'data'), { ...environment, SVC_INGEST_ROOTS: world });
    let before = '';
    for (const one of commandsOf(page)) {
      if (reasonOf(one.command) !== undefined) continue;
      if (isAssignment(one.command)) before += `${one.command}\n`;
      else await run(one, environment, before);
    }
  });
});
