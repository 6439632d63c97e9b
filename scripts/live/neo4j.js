// Neo4j Community 5 with Graph Data Science, from published Maven packages: own home, free ports, pid file.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir, freePort, run, startDetached, stopByPidFile, waitForPort } from './process.js';

const pom = join(dirname(fileURLToPath(import.meta.url)), 'neo4j-pom.xml');

/** Downloads the server once; returns the folder with lib/ and plugins/. */
export function installNeo4j() {
  const home = join(cacheDir, 'neo4j');
  const wanted = readFileSync(pom, 'utf8');
  const stamp = join(home, 'installed.xml');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return home;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'pom.xml'), wanted);
  run('mvn', ['-B', '-q', 'package'], { cwd: home });
  writeFileSync(stamp, wanted);
  return home;
}

/**
 * Starts a server with a home of its own. `password`: sets it and switches authentication on; without GDS: `gds: false`;
 * `replan: false` keeps plans however the data change, for many small graphs one after another; `settings` are added to its
 * configuration.
 * `stop()` ends it and removes the home; `crash()` is kill -9; `restart()` starts it again on the same data and ports.
 */
export async function startNeo4j({ password, gds = true, replan = true, settings = {} } = {}) {
  const install = installNeo4j();
  const home = mkdtempSync(join(tmpdir(), 'live-neo4j-'));
  const bolt = await freePort();
  const http = await freePort();
  const pidFile = join(home, 'server.pid');
  const log = join(home, 'server.log');
  mkdirSync(join(home, 'conf'));
  mkdirSync(join(home, 'logs'));
  writeFileSync(
    join(home, 'conf', 'neo4j.conf'),
    configuration({
      bolt,
      http,
      auth: password !== undefined,
      plugins: gds ? join(install, 'plugins') : undefined,
      replan,
      settings,
    }),
  );
  const env = { ...process.env, NEO4J_HOME: home, NEO4J_CONF: join(home, 'conf') };
  if (password !== undefined) {
    const admin = ['-cp', `${install}/lib/*`, 'org.neo4j.server.startup.Neo4jAdminCommand'];
    run('java', [...admin, 'dbms', 'set-initial-password', password], { env });
  }
  const classPath = gds ? `${install}/plugins/*:${install}/lib/*` : `${install}/lib/*`;
  const args = [
    '-cp',
    classPath,
    '-Xms768m',
    '-Xmx768m',
    '-XX:TieredStopAtLevel=1',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
    '--add-opens=java.base/java.lang=ALL-UNNAMED',
    'org.neo4j.server.CommunityEntryPoint',
    `--home-dir=${home}`,
    `--config-dir=${join(home, 'conf')}`,
  ];
  const start = async () => {
    const pid = startDetached('java', args, { log, pidFile, env });
    await waitForPort(bolt, { log, pid, seconds: 120 });
  };
  await start();
  return {
    uri: `bolt://127.0.0.1:${bolt}`,
    http: `http://127.0.0.1:${http}`,
    user: 'neo4j',
    password: password ?? '',
    stop: async () => {
      await stopByPidFile(pidFile);
      rmSync(home, { recursive: true, force: true });
    },
    crash: () => stopByPidFile(pidFile, { signal: 'SIGKILL' }),
    pause: () => stopByPidFile(pidFile),
    restart: start,
  };
}

function configuration({ bolt, http, auth, plugins, replan, settings }) {
  return [
    'server.default_listen_address=127.0.0.1',
    `server.bolt.listen_address=127.0.0.1:${bolt}`,
    `server.bolt.advertised_address=127.0.0.1:${bolt}`,
    `server.http.listen_address=127.0.0.1:${http}`,
    'server.https.enabled=false',
    ...(plugins ? [`server.directories.plugins=${plugins}`, 'dbms.security.procedures.unrestricted=gds.*'] : []),
    `dbms.security.auth_enabled=${auth}`,
    'server.memory.pagecache.size=256m',
    ...(replan ? [] : ['dbms.cypher.min_replan_interval=1h']),
    'dbms.usage_report.enabled=false',
    'db.tx_log.preallocate=false',
    'db.tx_log.rotation.size=32m',
    'internal.dbms.bolt.netty_server_shutdown_quiet_period=0',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    '',
  ].join('\n');
}
