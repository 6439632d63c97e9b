// MariaDB from Debian's package: own directory, free port, no password, loopback only.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isRoot, run, startDetached, stopByPidFile, waitForPort } from './process.js';

/** Starts a server; `url` names a database `test`. */
export async function startMariadb() {
  if (!existsSync('/usr/sbin/mariadbd'))
    throw new Error('mariadbd is missing: apt-get install -y --no-install-recommends mariadb-server');
  const home = mkdtempSync(join(tmpdir(), 'live-mariadb-'));
  const data = join(home, 'data');
  const port = await freePort();
  const user = isRoot() ? ['--user=root'] : [];
  run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ]);
  const pidFile = join(home, 'server-process.pid');
  const log = join(home, 'server.log');
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(home, 'server.sock')}`,
    `--pid-file=${join(home, 'mariadb.pid')}`,
    '--innodb-flush-log-at-trx-commit=2',
    ...user,
  ];
  const start = async () => {
    const pid = startDetached('/usr/sbin/mariadbd', args, { log, pidFile });
    await waitForPort(port, { log, pid });
  };
  await start();
  run('mariadb', [
    '--no-defaults',
    '-h',
    '127.0.0.1',
    '-P',
    String(port),
    '-u',
    'root',
    '--protocol=tcp',
    '-e',
    'create database test',
  ]);
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    port,
    stop: async () => {
      await stopByPidFile(pidFile);
      rmSync(home, { recursive: true, force: true });
    },
    pause: () => stopByPidFile(pidFile),
    restart: start,
  };
}
