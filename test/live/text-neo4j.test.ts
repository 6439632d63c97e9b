import { expect, it } from '@jest/globals';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import { Neo4jTextIndex } from '../../src/backends/text/neo4j.js';
import { seededRandom } from '../../src/core/random.js';
import { englishStemsContract } from '../contracts/english-stems.contract.js';
import { textContract } from '../contracts/text.contract.js';
import { DOCUMENTS, openService } from '../service/harness.js';

const uri = process.env.NEO4J_URI;
if (uri === undefined) throw new Error('NEO4J_URI is not set; run the live tests with `npm run test:live`.');

async function openEmpty(): Promise<Neo4jTextIndex> {
  const connection = new Neo4jConnection({ uri: uri as string });
  const index = new Neo4jTextIndex(connection);
  await index.connect();
  await connection.write((tx) => tx.run('MATCH (n) DETACH DELETE n'));
  return index;
}

textContract({ name: 'Neo4j full-text index', open: openEmpty, runs: 12 });
englishStemsContract('Neo4j', openEmpty);

it('reads every sign of a stem as a word, never as syntax of the search', async () => {
  const index = await openEmpty();
  const odd = [
    'c++',
    'at&t',
    'a-b',
    '"x"',
    '(y)',
    'z*',
    'and',
    'OR',
    'not',
    '3.5',
    'a/b',
    '[q]',
    'w~2',
    'v^9',
    'k:l',
    '\\',
  ];
  await index.upsert(odd.map((text, i) => ({ id: `n${i}`, domain: 'd', title: '', text: `${text} filler` })));
  const memory = new MemoryTextIndex();
  await memory.upsert(odd.map((text, i) => ({ id: `n${i}`, domain: 'd', title: '', text: `${text} filler` })));
  for (const text of [...odd, odd.join(' ')]) {
    const found = await index.search(text, { topK: 50, domains: ['d'] });
    const expected = await memory.search(text, { topK: 50, domains: ['d'] });
    expect(found.hits.map((hit) => hit.id)).toEqual(expected.hits.map((hit) => hit.id));
  }
  await index.disconnect();
});

it('gives a small domain all that it has, beside a large one that matches better', async () => {
  const index = await openEmpty();
  const random = seededRandom('domains');
  const large = Array.from({ length: 3000 }, (_, i) => ({
    id: `large:${i}`,
    domain: 'large',
    title: 'sextant',
    text: `sextant ${Math.floor(random() * 50)}`,
  }));
  const small = Array.from({ length: 20 }, (_, i) => ({
    id: `small:${i}`,
    domain: 'small',
    title: '',
    text: `part ${i} of a long and windy text that holds the word sextant once only among others`,
  }));
  await index.upsert([...large, ...small]);
  const found = await index.search('sextant', { topK: 20, domains: ['small'] });
  expect(found.hits).toHaveLength(20);
  expect(found).toMatchObject({ documents: 20, terms: [{ df: 20 }] });
  const memory = new MemoryTextIndex();
  await memory.upsert(small);
  const alone = await memory.search('sextant', { topK: 20 });
  expect(found.hits.map((hit) => hit.id)).toEqual(alone.hits.map((hit) => hit.id));
  await index.disconnect();
});

it('serves a whole service', async () => {
  await (await openEmpty()).disconnect();
  const test = await openService({ SVC_TEXT: 'neo4j', SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: uri as string });
  try {
    for (const [name, text] of Object.entries(DOCUMENTS)) {
      const sent = await test.post('/v1/ingest/text', { text, domain: 'north', format: 'markdown', name });
      expect(sent.status).toBe(200);
    }
    const answer = await test.post('/v1/query', { context: 'Where was Mira Voss born?', domains: ['north'] });
    expect(answer.body.items[0].content).toContain('Port Helm');
    expect(await test.service.text.count('north')).toBeGreaterThan(2);
    expect((await test.get('/v1/status')).body.health.text).toBe('ok');
    const { body } = await test.get('/v1/documents');
    for (const { source_id } of body.documents) await test.delete(`/v1/documents/${source_id}`);
    expect(await test.service.text.count()).toBe(0);
  } finally {
    await test.close();
  }
});

it('makes its indexes once, however many start at once', async () => {
  await (await openEmpty()).disconnect();
  const connection = new Neo4jConnection({ uri: uri as string });
  await connection.connect();
  await connection.schema('DROP INDEX svc_text IF EXISTS');
  await connection.schema('DROP CONSTRAINT svc_text_document IF EXISTS');
  const replicas = Array.from({ length: 4 }, () => new Neo4jTextIndex(new Neo4jConnection({ uri: uri as string })));
  await Promise.all(replicas.map((replica) => replica.connect()));
  await replicas[0]?.upsert([{ id: 'a', domain: 'd', title: '', text: 'fox' }]);
  for (const replica of replicas) {
    expect((await replica.search('fox', { topK: 5 })).hits).toHaveLength(1);
    await replica.disconnect();
  }
  await connection.disconnect();
});
