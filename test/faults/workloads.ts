import { expect } from '@jest/globals';
import { callLocalRpc } from '../../src/cli/local-rpc-client.js';
import { holderOf } from '../../src/data-directory.js';
import { note, until } from '../jobs/notes.js';
import { post } from '../service/process.js';

/** Where a service runs, and where its data lies. */
export interface At {
  readonly url: string;
  readonly directory: string;
  readonly files: string;
}

/** One kind of work that a kill interrupts. */
export interface Workload {
  readonly name: string;
  /** Works on until the service is gone; `run` tells runs apart. */
  work(at: At, run: number): Promise<void>;
  /** Holds what is there after a restart against what was acknowledged. */
  verify(at: At): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
export const get = async (url: string, path: string): Promise<any> => (await fetch(url + path)).json();

/** Repeats a call with growing numbers until the service is gone; returns nothing, `acknowledged` sees each success. */
async function repeat(call: (i: number) => Promise<{ status: number } | null>, acknowledged: (i: number) => void) {
  for (let i = 0; ; i += 1) {
    const answer = await call(i);
    if (answer === null) return;
    expect(answer.status).toBe(200);
    acknowledged(i);
  }
}

interface Source {
  readonly label: string;
  readonly concepts: number;
  readonly passages: number;
}

async function sources({ url }: At): Promise<Map<string, Source>> {
  const { documents } = await get(url, '/v1/documents?limit=10000');
  return new Map((documents as Source[]).map((source) => [source.label, source]));
}

/** Sources that were acknowledged must be there, and every one that is there must be whole. */
function sourceWorkload(name: string, path: string, bodyOf: (label: string) => object, size: keyof Source): Workload {
  const acknowledged = new Set<string>();
  let whole: unknown;
  return {
    name,
    work: (at, run) => {
      const label = (i: number): string => `${name} ${run}-${i}`;
      return repeat(
        (i) => post(at.url, path, bodyOf(label(i))),
        (i) => acknowledged.add(label(i)),
      );
    },
    verify: async (at) => {
      const found = await sources(at);
      for (const label of acknowledged) expect([label, found.has(label)]).toEqual([label, true]);
      for (const [label, source] of found) {
        whole ??= source[size];
        expect([label, source[size]]).toEqual([label, whole]);
      }
    },
  };
}

const structured = sourceWorkload(
  'structured',
  '/v1/ingest/structured',
  (label) => ({
    domain: 'parts',
    source_id: label,
    concepts: Array.from({ length: 40 }, (_, i) => ({ name: `${label} part ${i}`, description: `Part ${i}.` })),
    edges: Array.from({ length: 39 }, (_, i) => ({
      source: `${label} part ${i}`,
      target: `${label} part ${i + 1}`,
      relation: 'requires',
    })),
  }),
  'concepts',
);

const text = sourceWorkload(
  'text',
  '/v1/ingest/text',
  (name) => ({
    domain: 'notes',
    name,
    format: 'markdown',
    text: Array.from({ length: 20 }, (_, i) => `# Heading ${i}\n\n${note(i)}`).join('\n\n'),
  }),
  'passages',
);

/** Work that counts: what was there before and what was acknowledged since, and at most one more. */
function counted(
  name: string,
  call: (at: At) => Promise<{ status: number } | null>,
  countOf: (at: At) => Promise<number>,
): Workload {
  let before = 0;
  let acknowledged = 0;
  return {
    name,
    work: (at) => {
      acknowledged = 0;
      return repeat(
        () => call(at),
        () => {
          acknowledged += 1;
        },
      );
    },
    verify: async (at) => {
      const count = await countOf(at);
      expect(count).toBeGreaterThanOrEqual(before + acknowledged);
      expect(count).toBeLessThanOrEqual(before + acknowledged + 1);
      before = count;
    },
  };
}

/** Each observation teaches an arm of its own, so that each can be told to be there; each run a learner, which holds so many. */
const observe: Workload = (() => {
  const acknowledged = new Map<string, Set<string>>();
  return {
    name: 'observe',
    work: ({ url }, run) => {
      const learner = `l${run}`;
      const arms = new Set<string>();
      acknowledged.set(learner, arms);
      return repeat(
        (i) => post(url, '/v1/learning/observe', { learner, arm_id: `a${i}`, outcome: 'accepted' }),
        (i) => arms.add(`a${i}`),
      );
    },
    verify: async ({ url }) => {
      for (const [learner, arms] of acknowledged) {
        const { posteriors = {} } = await get(url, `/v1/learning/${learner}/posteriors`);
        for (const id of arms) expect([learner, id, posteriors[id]?.pulls]).toEqual([learner, id, 1]);
        for (const id of Object.keys(posteriors)) expect([id, posteriors[id].pulls]).toEqual([id, 1]);
      }
    },
  };
})();

const feedback = counted(
  'feedback',
  async ({ url }) => {
    await post(url, '/v1/ingest/structured', {
      domain: 'd',
      concepts: [{ name: 'Pump', description: 'A pump.' }],
      source_id: 's',
    });
    const query = await post(url, '/v1/query', { context: 'pump', domains: ['d'] });
    const items = (query?.body.items ?? []) as Array<{ id: string }>;
    if (items[0] === undefined) return null;
    return post(url, '/v1/feedback', { query_id: query!.body.query_id, outcomes: { [items[0].id]: 'accepted' } });
  },
  async ({ url }) => (await get(url, '/v1/stats')).activity.feedback_given,
);

const SIZE = 20;

const vectors: Workload = (() => {
  /** Batches of the last run, and how many there were in all. */
  let batches: string[] = [];
  let total = 0;
  const vector = Array.from({ length: 32 }, (_, i) => Math.sin(i));
  return {
    name: 'vector upsert',
    work: ({ url }, run) => {
      batches = [];
      const idsOf = (i: number): string[] => Array.from({ length: SIZE }, (_, n) => `${run}-${i}-${n}`);
      return repeat(
        (i) =>
          post(url, '/v1/vectors/colours/upsert', {
            vectors: idsOf(i).map(() => vector),
            ids: idsOf(i),
            metadata: idsOf(i).map(() => ({ batch: `${run}-${i}` })),
          }),
        (i) => {
          batches.push(`${run}-${i}`);
          total += SIZE;
        },
      );
    },
    verify: async ({ url }) => {
      if (total === 0) return;
      const { count } = await get(url, '/v1/vectors/colours');
      expect(count).toBeGreaterThanOrEqual(total);
      // All or nothing.
      expect(count % SIZE).toBe(0);
      for (const batch of batches) {
        const found = await post(url, '/v1/vectors/colours/query', {
          query_vector: vector,
          top_k: 2 * SIZE,
          filter: { batch },
        });
        expect(found?.body.results).toHaveLength(SIZE);
      }
      total = count;
    },
  };
})();

const rpc = (directory: string, operation: string, input: object = {}) => {
  const holder = holderOf(directory);
  return callLocalRpc(holder!.rpc!, { operation, input, surface: 'cli' });
};

/** Kills while a checkpoint is being made, again and again; those that were answered stay. */
const checkpoint: Workload = (() => {
  const acknowledged = new Set<string>();
  return {
    name: 'checkpoint',
    work: async ({ url, directory }) => {
      await post(url, '/v1/ingest/structured', { domain: 'p', source_id: 's', concepts: manyConcepts });
      for (;;) acknowledged.add(((await rpc(directory, 'graph_checkpoint')) as { id: string }).id);
    },
    verify: async ({ directory }) => {
      const { checkpoints } = (await rpc(directory, 'graph_checkpoints')) as { checkpoints: Array<{ id: string }> };
      const ids = checkpoints.map(({ id }) => id);
      for (const id of acknowledged) expect(ids).toContain(id);
    },
  };
})();

const manyConcepts = Array.from({ length: 3000 }, (_, i) => ({ name: `Concept ${i}`, description: `Number ${i}.` }));

const reindex: Workload = {
  name: 'reindex',
  work: async (at) => {
    await post(at.url, '/v1/ingest/structured', { domain: 'p', source_id: 's', concepts: manyConcepts });
    for (;;) if ((await post(at.url, '/v1/admin/reindex', {})) === null) return;
  },
  verify: async ({ url }) => {
    const answer = await post(url, '/v1/query', { context: 'Number 77', mode: 'vec', top_k: 5 });
    const items = (answer?.body.items ?? []) as object[];
    if ((await get(url, '/v1/domains')).domains.length > 0) expect(items).toHaveLength(5);
  },
};

const job: Workload = (() => {
  const ids = new Set<string>();
  return {
    name: 'job',
    work: async ({ url, files }, run) => {
      const answer = await post(url, '/v1/jobs/ingest', { paths: [files], domain: `run ${run}` });
      if (answer?.status === 202) ids.add(String(answer.body.job_id));
      await until(async () => ((await post(url, '/v1/rules', {})) === null ? true : undefined));
    },
    verify: async ({ url }) => {
      for (const id of ids) {
        const done = await until(async () => {
          const found = await get(url, `/v1/jobs/${id}`);
          return found.state === 'completed' ? found : undefined;
        });
        expect(done.files).toMatchObject({ failed: 0, done: done.files.total });
      }
    },
  };
})();

export const workloads: readonly Workload[] = [structured, text, feedback, observe, vectors, checkpoint, reindex, job];
