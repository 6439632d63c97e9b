import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { holderOf, lockForServing, lockOrRpc, tryLock } from '../../src/data-directory.js';
import { waitFor } from '../support/wait-for.js';
import { cleanUp, end, finished, firstLine, start, startSvc, temporaryDirectory } from './processes.js';

const HOLDER = 'test/cli/holder.ts';
afterEach(cleanUp);

describe('a data directory', () => {
  it('belongs to one process at a time, and to the next after it', async () => {
    const directory = temporaryDirectory();
    const lock = tryLock(directory, 'one');
    expect(lock).not.toBeNull();
    expect(tryLock(directory, 'two')).toBeNull();
    expect(await firstLine(start(HOLDER, [directory, 'three']))).toBe('busy');
    lock!.release();
    const next = start(HOLDER, [directory, 'four']);
    expect(await firstLine(next)).toBe('locked');
    expect(holderOf(directory)).toMatchObject({ pid: next.pid, command: 'four' });
    expect(tryLock(directory, 'five')).toBeNull();
  }, 300_000);

  it('is made where it does not exist, for its owner only', () => {
    const directory = join(temporaryDirectory(), 'a', 'b');
    tryLock(directory, 'one')!.release();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  }, 300_000);

  it('that cannot be made is told in one line', async () => {
    const child = startSvc(['status', '--data-dir', '/proc/nope'], { SVC_EMBEDDING: 'none' });
    const { code, stdout, stderr } = await finished(child);
    expect([code, stdout]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^[^\n]*\/proc\/nope[^\n]*\n$/);
  }, 300_000);

  it('keeps the token from others', () => {
    const directory = temporaryDirectory();
    const lock = tryLock(directory, 'serve')!;
    lock.publish({ url: 'http://127.0.0.1:1', token: 'secret' });
    expect(statSync(join(directory, 'svc.holder.json')).mode & 0o777).toBe(0o600);
    lock.release();
    expect(holderOf(directory)).toBeNull();
  }, 300_000);

  it('is free again after kill -9, whatever was left behind', async () => {
    const directory = temporaryDirectory();
    const killed = start(HOLDER, [directory, 'serve']);
    expect(await firstLine(killed)).toBe('locked');
    await end(killed, 'SIGKILL');
    expect(holderOf(directory)?.pid).toBe(killed.pid);
    const lock = await lockForServing(directory, { waitMs: 0, waiting: () => undefined });
    expect(holderOf(directory)?.pid).toBe(process.pid);
    lock.release();
  }, 300_000);

  it('goes to exactly one of many that want it after kill -9', async () => {
    const directory = temporaryDirectory();
    const killed = start(HOLDER, [directory, 'serve']);
    expect(await firstLine(killed)).toBe('locked');
    await end(killed, 'SIGKILL');
    const wanting = Array.from({ length: 6 }, () => start(HOLDER, [directory, 'ingest']));
    const answers = await Promise.all(wanting.map(firstLine));
    expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'busy')).toHaveLength(5);
  }, 300_000);

  it('is refused to a second service with a sentence, at once', async () => {
    const directory = temporaryDirectory();
    const first = start(HOLDER, [directory, 'serve']);
    expect(await firstLine(first)).toBe('locked');
    const answer = await firstLine(start(HOLDER, [directory, 'serve', '60000']));
    expect(answer).toContain(`refused A service already runs on ${directory}, process ${first.pid}`);
  }, 300_000);

  it('is waited for by a service while a command uses it', async () => {
    const directory = temporaryDirectory();
    const command = start(HOLDER, [directory, 'ingest']);
    expect(await firstLine(command)).toBe('locked');
    const service = start(HOLDER, [directory, 'serve', '60000']);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await end(command);
    expect(await firstLine(service)).toBe('locked');
  }, 300_000);

  it('is given up by a service when the command takes too long', async () => {
    const directory = temporaryDirectory();
    const command = start(HOLDER, [directory, 'ingest']);
    expect(await firstLine(command)).toBe('locked');
    await expect(lockForServing(directory, { waitMs: 100, waiting: () => undefined })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`\`ingest\`, process ${command.pid}`),
    });
  }, 300_000);

  it('gives other commands the local RPC address of the service', async () => {
    const directory = temporaryDirectory();
    expect(await firstLine(start(HOLDER, [directory, 'serve']))).toBe('locked');
    expect(await lockOrRpc(directory, 'query', { waitMs: 10_000, waiting: () => undefined })).toEqual({
      url: 'http://127.0.0.1:1',
      token: 'token',
    });
  }, 300_000);

  it('is waited for by a command, which says after a second who holds it and what can be done', async () => {
    const directory = temporaryDirectory();
    const holder = start(HOLDER, [directory, 'ingest']);
    expect(await firstLine(holder)).toBe('locked');
    const said: string[] = [];
    const wait = { waitMs: 60_000, waiting: (sentence: string) => said.push(sentence) };
    const taken = lockOrRpc(directory, 'query', wait);
    await waitFor(async () => expect(said).toHaveLength(1), { timeout: 30_000 });
    await end(holder);
    const lock = await taken;
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(`in use by \`ingest\`, process ${holder.pid}; waiting for its end, for \\d+ s at most.*\`serve\``),
      ),
    ]);
    if ('release' in lock) lock.release();
    const quick = await lockOrRpc(directory, 'query', wait);
    expect(said).toHaveLength(1);
    if ('release' in quick) quick.release();
  }, 300_000);

  it('that is in use is told on standard error while a command waits, but for --json', async () => {
    const directory = temporaryDirectory();
    const holder = start(HOLDER, [directory, 'ingest']);
    expect(await firstLine(holder)).toBe('locked');
    const given = { SVC_EMBEDDING: 'none', SVC_LOCK_WAIT_SECONDS: '2' };
    const run = (...more: string[]) => finished(startSvc(['status', '--data-dir', directory, ...more], given));
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      new RegExp(`^The data directory [^\\n]+ process ${holder.pid}; waiting [^\\n]+\\nError: [^\\n]+ still after 2 s`),
    );
    expect(JSON.parse((await run('--json')).stderr)).toMatchObject({ code: 'unavailable' });
  }, 300_000);
});
