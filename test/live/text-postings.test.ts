import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres, type PostgresStore } from '../../src/backends/store/engine/postgres.js';
import { type PostingsOptions, PostingsTextIndex } from '../../src/backends/text/postings.js';
import { textContract } from '../contracts/text.contract.js';

const url = process.env.PG_URL;
if (url === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');

/** A schema of its own for each opened store, so that suites never meet. */
async function openFresh(): Promise<{ store: PostgresStore; close: () => Promise<void> }> {
  const schema = `text_${Math.random().toString(36).slice(2)}`;
  const admin = await openPostgres(withSchema('public'));
  await sql`create schema ${sql.id(schema)}`.execute(admin.db);
  const store = await openPostgres(withSchema(schema));
  return {
    store,
    close: async () => {
      await store.close();
      await sql`drop schema ${sql.id(schema)} cascade`.execute(admin.db);
      await admin.close();
    },
  };
}

function withSchema(schema: string): string {
  const address = new URL(url as string);
  address.searchParams.set('options', `-c search_path=${schema}`);
  return address.href;
}

for (const [name, options] of [
  ['as it comes', {}],
  ['flushing at every other write', { flush: { postings: 60, writes: 2 } }],
] as ReadonlyArray<readonly [string, PostingsOptions]>) {
  let opened: Awaited<ReturnType<typeof openFresh>>;
  textContract({
    name: `postings on PostgreSQL ${name}`,
    open: async () => {
      opened = await openFresh();
      const index = new PostingsTextIndex(opened.store, options);
      await index.connect();
      return index;
    },
    close: () => opened.close(),
    write: (work) => opened.store.write(work),
    runs: 6,
  });
}

it('replicas that write at the same time end with the same index', async () => {
  const { store, close } = await openFresh();
  const replicas = [1, 2, 3].map(() => new PostingsTextIndex(store, { flush: { postings: 200, writes: 10 } }));
  await Promise.all(
    replicas.flatMap((replica, r) =>
      Array.from({ length: 20 }, async (_, i) => {
        const id = `r${r}-${i}`;
        await replica.upsert([{ id, domain: 'd', title: '', text: `common word${i} from replica${r}` }]);
        expect((await replica.search('common', { topK: 100 })).hits.map((hit) => hit.id)).toContain(id);
        if (i % 4 === 0) await replica.delete([id]);
      }),
    ),
  );
  const answers = await Promise.all(replicas.map((replica) => replica.search('common word3', { topK: 100 })));
  expect(answers[0]?.documents).toBe(45);
  expect(answers[0]?.hits).toHaveLength(45);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  await close();
});

it('transactions that run side by side each see their own writes and no others', async () => {
  const { store, close } = await openFresh();
  const index = new PostingsTextIndex(store);
  await index.upsert([{ id: 'a', domain: 'd', title: '', text: 'fox' }]);
  await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      store.write(async (scope) => {
        const writes = i % 2 === 0;
        if (writes) await index.upsert([{ id: `w${i}`, domain: 'd', title: '', text: `fox own${i}` }], scope);
        for (let look = 0; look < 8; look += 1) {
          const own = await index.containing('d', [`own${i}`], scope);
          expect(own).toEqual(writes ? [`w${i}`] : []);
          expect(await index.containing('d', ['fox'], scope)).toContain('a');
        }
      }),
    ),
  );
  expect(await index.containing('d', ['fox'])).toEqual(['a', 'w0', 'w2', 'w4']);
  await close();
});
