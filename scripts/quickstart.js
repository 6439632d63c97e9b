// `npm run quickstart`: installs, builds, serves on a free port with a temporary directory, ingests the samples, asks
// three questions over HTTP and shows what the graph found that cosine alone missed. `-- --keep` keeps serving.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, checkNode, fail, npmPackages, root, step, systemPackages } from './setup.js';
import { START_FLAGS } from './start-flags.js';

const keep = process.argv.includes('--keep');
const TOP = 5;

/** Each needs two passages: the second one is named only in the first. */
const QUESTIONS = [
  {
    domain: 'encyclopedia',
    question: 'Who directed the film that was shot in or around Leland, North Carolina in 1986?',
  },
  {
    domain: 'encyclopedia',
    question:
      "Grace Krilanovich's first novel was published by an independent mom-and-pop publishing house that was founded in 2005, and is based where?",
  },
  { domain: 'encyclopedia', question: 'From 1945-1949 Dick Humbert played for an NFL team based in what state?' },
];

checkNode();
systemPackages();
npmPackages();
build();

step('serve');
const directory = mkdtempSync(join(tmpdir(), 'quickstart-'));
const server = await serve();
process.stdout.write(`The service listens on ${server.url}\n`);
try {
  await ingestSamples(server.url);
  for (const question of QUESTIONS) await ask(server.url, question);
  if (keep) await stay(server);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.stdout.write(`
Serve your own knowledge:
  npm start                                        http://127.0.0.1:8400, browse the API on /docs
  npx svc ingest your-folder --domain notes
  npx svc query "your question"
`);

/** Starts the real server; resolves when it says where it listens. */
function serve() {
  // Settings of the caller could name a store, an engine or keys of their own: the samples must not go there.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:SVC_|DATABASE_URL$)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    SVC_DATA_DIR: directory,
    SVC_INGEST_ROOTS: join(root, 'samples'),
    SVC_LOG_LEVEL: 'warn',
  };
  const args = [...START_FLAGS, join(root, 'dist/program/main.js'), 'serve', '--port', '0', '--variant', 'a', '--json'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('exit', done));
  return new Promise((ready, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const url = /"a":\s*"(http:[^"]+)"/.exec(printed)?.[1];
      if (url === undefined) return;
      ready({
        url,
        stop: async () => {
          child.kill('SIGTERM');
          await ended;
        },
      });
    });
    void ended.then((code) => reject(new Error(`The service ended with code ${code} before it listened.`)));
  });
}

async function call(url, path, body) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.error}`);
  return answer;
}

async function ingestSamples(url) {
  step('ingest samples/');
  const folder = join(root, 'samples');
  const files = readdirSync(folder).filter((name) => /\.(md|pdf)$/.test(name) && !/^(README|LICENSE)/.test(name));
  const total = { passages: 0, concepts: 0, edges: 0, rules: 0 };
  for (const [i, name] of files.entries()) {
    bar(i, files.length, name);
    const domain = name.startsWith('handbook') ? 'handbook' : 'encyclopedia';
    const added = await call(url, '/v1/ingest', { source_path: join(folder, name), domain });
    for (const key of Object.keys(total)) total[key] += added[key];
  }
  bar(files.length, files.length, 'done');
  process.stdout.write(
    `\n${total.passages} passages, ${total.concepts} concepts, ${total.edges} typed edges, ${total.rules} rules, without a language model.\n`,
  );
}

function bar(done, all, label) {
  const width = 30;
  const filled = Math.round((width * done) / all);
  const line = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${all} ${label}`;
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

async function ask(url, { question, domain }) {
  step(question);
  const result = await call(url, '/v1/compare', { context: question, domains: [domain], top_k: TOP });
  columns('vectors only', result.vec_only.items, 'with the graph', result.graph_enhanced.items);
  const found = result.diff.graph_found_that_cosine_missed;
  process.stdout.write(
    found.length === 0 ? 'The graph changed the order only.\n' : 'The graph found what cosine missed:\n',
  );
  for (const item of found) process.stdout.write(`  + ${clip(item.content, 96)}\n`);
}

function columns(left, leftItems, right, rightItems) {
  const width = 46;
  process.stdout.write(`${left.padEnd(width)}  ${right}\n`);
  for (let i = 0; i < TOP; i += 1) {
    const cell = (item) => (item === undefined ? '' : `${item.score.toFixed(2)} ${clip(item.content, width - 6)}`);
    process.stdout.write(`${cell(leftItems[i]).padEnd(width)}  ${cell(rightItems[i])}\n`);
  }
}

function clip(text, length) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

function stay({ url }) {
  process.stdout.write(`\nThe service keeps running at ${url} (documentation: ${url}/docs). Ctrl-C ends it.\n`);
  return new Promise((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
}

process.once('uncaughtException', (error) => fail(error.message));
