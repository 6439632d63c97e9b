// Makes a bare clone ready: system packages, npm packages, build. Plain JavaScript without packages: it runs first.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What compiling two npm packages needs: program → Debian package. */
const BUILD_TOOLS = { 'g++': 'g++', make: 'make', python3: 'python3' };
/** What the tests need besides: servers, and a browser for the dashboards. */
const LIVE_TOOLS = {
  chromium: 'chromium',
  java: 'openjdk-17-jre-headless',
  mvn: 'maven',
  mariadbd: 'mariadb-server',
  'docker-compose': 'docker-compose',
  runuser: 'util-linux',
};

/** Ends with a sentence instead of a stack. */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old: install Node 20.19 or later.`);
}

function missing(tools) {
  return Object.entries(tools)
    .filter(([program]) => !onPath(program))
    .map(([, name]) => name);
}

function onPath(program) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Installs what is missing when root on Debian, else names the line to run. */
export function systemPackages({ live = false } = {}) {
  const wanted = [...missing(BUILD_TOOLS), ...(live ? missing(LIVE_TOOLS) : [])];
  if (live && spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0) wanted.push('python3-venv');
  if (wanted.length === 0) return;
  const line = `apt-get install -y --no-install-recommends ${wanted.join(' ')}`;
  if (process.getuid?.() !== 0 || !onPath('apt-get'))
    fail(`These system packages are missing. Run as root:\n  ${line}`);
  step(`system packages: ${wanted.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], { env, quiet: true });
}

/** `npm ci` when the installed tree is not the locked one, then the build when the sources are newer. */
export function npmPackages() {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs && nativeWorks()) return;
  step('npm packages (two of them compile; about two minutes)');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: npmEnvironment(), quiet: true });
  if (!nativeWorks()) {
    // npm 12 and later ask before they run install scripts: build the two native packages by name.
    run('npm', ['rebuild', 'better-sqlite3', 'hnswlib-node', 'esbuild'], { env: npmEnvironment(), quiet: true });
  }
}

function nativeWorks() {
  const probe = "require('better-sqlite3')(':memory:'); require('hnswlib-node'); require('esbuild')";
  return spawnSync(process.execPath, ['-e', probe], { cwd: root }).status === 0;
}

/** The CPU build of the model runtime lies in its package; headers of this Node are used where they lie beside it. */
function npmEnvironment() {
  const home = resolve(dirname(process.execPath), '..');
  const headers = existsSync(join(home, 'include', 'node', 'node.h')) ? { npm_config_nodedir: home } : {};
  return { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', ...headers };
}

export function build() {
  step('build');
  run('npm', ['run', '--silent', 'build'], {});
}

export function step(title) {
  process.stdout.write(`\n== ${title}\n`);
}

/** Runs a command; its output is kept for the case that it fails when `quiet`. */
export function run(command, args, { env = process.env, quiet = false } = {}) {
  const result = spawnSync(command, args, { cwd: root, env, stdio: quiet ? 'pipe' : 'inherit', encoding: 'utf8' });
  if (result.status === 0) return;
  if (quiet) process.stderr.write(`${result.stdout ?? ''}\n${result.stderr ?? ''}\n`);
  fail(`${command} ${args.join(' ')} failed${result.error === undefined ? '' : `: ${result.error.message}`}.`);
}
