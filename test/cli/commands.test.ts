import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeAll(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  process.env.SVC_API_KEYS = 'hunter2';
  documents = temporaryDirectory();
  process.env.SVC_INGEST_ROOTS = documents;
  mkdirSync(join(documents, 'deep', '.hidden'), { recursive: true });
  writeFileSync(
    join(documents, 'tea.md'),
    '# Tea\n\nGreen tea comes from Japan. Always brew green tea below 80 degrees.\n',
  );
  writeFileSync(
    join(documents, 'deep', 'japan.txt'),
    'Japan is an island country in East Asia. Tokyo is its capital.\n',
  );
  writeFileSync(join(documents, 'deep', '.hidden', 'no.txt'), 'Hidden.\n');
  writeFileSync(join(documents, 'deep', 'picture.png'), Buffer.from([1, 2, 3]));
  symlinkSync(documents, join(documents, 'deep', 'loop'));
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('the command line', () => {
  it('ingests a directory with all below it, each file once, and says so', async () => {
    const { files } = await svcJson('ingest', documents, '--domain', 'notes');
    expect(files.map((file: { path: string }) => file.path)).toEqual([
      join(documents, 'deep', 'japan.txt'),
      join(documents, 'tea.md'),
    ]);
    for (const { result } of files) expect(result.passages).toBeGreaterThan(0);
    const again = await svc('ingest', documents, '--domain', 'notes');
    expect(again.code).toBe(0);
    expect(again.stdout.match(/unchanged/g)).toHaveLength(3);
  });

  it('continues after a file that fails, and exits with 1', async () => {
    writeFileSync(join(documents, 'deep', 'broken.pdf'), '%PDF-1.4 broken');
    const { code, stdout } = await svc('ingest', join(documents, 'deep'), '--domain', 'notes', '--json');
    expect(code).toBe(1);
    const { files } = JSON.parse(stdout) as { files: Array<{ failure?: { code: string }; result?: object }> };
    // The link to the directory above leads out of this one.
    expect(files.map((file) => file.failure?.code ?? 'ok').sort()).toEqual(['invalid_input', 'ok']);
  });

  it('skips an empty file of a directory, says so, and is no failure', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'tea.md'), '# Tea\n\nTea is a drink.\n');
    writeFileSync(join(folder, 'later.md'), '');
    writeFileSync(join(folder, 'blank.md'), ' \n');
    const human = await svc('ingest', folder, '--domain', 'skips');
    expect([human.code, human.stdout]).toEqual([0, expect.stringMatching(/^skipped .*later\.md \(empty\)$/m)]);
    expect(human.stdout).toContain('1 ingested, 2 skipped:');
    const { files, skipped } = await svcJson('ingest', folder, '--domain', 'skips');
    const empty = ['blank.md', 'later.md'].map((name) => ({ path: join(folder, name), reason: 'empty' }));
    expect([files.length, skipped]).toEqual([1, empty]);
    const [job] = (await svcJson('jobs', 'list', '--domain', 'skips')).jobs;
    expect(job).toMatchObject({ state: 'completed', files: { total: 3, done: 1, failed: 0, skipped: 2 } });
    const { files: rows } = await svcJson('jobs', 'files', job.job_id, '--state', 'skipped');
    expect(rows[1]).toMatchObject({ error: 'later.md is empty; there is nothing to ingest.' });
    // Named alone, it is a mistake.
    expect((await svc('ingest', join(folder, 'later.md'), '--domain', 'skips')).code).toBe(1);
    await svcJson('forget', '--domain', 'skips');
  });

  it('refuses options of documents for messages and rule sets, and writes nothing', async () => {
    const chat = join(documents, 'plan.jsonl');
    writeFileSync(chat, '{"text":"Only a plan."}\n');
    for (const type of ['messages', 'seed']) {
      for (const option of ['--dry-run', '--watch']) {
        const { code, stderr } = await svc('ingest', chat, '--type', type, '--domain', 'planned', option);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} is for documents`)]);
      }
    }
    expect((await svc('documents', '--domain', 'planned')).stderr).toContain('The domain "planned" does not exist');
    rmSync(chat);
  });

  it('answers a query for people and for machines', async () => {
    const human = await svc('query', 'Where does green tea come from?', '--top-k', '3');
    expect([human.code, human.stderr]).toEqual([0, '']);
    expect(human.stdout).toContain('score');
    expect(human.stdout).toMatch(/query [0-9a-f-]{36}/);
    const { items } = await svcJson('query', 'Where does green tea come from?', '--domain', 'notes');
    expect(items[0].content).toContain('Green tea');
  });

  it('shows what there is', async () => {
    expect((await svcJson('status')).embedding_model).toBe('none');
    expect((await svcJson('domains')).domains).toMatchObject([{ name: 'notes' }]);
    expect((await svcJson('stats')).knowledge.domains).toBe(1);
    expect((await svcJson('rules', '--domain', 'notes')).rules.length).toBeGreaterThan(0);
    const other = await svc('rules', '--category', 'no such category');
    expect(other).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No rule has the category no such category;'),
    });
    for (const command of ['status', 'domains', 'stats', 'rules', 'documents', 'doctor', 'config']) {
      const { code, stdout } = await svc(command);
      expect([command, code]).toEqual([command, 0]);
      expect(stdout.length).toBeGreaterThan(20);
      expect(stdout).not.toContain('\u001b[');
    }
  });

  it('says that nothing is likely to answer, shows the nearest three and no rules', async () => {
    const { stdout } = await svc('query', 'Which tower of Tokyo did Mira Voss design in 1911?', '--domain', 'notes');
    expect(stdout).toMatch(/^Nothing here is likely to answer this \(best score 0\.0\d\)\. The nearest:\n/);
    expect(stdout).toMatch(/^1\. /m);
    expect(stdout).not.toMatch(/^4\. /m);
    expect(stdout).not.toContain('Rules that apply');
  });

  it('explores a node that a query showed, and fails on one that does not exist', async () => {
    const { items } = await svcJson('query', 'green tea');
    expect((await svcJson('explore', items[0].id)).node.id).toBe(items[0].id);
    expect((await svc('explore', items[0].id, '--depth', '2')).stdout).toContain('Neighbours');
    expect((await svc('explore', items[0].id)).stdout).not.toContain('more neighbours');
    const absent = await svc('explore', 'notes:nothing', '--json');
    expect([absent.code, JSON.parse(absent.stderr).code]).toEqual([1, 'node_not_found']);
    expect((await svcJson('explore', 'tea')).node.name).toBe('Tea');
    expect((await svc('explore', 'Zanzibar')).stderr).toContain('give the id that `svc query` shows below an item');
  });

  it('calls any operation', async () => {
    const input = '{"text":"Coffee comes from Ethiopia.","domain":"drinks","name":"coffee"}';
    expect((await svcJson('call', 'ingest_text', '--input', input)).domain).toBe('drinks');
    const path = join(documents, 'input.json');
    writeFileSync(path, '{}');
    expect((await svcJson('call', 'domains', '--input', `@${path}`)).domains).toHaveLength(2);
    expect((await svcJson('call', '--list')).map((one: { name: string }) => one.name)).toContain('query');
  });

  it('has commands for learners, vectors and sources, made from their operations', async () => {
    const candidates = '[{"id":"a","token_cost":2},{"id":"b"}]';
    const selected = await svcJson('learning', 'select', 'tips', '--candidates', candidates, '--k', '2');
    expect(selected.selected_arms.map((arm: { id: string }) => arm.id).sort()).toEqual(['a', 'b']);
    expect((await svcJson('learning', 'observe', 'tips', 'a', '--outcome', 'accepted')).pulls).toBe(1);
    const { stdout } = await svc('learning', 'posteriors', 'tips', '--arm-ids', 'a', '--arm-ids', 'b');
    expect(stdout).toMatch(/learner\s+tips/);
    expect(stdout).toContain('alpha');
    expect((await svcJson('learning', 'reset', 'tips')).learner).toBe('tips');
    expect((await svcJson('learning', 'reset', '--interoception')).status).toBe('reset');
    expect((await svcJson('learning', 'reset', '--interoception', '--domain', 'notes')).status).toBe('reset');
    const { documents } = (await svcJson('documents', '--domain', 'notes')) as { documents: { source_id: string }[] };
    const known = documents[0]!.source_id;
    expect((await svcJson('learning', 'reset', '--interoception', '--source', known)).feedback).toBe(0);
    const unknown = await svc('learning', 'reset', '--interoception', '--source', 'none');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Source none does not exist');
    const two = ['--domain', 'notes', '--source', 'none'];
    expect((await svc('learning', 'reset', '--interoception', ...two)).stderr).toContain('not both');
    expect((await svc('learning', 'reset')).code).toBe(2);

    expect((await svcJson('vectors', 'create', 'demo', '2')).status).toBe('created');
    await svcJson('vectors', 'upsert', 'demo', '--vectors', '[[1,0],[0,1]]', '--ids', 'x', '--ids', 'y');
    const hits = await svcJson('vectors', 'query', 'demo', '--query-vector', '[1,0.1]', '--top-k', '1');
    expect(hits.results).toMatchObject([{ id: 'x' }]);
    expect((await svc('vectors', 'query', 'demo')).code).toBe(2);
    expect((await svc('vectors', 'list')).stdout).toContain('demo');
    expect((await svcJson('sources', 'list')).sources).toEqual([]);
    expect((await svc('sources')).code).toBe(2);
  });

  it('forgets a source, and a domain', async () => {
    const listed = await svcJson('documents', '--domain', 'drinks');
    expect(await svcJson('forget', '--source', listed.documents[0].source_id)).toMatchObject({ sources: 1 });
    // Its last source took the domain along.
    expect((await svc('documents', '--domain', 'drinks')).stderr).toContain('The domain "drinks" does not exist');
    expect((await svc('forget', '--domain', 'notes')).code).toBe(0);
    expect((await svcJson('domains')).domains.map((one: { name: string }) => one.name)).not.toContain('notes');
  });

  it('forgets what a database made by its name, also after it was disconnected', async () => {
    const file = join(documents, 'shop.sqlite');
    const shop = new SqliteDatabase(file);
    shop.exec(
      "create table tea (id integer primary key, name text); insert into tea values (1, 'Sencha'), (2, 'Assam')",
    );
    shop.close();
    await svcJson('sources', 'connect', 'shop', `sqlite:${file}`);
    expect(await svcJson('sources', 'sync', 'shop')).toMatchObject({ rows_read: 2 });
    expect((await svc('sources', 'disconnect', 'shop')).code).toBe(0);
    expect((await svcJson('forget', '--source', 'shop')).sources).toBeGreaterThan(1);
    expect((await svc('documents', '--domain', 'shop')).stderr).toContain('The domain "shop" does not exist');
    const again = await svc('forget', '--source', 'shop');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('shop does not exist')]);
  });

  it('answers the question of the README with the sentence that says it', async () => {
    await svcJson('ingest', join('samples', 'handbook.md'), '--domain', 'handbook');
    const { items } = await svcJson('query', 'What do we do when Gull Feed is silent?', '--domain', 'handbook');
    expect(items[0].content).toContain('Wait one hour, since buoys often drop out in a storm.');
  });

  it('names the values that an option takes', async () => {
    const { code, stderr } = await svc('query', 'tea', '--mode', 'magic');
    expect([code, stderr]).toEqual([2, expect.stringContaining('mode must be one of auto, vec, graph.')]);
  });

  it('shows settings without secrets', async () => {
    const { stdout } = await svc('config');
    expect(stdout).toContain('***');
    expect(stdout).not.toContain('hunter2');
  });
});

describe('a command line that cannot be meant', () => {
  it.each([
    [[], 'usage'],
    [['nonsense'], 'unknown command'],
    [['query'], 'missing required argument'],
    [['query', 'x', '--top-k', 'many'], 'whole number'],
    [['query', 'x', '--top-k', '5000'], '--top-k must be'],
    [['query', 'x', '--mode', 'magic'], '--mode'],
    [['query', 'x', '--nonsense'], 'unknown option'],
    [['ingest', 'x.txt'], '--domain'],
    [['ingest', '/does/not/exist', '--domain', 'd'], 'does not exist'],
    [['forget'], '--source'],
    [['forget', '--source', 'a', '--domain', 'b'], '--source'],
    [['call'], '--list'],
    [['call', 'nonsense'], 'not an operation'],
    [['call', 'query', '--input', '{'], 'JSON'],
    [['call', 'query', '--input', '[]'], 'object'],
    [['call', 'query', '--input', '{}'], 'context'],
    [['serve', '--port', '70000'], '--port must be'],
    [['serve', '--variant', 'c'], 'Allowed choices'],
  ])('%j exits with 2 and says why', async (args, expected) => {
    const { code, stderr } = await svc(...args);
    expect(code).toBe(2);
    expect(stderr.toLowerCase()).toContain(expected.toLowerCase());
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['query'], "missing required argument 'text'"],
    [['query', 'x', '--top-k', 'many'], 'whole number'],
    [['sources', 'connect'], 'missing required argument'],
    [['learning', 'nonsense'], 'unknown command'],
  ])('%j says so to machines in JSON too', async (args, expected) => {
    const { code, stdout, stderr } = await svc(...args, '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining(expected), code: 'invalid_input' });
  });

  it('is also one with a wrong setting', async () => {
    process.env.SVC_PORT = 'x';
    const { code, stderr } = await svc('status');
    delete process.env.SVC_PORT;
    expect([code, stderr]).toEqual([2, expect.stringContaining('SVC_PORT must be a whole number')]);
  });
});

describe('a failure', () => {
  it('exits with 1 and, for machines, tells the code', async () => {
    const { code, stdout, stderr } = await svc('query', 'x', '--domain', 'absent', '--json');
    expect([code, stdout, JSON.parse(stderr).code]).toEqual([1, '', 'domain_not_found']);
  });

  it.each([
    ['forget', '--domain', 'absent'],
    ['forget', '--source', 'absent'],
    ['query', 'x', '--domain', 'absent'],
    ['documents', '--domain', 'absent'],
  ])('names no route of HTTP: %s %s %s', async (...args) => {
    const { code, stderr } = await svc(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    expect(stderr).not.toMatch(/(GET|POST|DELETE) \//);
  });

  it('is no failure for help and version', async () => {
    expect((await svc('--help')).code).toBe(0);
    expect((await svc('query', '--help')).stdout).toContain('--top-k');
    expect((await svc('--version')).stdout).toBe('0.1.0\n');
  });
});
