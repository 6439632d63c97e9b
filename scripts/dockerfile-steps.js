// `node scripts/dockerfile-steps.js`: runs the steps of the Dockerfile in order in an empty folder, one subfolder a
// stage, then starts what it would start, asks its health check, and stops it. For machines without Docker.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const context = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const empty = mkdtempSync(join(tmpdir(), 'dockerfile-'));
const HEALTH_TRIES = 60;
const asRoot = process.getuid?.() === 0;

try {
  chmodSync(empty, 0o755);
  const image = build(instructions(readFileSync(join(context, 'Dockerfile'), 'utf8')));
  await tryOut(image);
  process.stdout.write('\nThe image builds, starts, answers its health check and stops.\n');
} finally {
  rmSync(empty, { recursive: true, force: true });
}

/** The instructions as [word, rest], comments and continuations resolved. */
function instructions(text) {
  return text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.split(/\s+/, 1)[0].toUpperCase(), line.replace(/^\S+\s+/, '')]);
}

/** Runs every instruction; returns the last stage. */
function build(list) {
  const stages = [];
  for (const [word, rest] of list) {
    process.stdout.write(`${word} ${rest}\n`);
    if (word === 'FROM') {
      const name = / AS (\S+)$/i.exec(rest)?.[1] ?? String(stages.length);
      stages.push({ name, root: join(empty, name), folder: join(empty, name), env: {}, user: undefined });
      mkdirSync(stages.at(-1).root);
    } else {
      carryOut(word, rest, { stage: stages.at(-1), stages });
    }
  }
  return stages.at(-1);
}

function carryOut(word, rest, { stage, stages }) {
  switch (word) {
    case 'WORKDIR':
      stage.folder = join(stage.root, rest);
      mkdirSync(stage.folder, { recursive: true });
      break;
    case 'ENV':
      stage.env[rest.slice(0, rest.indexOf('='))] = rest.slice(rest.indexOf('=') + 1);
      break;
    case 'COPY':
      copy(rest, stage, stages);
      break;
    case 'RUN':
      must(
        spawnSync('sh', ['-c', rest], {
          cwd: stage.folder,
          env: environment(stage),
          stdio: ['ignore', 'inherit', 'inherit'],
        }),
      );
      break;
    case 'USER':
      stage.user = rest.split(':').map(Number);
      break;
    case 'HEALTHCHECK':
      stage.health = rest.replace(/^.*? CMD /, '');
      break;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(rest);
      break;
    case 'CMD':
      stage.command = JSON.parse(rest);
      break;
    case 'VOLUME':
    case 'EXPOSE':
      break;
    default:
      throw new Error(`${word} is not known to this script; teach it.`);
  }
}

function copy(rest, stage, stages) {
  const words = rest.split(/\s+/);
  const other = words[0].startsWith('--from=') ? stages.find(({ name }) => name === words[0].slice(7)) : undefined;
  if (other !== undefined) words.shift();
  const target = words.pop();
  for (const word of words) {
    const source = join(other?.root ?? context, word);
    const into = target.endsWith('/') || words.length > 1 ? join(target, basename(word)) : target;
    cpSync(source, join(stage.folder, into), { recursive: true, verbatimSymlinks: true });
  }
}

/** Nothing of the caller's environment but what finds programs and packages. */
function environment(stage) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|LANG|npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...stage.env };
}

/** Starts the image as its user on a free port, waits for its health check, stops it and looks at the exit code. */
async function tryOut(stage) {
  const [program, ...args] = [...stage.entrypoint, ...stage.command];
  const [uid, gid] = stage.user;
  const identity = asRoot ? { uid, gid } : {};
  const ports = [await freePort(), await freePort()];
  const env = {
    ...environment(stage),
    SVC_API_KEYS: 'a-key',
    SVC_PORT: ports[0],
    SVC_PORT_B: ports[1],
    HOME: stage.folder,
  };
  for (const path of ['data']) {
    if (asRoot && statSync(join(stage.folder, path)).uid !== uid) chownSync(join(stage.folder, path), uid, gid);
  }
  const child = spawn(program, args, { cwd: stage.folder, env, stdio: ['ignore', 'inherit', 'inherit'], ...identity });
  const ended = new Promise((done) => child.once('exit', (code) => done(code)));
  let healthy = false;
  for (let i = 0; i < HEALTH_TRIES && !healthy && child.exitCode === null; i += 1) {
    await new Promise((done) => setTimeout(done, 500));
    healthy = spawnSync('sh', ['-c', stage.health], { cwd: stage.folder, env, ...identity }).status === 0;
  }
  child.kill('SIGTERM');
  const code = await ended;
  if (!healthy) throw new Error('The health check never succeeded.');
  if (code !== 0) throw new Error(`The service ended with ${code} after SIGTERM.`);
  if (!existsSync(join(stage.folder, 'data'))) throw new Error('The service kept nothing in its data directory.');
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(String(port)));
    });
  });
}

function must({ status }) {
  if (status !== 0) throw new Error(`The step failed with ${status}.`);
}
