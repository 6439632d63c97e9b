import type { GraphNode } from '../../src/core/model.js';
import { featureValues } from '../../src/retrieval/score/feature-values.js';
import { byCosine, byGraph } from '../../src/retrieval/score/rank.js';
import { ingestTalks } from './arrangements.js';
import { chatTime, type DevelopmentSet, hotpot, lihua, locator, musique } from './data.js';
import { ingestSet } from './ingest-set.js';
import { turnQuestions } from './lihua-turns.js';
import { evidenceIn, ingestOwnText, ownQuestions } from './own-text.js';
import { twoPeople } from './two-people.js';
import type { World } from './world.js';

/** One candidate of a question. */
export interface Candidate {
  readonly message: boolean;
  /** Values of the features of its kind. */
  readonly x: readonly number[];
  /** Positions of the pieces of evidence that it holds; null where the data cannot tell. */
  readonly gold: readonly number[] | null;
}

/** One question with everything that training and its checks need. */
export interface Sample {
  readonly set: string;
  readonly kind: string;
  readonly question: string;
  /** Pieces of evidence there are; 0 where no item answers. */
  readonly pieces: number;
  readonly untouched: boolean;
  readonly candidates: readonly Candidate[];
  /** Nearest items by cosine; empty without a model. */
  readonly near: ReadonlyArray<{ readonly cosine: number; readonly gold: boolean }>;
  readonly milliseconds: number;
}

interface LabelledQuestion extends Omit<Sample, 'candidates' | 'near' | 'milliseconds'> {
  readonly domain: string;
  readonly goldOf: (node: GraphNode) => readonly number[] | null;
}

/** Ingests the development sets into domains of one world and returns their questions. */
export async function loadSets(world: World, only?: readonly string[]): Promise<LabelledQuestion[]> {
  const questions: LabelledQuestion[] = [];
  const wanted = (name: string): boolean => only === undefined || only.includes(name);
  const linked = [
    { name: 'musique', read: musique, unrelated: hotpot },
    { name: 'hotpot', read: hotpot, unrelated: musique },
  ];
  for (const { name, read, unrelated } of linked) {
    if (!wanted(name)) continue;
    const set = read();
    if (!world.filled) await ingestSet(world, set, name);
    questions.push(...linkedQuestions(name, set));
    for (const { question } of unrelated().questions) {
      questions.push({ ...NO_ANSWER, set: name, kind: 'unrelated', question, domain: name });
    }
  }
  if (wanted('own')) {
    if (!world.filled) await ingestOwnText(world.ingest, 'own');
    for (const { kind, question, evidence, untouched } of ownQuestions()) {
      questions.push({
        ...{ set: 'own', kind, question, untouched, domain: 'own', pieces: evidence.length },
        goldOf: (node) => evidenceIn(evidence, `${node.name}\n${node.description}`),
      });
    }
  }
  if (wanted('lihua')) questions.push(...(await chatQuestions(world)));
  if (wanted('two')) questions.push(...(await dialogueQuestions(world)));
  return questions;
}

const NO_ANSWER = { pieces: 0, untouched: false, goldOf: () => [] };

function linkedQuestions(name: string, set: DevelopmentSet): LabelledQuestion[] {
  const place = locator(set.passages);
  return set.questions.map(({ question, gold, kind }) => ({
    ...{ set: name, kind, question, domain: name, pieces: gold.length, untouched: false },
    goldOf: (node) => {
      if (node.kind !== 'passage') return [];
      const at = gold.indexOf(place(node.name, node.description));
      return at === -1 ? [] : [at];
    },
  }));
}

async function chatQuestions(world: World): Promise<LabelledQuestion[]> {
  const { chats, questions } = lihua();
  for (const { id, turns } of world.filled ? [] : chats) {
    for (const [i, { speaker, text }] of turns.entries()) {
      const message = { text, speaker, session_id: id, domain: 'lihua', role: 'user', message_id: String(i) };
      await world.ingest.message({ ...message, timestamp: chatTime(id) });
    }
  }
  return turnQuestions(chats, questions).map(({ question, conversations, turns }) => ({
    ...{ set: 'lihua', kind: 'turns', question, domain: 'lihua', pieces: turns.length === 0 ? 0 : 1, untouched: false },
    goldOf: (node) => {
      const message = node.passage?.message;
      if (message === undefined) return [];
      if (turns.includes(`${message.session_id} ${message.turn}`)) return [0];
      // Other turns of the conversation may carry the evidence too.
      return conversations.includes(message.session_id) ? null : [];
    },
  }));
}

async function dialogueQuestions(world: World): Promise<LabelledQuestion[]> {
  const { talks, questions } = twoPeople();
  if (!world.filled) await ingestTalks(world.ingest, { domain: 'two', talks, questions, oneSession: false });
  return questions.map(({ kind, question, turns }) => ({
    ...{ set: 'two', kind, question, domain: 'two', pieces: turns.length, untouched: false },
    goldOf: (node) => {
      const at = turns.indexOf(node.passage?.message?.message_id ?? '');
      return at === -1 ? [] : [at];
    },
  }));
}

/** Runs the pipeline for one question and writes its candidates as numbers. */
export async function sampleOf(world: World, { domain, goldOf, ...labelled }: LabelledQuestion): Promise<Sample> {
  const scope = { domains: [domain], topK: 20, factors: new Map<string, number>() };
  const started = performance.now();
  const { items } = await byGraph(world.parts, labelled.question, scope);
  const milliseconds = performance.now() - started;
  const near = world.parts.embedding === null ? [] : (await byCosine(world.parts, labelled.question, scope)).items;
  return {
    ...labelled,
    milliseconds,
    candidates: items.map((item) => ({
      message: item.message !== null,
      x: featureValues(item)?.values ?? [],
      gold: goldOf(item.node),
    })),
    near: near.map(({ node, cosine }) => ({ cosine, gold: (goldOf(node) ?? []).length > 0 })),
  };
}
