// Qdrant's embedded engine behind a small HTTP stand-in: own directory, free port, pid file.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, pythonEnvironment, startDetached, stopByPidFile, waitForPort } from './process.js';

const script = join(dirname(fileURLToPath(import.meta.url)), 'qdrant-stand-in.py');

/** Starts the stand-in; `stop()` ends it and removes its directory. */
export async function startQdrant() {
  const venv = pythonEnvironment('qdrant', ['qdrant-edge-py==0.9.0', 'qdrant-client==1.18.0', 'numpy==2.4.6']);
  const home = mkdtempSync(join(tmpdir(), 'live-qdrant-'));
  const data = join(home, 'data');
  mkdirSync(data);
  const port = await freePort();
  const pidFile = join(home, 'server.pid');
  const log = join(home, 'server.log');
  const pid = startDetached(join(venv, 'bin', 'python'), ['-B', script, String(port), data], { log, pidFile });
  await waitForPort(port, { log, pid });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: async () => {
      await stopByPidFile(pidFile);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
