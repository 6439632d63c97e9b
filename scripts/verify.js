// `npm run verify`: installs everything, then build and check, tests, live tests; ends with one line of totals.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNode, npmPackages, root, step, systemPackages } from './setup.js';

checkNode();
systemPackages({ live: true });
npmPackages();
const reports = mkdtempSync(join(tmpdir(), 'verify-'));
const totals = { passed: 0, failed: 0, skipped: 0 };
// Neither needs what the other writes.
await together('build', 'check');
suite('tests', ['npx', 'jest'], join(reports, 'tests.json'));
suite('live tests', ['node', 'scripts/live/run.js'], join(reports, 'live.json'));
rmSync(reports, { recursive: true, force: true });
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exit(totals.failed === 0 ? 0 : 1);

/** Runs one suite with its usual output and adds up its report; a suite that dies counts as one failure. */
function suite(title, command, report) {
  step(title);
  const args = [...command.slice(1), '--json', `--outputFile=${report}`];
  const result = spawnSync(command[0], args, { cwd: root, stdio: 'inherit' });
  const before = totals.failed;
  try {
    const summary = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += summary.numPassedTests;
    totals.failed += summary.numFailedTests;
    totals.skipped += summary.numPendingTests + summary.numTodoTests;
  } catch {
    totals.failed += 1;
  }
  if (result.status !== 0 && totals.failed === before) totals.failed += 1;
}

/** Scripts of the package that run at the same time, each a check that passes or fails; what comes after them runs all the same. */
async function together(...scripts) {
  for (const [i, { status, output }] of (await Promise.all(scripts.map(single))).entries()) {
    step(scripts[i]);
    process.stdout.write(output);
    if (status === 0) totals.passed += 1;
    else totals.failed += 1;
  }
}

/** Output is kept until the end: that of two scripts would mix. */
function single(script) {
  return new Promise((done) => {
    const child = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => done({ status: 1, output: `${error.message}\n` }));
    child.once('close', (status) => done({ status, output: Buffer.concat(chunks) }));
  });
}
