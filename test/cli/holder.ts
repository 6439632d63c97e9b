import { lockForServing, tryLock } from '../../src/data-directory.js';

/** A process of its own that takes a directory: `holder.ts <dir> <command> [waitMs]`. Says what came of it, then stays. */
const [directory = '', command = 'serve', wait] = process.argv.slice(2);

async function take() {
  if (wait === undefined) return tryLock(directory, command);
  return lockForServing(directory, { waitMs: Number(wait), waiting: () => undefined });
}

try {
  const lock = await take();
  process.stdout.write(lock === null ? 'busy\n' : 'locked\n');
  if (lock === null) process.exit(0);
  if (command === 'serve') lock.publish({ url: 'http://127.0.0.1:1', token: 'token' });
  process.on('SIGTERM', () => {
    lock.release();
    process.exit(0);
  });
  setInterval(() => undefined, 1000);
} catch (error) {
  process.stdout.write(`refused ${(error as Error).message}\n`);
}
