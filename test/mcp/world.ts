import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type ComposedService, compose } from '../../src/compose.js';
import { type Config, loadConfig } from '../../src/config.js';
import { tryLock } from '../../src/data-directory.js';
import { type Running, startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';

/** A whole service of this process: both variants on free ports, its data directory open to other commands. */
export interface World {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly config: Config;
  readonly service: ComposedService;
  readonly a: string;
  readonly b: string;
  close(): Promise<void>;
}

export async function startWorld(environment: Record<string, string> = {}): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-world-'));
  const dataDirectory = join(directory, 'data');
  mkdirSync(dataDirectory);
  const config = loadConfig({
    environment: {
      SVC_DATA_DIR: dataDirectory,
      SVC_EMBEDDING: 'static',
      SVC_LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
      SVC_PORT: '0',
      SVC_PORT_B: '0',
      SVC_DRAIN_SECONDS: '1',
      SVC_INGEST_ROOTS: directory,
      ...environment,
    },
  });
  const lock = tryLock(dataDirectory, 'serve');
  if (lock === null) throw new Error('A fresh directory is locked.');
  const service = await compose(config);
  const running: Running = await startServer({
    config,
    service,
    log: createLogger('silent'),
    variants: ['a', 'b'],
  });
  lock.publish(running.rpc);
  return {
    directory,
    dataDirectory,
    config,
    service,
    a: running.urls.a!,
    b: running.urls.b!,
    close: async () => {
      await running.close();
      await service.close();
      lock.release();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A small shop in SQLite, made once per name: two tables and a foreign key. Returns its connection string. */
export function makeShop(directory: string, name = 'shop'): string {
  const file = join(directory, `${name}.sqlite`);
  if (existsSync(file)) return `sqlite:${file}`;
  const database = new SqliteDatabase(file);
  database.exec(`
    create table category (id integer primary key, name text not null unique, description text);
    create table product (
      id integer primary key,
      name text not null,
      price real not null check (price >= 0),
      category_id integer not null references category (id)
    );
    insert into category values (1, 'Tea', 'Leaves in hot water'), (2, 'Coffee', 'Roasted beans');
    insert into product values (1, 'Earl Grey', 4.5, 1), (2, 'Espresso blend', 9, 2), (3, 'Sencha', 7, 1);
  `);
  database.close();
  return `sqlite:${file}`;
}

/** A Markdown file for ingest; returns its path. */
export function makeNote(directory: string, name = 'note'): string {
  const file = join(directory, `${name}.md`);
  writeFileSync(
    file,
    '# Caching\n\nRedis is an in-memory store. Always set a time to live on cache entries.\n\n## Queues\n\nKafka keeps messages on disk. Never lose an offset.\n',
  );
  return file;
}
