import { describe, expect, test } from '@jest/globals';
import { SvcError } from '../../src/core/errors.js';
import type { Json } from '../../src/core/model.js';
import {
  askedEdges,
  askedRelations,
  columnOf,
  relationOf,
  wordsOfRelation,
} from '../../src/retrieval/expand/relations.js';
import { NEARLY } from '../../src/retrieval/expand/words-near.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

/** Vectors of a made-up model: words of one list mean the same. */
function model(...lists: readonly string[][]) {
  const embed = (texts: readonly string[]): Promise<Float32Array[]> =>
    Promise.resolve(
      texts.map((text, i) => {
        const list = lists.findIndex((words) => words.includes(text));
        return Float32Array.from({ length: 50 }, (_, j) => (j === (list === -1 ? 10 + i : list) ? 1 : 0));
      }),
    );
  return { embed };
}

/** Returns what the question asks of an edge A → B, at A and at B. The question names A, B or both. */
async function shares(
  text: string,
  relation: string,
  {
    embedding = null,
    column,
    both = false,
  }: { readonly embedding?: ReturnType<typeof model> | null; readonly column?: string; readonly both?: boolean } = {},
) {
  const parts = [...text.matchAll(/\b[AB]\b/gu)].map((match) => {
    const token = text.slice(0, match.index).split(/\s+/u).length - 1;
    return { token, length: 1, key: match[0].toLowerCase(), name: match[0] };
  });
  const idf = new Map(
    text
      .split(/\W+/u)
      .flatMap((word) => questionWords(word, [], { idf: new Map() }))
      .map(({ stem }) => [stem, 1]),
  );
  const question = { language: 'english', words: questionWords(text, parts, { idf }) };
  const names = new Map(parts.map(({ key }) => [key, new Set([key])]));
  const properties = column === undefined ? {} : { provenance: 'row', column };
  const edge = { source_id: 'a', target_id: 'b', relation_type: relation, properties };
  const back = { ...edge, source_id: 'b', target_id: 'a' };
  const other = { source_id: 'c', target_id: 'd', relation_type: 'MENTIONED_IN' };
  const relations = await askedRelations(
    question,
    { edges: both ? [edge, back, other] : [edge, other], names },
    embedding,
  );
  const asked = askedEdges(both ? [edge, back] : [edge], { question, names, relations });
  return [asked('a', edge).words, asked('b', edge).words];
}

describe('names of relations', () => {
  test.each([
    ['PART_OF', ['part', 'of']],
    ['dependsOn', ['depends', 'on']],
    ['is-located in', ['is', 'located', 'in']],
  ])('%s is read as words', (relation, words) => {
    expect(wordsOfRelation(relation).map(({ norm }) => norm)).toEqual(words);
  });
});

describe('columns that clients write', () => {
  const edge = (column: Json) => ({
    source_id: 'a',
    target_id: 'b',
    relation_type: 'R',
    properties: { provenance: 'row', column },
  });

  test.each([
    ['lead_id', 'R\nlead', 'lead_id'],
    [['lead_id', 'team_id'], 'R\nlead team', 'lead_id, team_id'],
    ['_id', 'R\n_id', '_id'],
    [`a${'_'.repeat(20_000)}x`, 'R', undefined],
    [{}, 'R', undefined],
  ])('%j', (column, relation, written) => {
    expect(relationOf(edge(column))).toBe(relation);
    expect(columnOf(edge(column))).toBe(written);
  });
});

describe('a foreign key', () => {
  test.each([
    ['Who is the lead of A?', 'lead_id'],
    ['Which person leads A?', 'leadId'],
    ['Which services does A lead?', 'lead'],
  ])('is asked for by its column: %s', async (text, column) => {
    const [atSource, atTarget] = await shares(text, 'PART_OF', { column });
    expect(Math.max(atSource!, atTarget!)).toBeGreaterThan(0.4);
    expect(await shares(text, 'PART_OF')).toEqual([0, 0]);
  });

  test('is still asked for by its relation type', async () => {
    expect((await shares('What is A part of?', 'PART_OF', { column: 'lead_id' }))[0]).toBeGreaterThan(0.4);
  });

  test('that only uses another row is not asked for by that word', async () => {
    expect(await shares('Which bank does A use?', 'USES', { column: 'customer' })).toEqual([0, 0]);
    expect((await shares('Which customer has A?', 'USES', { column: 'customer' }))[0]).toBeGreaterThan(0);
  });

  test.each([
    [0.55, 0],
    [0.6, 0.8],
  ])('is meant by a word at a cosine of %d from its column: %d', async (cosine, expected) => {
    const vectors: Record<string, number[]> = {
      customer: [1, 0, 0],
      employees: [cosine, Math.sqrt(1 - cosine ** 2), 0],
    };
    const embedding = {
      embed: async (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectors[text] ?? [0, 0, 1])),
    };
    const [share] = await shares('How many employees has A?', 'USES', { column: 'customer_id', embedding });
    expect(share).toBeCloseTo(expected, 5);
  });

  test('of a table to itself is asked for in one direction', async () => {
    const [to, from] = await shares('Who reports to A?', 'PART_OF', { column: 'reports_to', both: true });
    expect([to, from]).toEqual([0, 0]);
    const [leaving] = await shares('To whom does A report?', 'PART_OF', { column: 'reports_to', both: true });
    expect(leaving).toBeGreaterThan(0.4);
  });

  test('is meant by a word like its column', async () => {
    const embedding = model(['lead', 'boss']);
    const [share] = await shares('Who is the boss of A?', 'PART_OF', { column: 'lead_id', embedding });
    expect(share).toBeGreaterThan(0.4);
  });
});

describe('a question asks for the edges that its form says', () => {
  test.each([
    ['What does Alpha A require?', 'REQUIRES'],
    ['What is required by A?', 'REQUIRES'],
    ['On what does A depend?', 'DEPENDS_ON'],
    ['What is A part of?', 'PART_OF'],
    ['Who owns A?', 'OWNED_BY'],
    ['Where is A located?', 'LOCATED_IN'],
    ['What does A report to?', 'REPORTSTO'],
    ['Which services are used by the A?', 'USES'],
    ['What requirements does A have?', 'REQUIRES'],
    ['How many requirements will the A have?', 'REQUIRES'],
    ['Which dependencies does A have?', 'DEPENDS_ON'],
    ['Which dependencies in production has A?', 'DEPENDS_ON'],
    ['What owner does A have?', 'HAS_OWNER'],
    ['Which maintainers does A have?', 'MAINTAINED_BY'],
    ['What uses does A have?', 'USES'],
    ['What requirements are there in A?', 'REQUIRES'],
    ['What did A repair?', 'REPAIRED'],
    ['What was repaired by A?', 'HAS_REPAIRED'],
    ['Who repaired A?', 'WAS_REPAIRED_BY'],
    ['Where did A live?', 'LIVED_IN'],
    ['In which town did A live?', 'LIVED_IN'],
    ['Which town did A move to?', 'MOVED_TO'],
    ['Which recipes use A?', 'USED_IN'],
    ['What does A own?', 'OWNS'],
    ['What does A own?', 'OWN'],
    ['By whom is A owned?', 'OWNED_BY'],
  ])('leaving A: %s (%s)', async (text, relation) => {
    const [leaving, arriving] = await shares(text, relation);
    expect(leaving).toBeGreaterThan(0.3);
    expect(arriving).toBe(0);
  });

  test.each([
    ['What requires B?', 'REQUIRES'],
    ['What is B required by?', 'REQUIRES'],
    ['Which component uses the B?', 'USES'],
    ['What is part of B?', 'PART_OF'],
    ['What does B create?', 'CREATED_BY'],
    ['Which systems report to B?', 'REPORTS_TO'],
    ['Which parts does B have?', 'PART_OF'],
    ['What requirements does B have?', 'REQUIRED_BY'],
    ['Which suppliers does B have?', 'SUPPLIES'],
    ['Which dependents does B have?', 'DEPENDS_ON'],
    ['What uses a thing that is B?', 'USES'],
    ['Who repaired B?', 'REPAIRED'],
    ['Who has founded B?', 'FOUNDED'],
    ['By whom was B repaired?', 'REPAIRED'],
    ['Who moved to B?', 'MOVED_TO'],
    ['Which parts does B use?', 'USED_IN'],
    ['Who owns B?', 'OWN'],
    ['What does B own?', 'OWNED_BY'],
  ])('arriving at B: %s (%s)', async (text, relation) => {
    const [leaving, arriving] = await shares(text, relation);
    expect(arriving).toBeGreaterThan(0.4);
    expect(leaving).toBe(0);
  });

  test('a noun may stand for either direction', async () => {
    const server = model(['server', 'runs on']);
    expect((await shares('Which server does A have?', 'RUNS_ON', { embedding: server }))[0]).toBeGreaterThan(0);
    expect((await shares('Which server does B have?', 'RUNS_ON', { embedding: server }))[1]).toBeGreaterThan(0);
    expect((await shares('What are the requirements of A?', 'REQUIRES'))[0]).toBeGreaterThan(0);
    expect((await shares('What are the requirements of B?', 'REQUIRES'))[1]).toBeGreaterThan(0);
  });

  test('a noun that the model alone understands asks for what its relation says', async () => {
    const [leaving, arriving] = await shares('What owner does A have?', 'OWNED_BY', {
      embedding: model(['owner', 'owned by']),
    });
    expect([leaving! > 0.3, arriving]).toEqual([true, 0]);
  });

  test('"own" behind a possessive says nothing', async () => {
    expect(await shares('What does A do on its own?', 'OWNS')).toEqual([0, 0]);
    expect(await shares("What is A's own?", 'OWNS')).toEqual([0, 0]);
    expect(await shares("Do the neighbours' own gardens border B?", 'OWNS')).toEqual([0, 0]);
    expect(await shares('Do the neighbours’ own gardens border B?', 'OWNS')).toEqual([0, 0]);
    expect((await shares('Which neighbours own B?', 'OWNS'))[1]).toBeGreaterThan(0);
    expect((await shares("Which of the 'neighbours' own B?", 'OWNS'))[1]).toBeGreaterThan(0);
  });

  test('what nothing says counts against the edge; the kind of thing asked for does not', async () => {
    expect((await shares('Which component requires B?', 'REQUIRES'))[1]).toBe(1);
    expect((await shares('Everything that requires B', 'REQUIRES'))[1]).toBe(1);
    expect((await shares('What requires B today?', 'REQUIRES'))[1]).toBe(0.5);
    expect((await shares('What paints B?', 'REQUIRES'))[1]).toBe(0);
  });

  test('a word that no relation holds means the relation nearest to it', async () => {
    expect((await shares('What needs B?', 'REQUIRES'))[1]).toBe(0);
    expect((await shares('What needs B?', 'REQUIRES', { embedding: model(['needs', 'requires']) }))[1]).toBe(0.8);
    expect((await shares('What needs B?', 'REQUIRES', { embedding: model(['needs', 'mentioned in']) }))[1]).toBe(0);
  });
});

describe('what relations mean by the embedding model', () => {
  const question = { language: 'english', words: questionWords('What needs, requiring?', [], { idf: new Map() }) };
  const names = new Map([['b', new Set(['b'])]]);
  const edge = (source_id: string, relation_type: string, target_id: string) => ({
    source_id,
    target_id,
    relation_type,
  });
  const edges = [edge('a', 'REQUIRES', 'b')];

  test('is left out where the model does not answer', async () => {
    const down = { embed: () => Promise.reject(new SvcError('unavailable', 'No answer.')) };
    expect(await askedRelations(question, { edges, names }, down)).toEqual(new Map([['REQUIRES', new Map([[2, 1]])]]));
    const broken = { embed: () => Promise.reject(new SvcError('internal', 'Broken.')) };
    await expect(askedRelations(question, { edges, names }, broken)).rejects.toMatchObject({ code: 'internal' });
  });

  test('is read for relations of the items that the question names before others', async () => {
    const others = Array.from({ length: 30 }, (_, i) => edge('x', `FAR_${i}`, 'y'));
    for (const all of [
      [...others, ...edges],
      [...edges, ...others],
    ]) {
      const relations = await askedRelations(question, { edges: all, names }, model(['needs', 'requires']));
      expect(relations.get('REQUIRES')!.get(1)).toBe(NEARLY);
    }
  });

  test('is not asked where the question names no item of an edge', async () => {
    const relations = await askedRelations(question, { edges, names: new Map() }, model(['needs', 'requires']));
    expect(relations.get('REQUIRES')!.has(1)).toBe(false);
  });
});

test('the words of a question are read once for all edges of a relation at an item', async () => {
  const edges = Array.from({ length: 50 }, (_, i) => ({
    source_id: 'a',
    target_id: `b${i}`,
    relation_type: 'REQUIRES',
  }));
  const words = questionWords('What does A require?', [], { idf: new Map([['requir', 1]]) });
  let reads = 0;
  const question = {
    language: 'english',
    get words() {
      reads += 1;
      return words;
    },
  };
  const names = new Map([['a', new Set(['a'])]]);
  const relations = new Map([['REQUIRES', new Map([[3, 1]])]]);
  const asked = askedEdges(edges, { question, names, relations });
  for (const edge of edges) expect([asked('a', edge).words, asked(edge.target_id, edge).words]).toEqual([1, 0]);
  expect(reads).toBe(1);
});
