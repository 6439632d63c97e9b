import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type ModelName, openWorld } from '../../bench/retrieval/world.js';
import type { DomainRanker, LinearModel } from '../../src/learning/feedback/adjustments.js';
import { MESSAGE_FEATURES, type MessageItem } from '../../src/retrieval/conversation/message-features.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import { signOf } from '../../src/retrieval/score/feature-values.js';
import { bestOfTurns, MIXED_FEATURES, mixedAnswers, rivalryOf } from '../../src/retrieval/score/mixed.js';
import { modelRanker, parseRanker } from '../../src/retrieval/score/ranker.js';
import { documentScorer, messageScorer } from '../../src/retrieval/score/score.js';
import { direct, features, turn } from './literals.js';

const shipped = parseRanker(parse(readFileSync('config/ranker.yaml', 'utf8')));
const model = modelRanker(shipped, 'minilm');
const none = {
  factors: new Map<string, number>(),
  priors: new Map<string, number>(),
  rankers: new Map<string, DomainRanker>(),
};
const row = features('row', { direct: direct(0.8, { named: 1 }) });
const said: MessageItem = { ...turn('said'), sentence: 0.7, around: 0.6, before: 0.6, windowShare: 0.5, window: 1 };
const answerOf = (documents: (typeof row)[], turns: MessageItem[]) =>
  mixedAnswers(model, { documents, turns, hasModel: true });

describe('where documents and turns compete', () => {
  test('a document that the question names loses to a turn that matches better, and not to one that matches worse', () => {
    expect(rivalryOf(row, bestOfTurns([said], true)).outdoneNamed).toBeCloseTo(0.3);
    expect(rivalryOf(row, 0.3)).toEqual({ outdone: 0, outdoneNamed: 0 });
    expect(rivalryOf(row, bestOfTurns([said], false))).toEqual({ outdone: 0, outdoneNamed: 0 });
    const score = (sentence: number): number =>
      documentScorer(shipped, model, answerOf([row], [{ ...said, sentence }]))(row, none).total;
    expect(score(0.7)).toBeLessThan(score(0.4));
  });

  test('what a chain leads to loses nothing: it matches the rewritten question', () => {
    const chain = { strength: 1, match: 1, similarity: 1, asked: 0, from: 'a', name: 'A', sentence: 0, to: 'x' };
    const bridge = { key: 'k', name: 'K', domain: 'd' };
    const reached = { first: { ...chain, bridge, rewritten: '' }, second: undefined, through: undefined, bridges: 1 };
    const item = features('x', { direct: direct(0.2), chains: reached });
    expect(rivalryOf(item, 0.7)).toEqual({ outdone: 0, outdoneNamed: 0 });
  });

  test('a domain with one kind alone keeps the weights of that kind', () => {
    expect(answerOf([row], []).size).toBe(0);
    const elsewhere = { ...said, node: { ...said.node, domain: 'elsewhere' } };
    expect(answerOf([row], [elsewhere]).size).toBe(0);
    expect([...answerOf([row], [said, elsewhere]).keys()]).toEqual(['d']);
  });

  test('turns that have nothing to do with the question change next to nothing', () => {
    const far = { ...turn('far'), questions: 1 };
    const alone = documentScorer(shipped, model)(row, none).total;
    const beside = documentScorer(shipped, model, answerOf([row], [far]))(row, none).total;
    expect(Math.abs(beside - alone)).toBeLessThan(0.1);
  });

  test('a document that has nothing to do with the question changes next to nothing for turns', () => {
    const far = features('far', { direct: direct(0.05) });
    const alone = messageScorer(shipped, model)(said, none).total;
    const beside = messageScorer(shipped, model, answerOf([far], [said]))(said, none).total;
    expect(Math.abs(beside - alone)).toBeLessThan(0.2);
  });

  test('what feedback taught a domain about its documents and turns is kept', () => {
    const raised = ({ intercept, weights }: LinearModel): LinearModel => ({ intercept: intercept + 1, weights });
    const learned = { document: raised(model.document), message: raised(model.message) };
    const adjusted = { ...none, rankers: new Map([['d', learned]]) };
    const mixed = answerOf([row], [said]);
    const document = documentScorer(shipped, model, mixed);
    const message = messageScorer(shipped, model, mixed);
    expect(document(row, adjusted).total - document(row, none).total).toBeCloseTo(1);
    expect(message(said, adjusted).total - message(said, none).total).toBeCloseTo(1);
  });

  test.each(['minilm', 'static', 'none'])(
    'with %s, more evidence lowers no item against another of its kind',
    (name) => {
      const { mixed } = modelRanker(shipped, name);
      const tables = { document: DOCUMENT_FEATURES, message: MESSAGE_FEATURES };
      for (const { of } of MIXED_FEATURES) {
        if (of === undefined || of.common) continue;
        const sign = signOf(tables[of.kind][of.place]!.name);
        expect(mixed[of.kind][of.place]! * sign).toBeGreaterThanOrEqual(0);
      }
      expect(mixed.own).toBeGreaterThan(0);
      expect(mixed.outdone).toBeLessThanOrEqual(0);
      expect(mixed.outdoneNamed).toBeLessThanOrEqual(0);
    },
  );
});

const PATIENTS = `name,species,breed,owner,last visit
Otto,dog,Beagle,Frances Crane,2026-08-14
Ginger,cat,European shorthair,Paul Adler,2026-09-02
Milo,cat,Maine Coon,Ruth Okafor,2026-07-21
Bella,dog,Labrador,Simon Petrie,2026-09-11
`;
const TALK = [
  ['Helen', '2026-08-14T10:00:00Z', 'Otto came in limping on his left hind leg, it is a torn cruciate ligament.'],
  ['Joe', '2026-08-14T10:05:00Z', 'Thanks, I will call Mrs Crane about the operation.'],
  ['Joe', '2026-08-15T09:00:00Z', 'The centrifuge is broken again.'],
  ['Helen', '2026-08-15T09:10:00Z', 'Then use the old one in the cellar.'],
] as const;

const MODELS: ModelName[] = ['minilm', 'static'];

test.each<ModelName>(['minilm', 'static', 'none'])(
  'a turn that asks the same takes no document down, with %s',
  async (name) => {
    const world = await openWorld(name);
    const text = '# Copper kettle\n\nThe copper kettle costs 89 euros.\n\n# Delivery\n\nParcels leave on Tuesdays.';
    await world.ingest.text({ text, domain: 'shop', format: 'markdown', name: 'prices.md' });
    const told = ['What does the copper kettle cost? A customer asks for the price.', 'I will look it up after lunch.'];
    for (const said of told) await world.ingest.message({ domain: 'shop', session_id: 's', role: 'user', text: said });
    const { items } = await world.retrieval.query({ context: 'What is the price of the copper kettle?', top_k: 2 });
    expect(items.map(({ content }) => content).join('\n')).toContain('89 euros');
    await world.close();
  },
);

test.each(MODELS)('a message that answers stands before the row that is only named, with %s', async (name) => {
  const world = await openWorld(name);
  const folder = mkdtempSync(join(tmpdir(), 'svc-mixed-'));
  const path = join(folder, 'patients.csv');
  writeFileSync(path, PATIENTS);
  await world.ingest.upload({ path, name: 'patients.csv' }, { domain: 'vet' });
  rmSync(folder, { recursive: true });
  for (const [speaker, timestamp, text] of TALK) {
    const session_id = timestamp.slice(0, 10);
    await world.ingest.message({ domain: 'vet', session_id, role: 'user', speaker, timestamp, text });
  }
  const first = async (context: string): Promise<string> => {
    const { items } = await world.retrieval.query({ context, domains: ['vet'], top_k: 3 });
    return items[0]!.content;
  };
  expect(await first('Why was Otto limping?')).toContain('cruciate');
  expect(await first('Who owns Otto?')).toContain('Frances Crane');
  await world.close();
});
