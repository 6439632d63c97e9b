import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureSchema } from '../../src/backends/graph/neo4j/follow/schema.js';
import { seededRandom } from '../../src/core/random.js';
import { contentsOfNeo4j, contentsOfVisible } from './neo4j-engine/contents.js';
import { BreakingConnection, emptyDatabase, Following, followerOf } from './neo4j-engine/following.js';

const HISTORIES = Number(process.env.HISTORIES ?? 12);

describe('Neo4j following a ledger', () => {
  const first = new BreakingConnection();
  const second = new BreakingConnection();

  beforeAll(async () => {
    await Promise.all([first.connect(), second.connect()]);
    await ensureSchema(first);
  });
  afterAll(() => Promise.all([first.disconnect(), second.disconnect()]));
  beforeEach(async () => {
    first.stepsLeft = Number.POSITIVE_INFINITY;
    second.stepsLeft = Number.POSITIVE_INFINITY;
    await emptyDatabase(first);
  });

  const sameAs = async (following: Following) => {
    expect(await contentsOfNeo4j(first)).toEqual(contentsOfVisible(following.now));
  };

  it('holds what the ledger shows after each change', async () => {
    const following = new Following(seededRandom('each change'), 'ledger-a');
    await following.catchUp(followerOf(first));
    for (let n = 0; n < 40; n += 1) {
      following.write();
      await following.catchUp(followerOf(first));
      await sameAs(following);
    }
  }, 120_000);

  it.each([
    ['as it is', undefined, 12],
    ['a transaction for each kind of record', { records: 1, bytes: 2 ** 20 }, 40],
    ['a transaction for each two records', { records: 1, bytes: 450 }, 80],
  ])(
    'ends as the ledger whatever the order of writes, crashes, repetitions and resyncs on two replicas: %s',
    async (_how, limits, steps) => {
      let crashes = 0;
      for (let seed = 0; seed < HISTORIES; seed += 1) {
        const random = seededRandom(`interleaving ${seed}`);
        const below = (limit: number) => Math.floor(random() * limit);
        const following = new Following(random, `ledger-${seed}`);
        const replicas = [first, second].map((connection) => ({
          connection,
          follower: followerOf(connection, limits),
        }));
        const attempt = async ({ connection, follower }: (typeof replicas)[number]) => {
          connection.stepsLeft = below(3) === 0 ? below(steps) : Number.POSITIVE_INFINITY;
          try {
            await following.step(follower);
          } catch (error) {
            expect((error as Error).message).toMatch(/crash|Deadlock|gave way/);
            crashes += 1;
          } finally {
            connection.stepsLeft = Number.POSITIVE_INFINITY;
          }
        };
        for (let round = 0; round < 30; round += 1) {
          if (below(2) === 0) following.write();
          if (below(3) === 0) await Promise.all(replicas.map(attempt));
          else await attempt(replicas[below(2)]!);
          // A resync that a caller requested.
          if (below(15) === 0) {
            const from = await replicas[0]!.follower.cursor();
            if (from !== null)
              await replicas[0]!.follower.move({ from, to: { ...from, sync: { kind: 'domain', after: 0 } } });
          }
        }
        await following.catchUp(replicas[0]!.follower);
        await sameAs(following);
      }
      expect(crashes).toBeGreaterThan(0);
    },
    600_000,
  );

  it('lets nobody move it from a place where it is not', async () => {
    const following = new Following(seededRandom('stale'), 'ledger-a');
    following.write();
    const follower = followerOf(first);
    await following.catchUp(follower);
    const from = { ledger: 'ledger-a', version: 0, sync: null };
    const step = { from, to: { ...from, version: 1 }, records: following.records };
    const range = { kind: 'node', after: 0, upTo: Number.MAX_SAFE_INTEGER, records: [] } as const;
    expect(await follower.sync({ ...step, range })).toBeNull();
    expect(await follower.move({ from: null, to: from })).toBe(false);
    await sameAs(following);
    expect(await follower.cursor()).toEqual({ ledger: 'ledger-a', version: 1, sync: null });
  });

  it('writes only differences when it is resynced, and removes what a hand added', async () => {
    const following = new Following(seededRandom('differences'), 'ledger-a');
    for (let n = 0; n < 15; n += 1) following.write();
    const follower = followerOf(first);
    await following.catchUp(follower);
    const resync = async () => {
      const from = (await follower.cursor())!;
      await follower.move({ from, to: { ...from, sync: { kind: 'domain', after: 0 } } });
      let written = 0;
      let removed = 0;
      const sync = follower.sync.bind(follower);
      follower.sync = async (step) => {
        const outcome = await sync(step);
        written += outcome?.written ?? 0;
        removed += outcome?.removed ?? 0;
        return outcome;
      };
      await following.catchUp(follower);
      follower.sync = sync;
      return { written, removed };
    };
    expect(await resync()).toEqual({ written: 0, removed: 0 });
    await first.query(
      `MATCH (a:Node)-[r:REQUIRES|USES|PART_OF]->(b:Node) WITH r LIMIT 1 DELETE r
       WITH 1 AS one MATCH (a:Node) WITH a ORDER BY a.ref LIMIT 1 CREATE (a)-[:INVENTED]->(a)
       CREATE (:Node:Concept {ref: 1, name: 'invented'})`,
      {},
      { access: 'write' },
    );
    expect(await resync()).toEqual({ written: 1, removed: 2 });
    await sameAs(following);
  });

  it.each([
    [
      'beside it',
      'CREATE (:Rule {ref: r.ref, domain_ref: r.domain_ref + 1000, id: "left", fingerprint: r.fingerprint})',
    ],
    ['in its place', 'SET r.domain_ref = r.domain_ref + 1000, r.domain = "left", r.fingerprint = "of another"'],
  ])('removes a rule of another ledger that has the number of one of its own, %s', async (_where, change) => {
    const following = new Following(seededRandom('numbers'), 'ledger-a');
    while (following.now.rules.size === 0) following.write();
    const follower = followerOf(first);
    await following.catchUp(follower);
    await first.query(`MATCH (r:Rule) WITH r LIMIT 1 ${change}`, {}, { access: 'write' });
    const from = (await follower.cursor())!;
    await follower.move({ from, to: { ...from, sync: { kind: 'domain', after: 0 } } });
    await following.catchUp(follower);
    await sameAs(following);
  });

  it('takes the place of another ledger in the same database', async () => {
    const before = new Following(seededRandom('another'), 'ledger-a');
    for (let n = 0; n < 10; n += 1) before.write();
    await before.catchUp(followerOf(first));
    const following = new Following(seededRandom('this one'), 'ledger-b');
    for (let n = 0; n < 10; n += 1) following.write();
    await following.catchUp(followerOf(first));
    await sameAs(following);
  });
});
