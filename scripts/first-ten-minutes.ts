import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOut, runInShell } from '../test/recipes/reader.js';

/**
 * Runs the commands of docs/first-ten-minutes.md in the folder of a new user, with the build and its default settings,
 * and writes what they print into the page. With `--check` it writes nothing, and ends with 1 where they print something else.
 * Times, dates and ids count as equal.
 */

const PAGE = 'docs/first-ten-minutes.md';
/** The folder as the page names it. */
const SHOWN = '/home/me/shop';

/** Replaces what differs from run to run. */
function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
    .replaceAll(/\b[0-9a-f]{20}\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:]+/g, '<time>')
    .replaceAll(/in [\d.]+ s \([\d.]+ files\/s\)/g, 'in <seconds>')
    .replaceAll(/^(Seconds +)[\d.]+$/gm, '$1<seconds>');
}

const isCheck = process.argv.includes('--check');
const folder = mkdtempSync(join(tmpdir(), 'svc-first-'));
let differences = 0;

/** Returns a command with what it prints now; as the page has it where only what differs from run to run differs. */
async function again(before: string): Promise<string> {
  const [command = ''] = before.split('\n', 1);
  const { code, output } = await runInShell(command, folder, {
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    SVC_DATA_DIR: '',
    XDG_CONFIG_HOME: '',
  });
  const printed = output.trimEnd().replaceAll(folder, SHOWN);
  const now = [command, ...(printed === '' ? [] : [printed]), ...(code === 0 ? [] : [`(exit code ${code})`])].join(
    '\n',
  );
  if (masked(now) === masked(before)) return before;
  differences += 1;
  process.stdout.write(`--- was\n$ ${before}\n--- is\n$ ${now}\n\n`);
  return now;
}

try {
  layOut(folder);
  const page = readFileSync(PAGE, 'utf8');
  const parts = page.split(/^(```console\n[\s\S]*?^```)$/m);
  for (const [i, part] of parts.entries()) {
    if (!part.startsWith('```console\n')) continue;
    const commands = part.slice('```console\n'.length, -'```'.length).split(/^\$ /m).slice(1);
    const transcript: string[] = [];
    for (const command of commands) transcript.push(`$ ${await again(command.trimEnd())}\n`);
    parts[i] = `\`\`\`console\n${transcript.join('\n')}\`\`\``;
  }
  if (isCheck) process.exitCode = differences === 0 ? 0 : 1;
  else writeFileSync(PAGE, parts.join(''));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
