import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type TSchema, Type } from '@sinclair/typebox';
import { tryLock } from '../../src/data-directory.js';
import { type Operation, operation } from '../../src/operations/operation.js';
import { listen } from '../../src/server/listen.js';
import { localRpcHandler, newToken } from '../../src/server/local-rpc.js';
import { note } from '../jobs/notes.js';
import { NO_SERVICE } from '../server/harness.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

/** What the service of the release before was called with. */
let called: Array<readonly [name: string, input: unknown]>;
let stop: () => Promise<void>;
let directory: string;
let documents: string;

const answering = (name: string, answer: object, members: Record<string, TSchema> = {}): Operation =>
  operation({
    name,
    summary: 'Answers.',
    input: Type.Object(members),
    output: Type.Object({}),
    run: (_service, input) => {
      called.push([name, input]);
      return Promise.resolve(answer);
    },
  });

/** A job as it was before jobs told of progress and of files that are gone. */
const JOB = {
  job_id: 'one',
  state: 'completed',
  domain: 'notes',
  files: { total: 1, done: 1, unchanged: 0, failed: 0, skipped: 0 },
  passages: 1,
  rate: { files_per_second: 1, passages_per_second: 1 },
  remaining_seconds: 0,
  current: [],
  errors: [],
};
const FILE = {
  number: 0,
  path: 'a.md',
  state: 'done',
  attempts: 1,
  result: { concepts: 1, edges: 0, rules: 0, passages: 1, warnings: [] },
  error: null,
  code: null,
};

beforeEach(async () => {
  called = [];
  directory = temporaryDirectory();
  documents = temporaryDirectory();
  for (const i of [0, 1]) writeFileSync(join(documents, `${i}.md`), note(i));
  const token = newToken();
  const table = {
    job_ingest: answering('job_ingest', { job_id: 'one' }),
    job: answering('job', JOB),
    job_files: answering('job_files', { files: [FILE], next: null }),
    domains: answering('domains', { domains: [] }),
    graph_restore: answering('graph_restore', { version: 3 }, { checkpoint_id: Type.String() }),
    vector_delete_many: answering('vector_delete_many', { count: 1 }, { index_name: Type.String() }),
    edit_undo: answering('edit_undo', {}, { edit_id: Type.String(), dry_run: Type.Boolean() }),
    forget_missing: answering(
      'forget_missing',
      { status: 'forgotten', sources: 2, removed: 2 },
      { directory: Type.String(), domain: Type.String() },
    ),
  };
  const service = await listen(localRpcHandler(NO_SERVICE, table, token), { host: '127.0.0.1', port: 0, drainMs: 100 });
  const lock = tryLock(directory, 'serve')!;
  lock.publish({ url: service.url, token });
  stop = async () => {
    lock.release();
    await service.close();
  };
});
afterEach(async () => {
  await stop();
  await cleanUp();
});

const ingest = () => ['ingest', documents, '--domain', 'notes', '--data-dir', directory];

it('a dry run forgets nothing where the service that runs is of an older release, and says so', async () => {
  const { code, stderr } = await svc(...ingest(), '--forget-missing', '--dry-run');
  expect(called).toEqual([]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /The service that runs is of an older release and has no operation missing_files; restart it with this release\.$/m,
    ),
  ]);
});

it.each([
  ['graph_restore', 'graph', 'restore', 'one', '--dry-run'],
  ['vector_delete_many', 'vectors', 'delete-many', 'notes', '--ids', 'a', '--dry-run'],
  ['graph_restore', 'call', 'graph_restore', '--input', '{"checkpoint_id": "one", "dry_run": true}'],
])(
  'a dry run of %s changes nothing where the service that runs would ignore that it is one: svc %s',
  async (name, ...words) => {
    const { code, stderr } = await svc(...words, '--data-dir', directory);
    expect(called).toEqual([]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The service that runs is of an older release and has no dry run of ${name}; restart it`),
    ]);
  },
);

it('a dry run reaches a service that knows it, as does what is none', async () => {
  await svc('edits', 'undo', 'one', '--dry-run', '--json', '--data-dir', directory);
  await svc('graph', 'restore', 'one', '--json', '--data-dir', directory);
  expect(called).toEqual([
    ['edit_undo', { edit_id: 'one', dry_run: true }],
    ['graph_restore', { checkpoint_id: 'one' }],
  ]);
});

it('still names an operation that no release has', async () => {
  const { code, stderr } = await svc('call', 'nonsense', '--data-dir', directory);
  expect([code, stderr]).toEqual([2, expect.stringContaining('nonsense is not an operation')]);
});

it('ingests and shows jobs with a service whose jobs tell neither of progress nor of gone files', async () => {
  const { files, gone } = await svcJson(...ingest());
  expect([files.length, gone]).toEqual([1, undefined]);
  expect(await svc(...ingest())).toMatchObject({ code: 0, stderr: '' });
  const shown = await svc('jobs', 'show', 'one', '--data-dir', directory);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^state +completed$/m)]);
});
