import type { GraphNode } from '../../src/core/model.js';
import { type ChainEnd, type ChainEnds, chainEnds } from '../../src/retrieval/score/chain-ends.js';
import { featureValues } from '../../src/retrieval/score/feature-values.js';
import { bestOfTurns, type Rivalry, rivalryOf } from '../../src/retrieval/score/mixed.js';
import { byCosine, byGraph, type RankedItem } from '../../src/retrieval/score/rank.js';
import { spelledAsFound } from '../../src/retrieval/seed/spellings.js';
import { ingestTalks } from './arrangements.js';
import { chatTime, type DevelopmentSet, hotpot, lihua, locator, musique } from './data.js';
import { ingestSet } from './ingest-set.js';
import { turnQuestions } from './lihua-turns.js';
import { madeEdges } from './made-edges.js';
import { madeLives } from './made-lives.js';
import { ingestMixed, mixedQuestions, mixedWorlds } from './mixed.js';
import { evidenceIn, ingestOwnText, type OwnQuestion, ownQuestions } from './own-text.js';
import { ingestSmallPart, smallParts, smallQuestions } from './small-parts.js';
import { ingestAsDatabase, ingestAsFiles, rowsIn, tablesQuestions, tableWorlds } from './tables.js';
import { twoPeople } from './two-people.js';
import type { World } from './world.js';

/** One candidate of a question. */
export interface Candidate {
  readonly message: boolean;
  /** Values of the features of its kind. */
  readonly x: readonly number[];
  /** Positions of the pieces of evidence that it holds; null where the data cannot tell. */
  readonly gold: readonly number[] | null;
  /** The chains that end there, from other candidates; absent without any. */
  readonly ends?: ChainEnds;
  /** What a document loses to the turns beside it; absent without any. */
  readonly rivalry?: Rivalry;
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
  readonly domains: readonly string[];
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
      questions.push({ ...NO_ANSWER, set: name, kind: 'unrelated', question, domains: [name] });
    }
  }
  if (wanted('own')) {
    if (!world.filled) await ingestOwnText(world.ingest, 'own');
    questions.push(...ownQuestions().map((one) => writtenQuestion('own', one)));
  }
  if (wanted('lihua')) questions.push(...(await chatQuestions(world)));
  if (wanted('two')) questions.push(...(await dialogueQuestions(world)));
  if (wanted('pure')) {
    if (!world.filled) await ingestOwnText(world.ingest, 'pure', { without: 'chat' });
    const written = ownQuestions().filter(({ kind, evidence }) => kind !== 'chat' || evidence.length === 0);
    questions.push(...written.map((one) => writtenQuestion('pure', one)));
  }
  if (wanted('apart')) {
    const questionsOfAll = ownQuestions();
    for (const kind of world.filled ? [] : new Set(questionsOfAll.map((one) => one.kind)))
      await ingestOwnText(world.ingest, `apart-${kind}`, { only: kind });
    questions.push(...questionsOfAll.map((one) => writtenQuestion('apart', one, `apart-${one.kind}`)));
  }
  if (wanted('small')) {
    const parts = smallParts();
    for (const part of world.filled ? [] : parts) await ingestSmallPart(world.ingest, part);
    questions.push(...smallQuestions(parts).map((one) => writtenQuestion('small', one, one.domain)));
  }
  if (wanted('few')) questions.push(...(await fewQuestions(world)));
  if (wanted('lives')) {
    const set = madeLives(7);
    if (!world.filled) await ingestSet(world, set, 'lives');
    // What takes two passages is found already: it shows nothing.
    questions.push(...linkedQuestions('lives', set).filter(({ pieces }) => pieces > 2));
    for (const { question } of hotpot().questions)
      questions.push({ ...NO_ANSWER, set: 'lives', kind: 'unrelated', question, domains: ['lives'] });
  }
  if (wanted('mixed')) questions.push(...(await mixedSet(world)));
  if (wanted('codes')) questions.push(...(await codesQuestions(world)));
  if (wanted('files')) questions.push(...(await tableQuestions(world, 'files')));
  if (wanted('database')) questions.push(...(await tableQuestions(world, 'database')));
  if (wanted('edges')) questions.push(...(await edgeQuestions(world)));
  if (wanted('together')) questions.push(...(await togetherQuestions(world)));
  return questions;
}

/** Another graph than those that tests and `typed-edges.ts` ask about, and one of how many of its questions: all are of ten forms. */
const EDGES_SEED = 3;
const EDGES_EACH = 3;
const NO_ANSWER = { pieces: 0, untouched: false, goldOf: () => [] };

function linkedQuestions(name: string, set: DevelopmentSet): LabelledQuestion[] {
  const place = locator(set.passages);
  return set.questions.map(({ question, gold, kind }) => ({
    ...{ set: name, kind, question, domains: [name], pieces: gold.length, untouched: false },
    goldOf: (node) => {
      if (node.kind !== 'passage') return [];
      const at = gold.indexOf(place(node.name, node.description));
      return at === -1 ? [] : [at];
    },
  }));
}

/**
 * Each question with the passages that were gathered for it, which stand together in its file, in a domain of their own; every other one without those that
 * answer it: what is left speaks of the same and tells something else.
 */
async function fewQuestions(world: World): Promise<LabelledQuestion[]> {
  const found: LabelledQuestion[] = [];
  for (const set of [musique(), hotpot()]) {
    const { passages, questions } = set;
    const linked = linkedQuestions('few', set);
    for (const [i, { gold }] of questions.entries()) {
      const isHeld = i % 2 === 0;
      const domain = `few-${set.name}-${i}`;
      const own = passages.filter((_, at) => {
        const isGathered = Math.floor((at * questions.length) / passages.length) === i;
        return gold.includes(at) ? isHeld : isGathered;
      });
      if (!world.filled) await ingestSet(world, { ...set, passages: own }, domain);
      const asked = { ...linked[i]!, domains: [domain] };
      found.push(isHeld ? asked : { ...asked, ...NO_ANSWER, kind: 'without its passages' });
    }
  }
  return found;
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
    ...{
      set: 'lihua',
      kind: 'turns',
      question,
      domains: ['lihua'],
      pieces: turns.length === 0 ? 0 : 1,
      untouched: false,
    },
    goldOf: (node) => {
      const message = node.passage?.message;
      if (message === undefined) return [];
      if (turns.includes(`${message.session_id} ${message.turn}`)) return [0];
      // Other turns of the conversation may carry the evidence too.
      return conversations.includes(message.session_id) ? null : [];
    },
  }));
}

async function dialogueQuestions(world: World, domain = 'two'): Promise<LabelledQuestion[]> {
  const { talks, questions } = twoPeople();
  if (!world.filled) await ingestTalks(world.ingest, { domain, talks, questions, oneSession: false });
  return questions.map(({ kind, question, turns }) => ({
    ...{ set: domain, kind, question, domains: [domain], pieces: turns.length, untouched: false },
    goldOf: (node) => {
      const at = turns.indexOf(node.passage?.message?.message_id ?? '');
      return at === -1 ? [] : [at];
    },
  }));
}

async function mixedSet(world: World): Promise<LabelledQuestion[]> {
  if (!world.filled) for (const one of mixedWorlds()) await ingestMixed(world.ingest, one, `mixed-${one}`);
  return mixedQuestions().map((one) => writtenQuestion('mixed', one, `mixed-${one.world}`));
}

async function codesQuestions(world: World): Promise<LabelledQuestion[]> {
  const folder = 'bench/retrieval/codes';
  if (!world.filled)
    for (const one of mixedWorlds(folder)) await ingestMixed(world.ingest, one, `codes-${one}`, folder);
  return mixedQuestions(folder).map((one) => writtenQuestion('codes', one, `codes-${one.world}`));
}

/** Concepts with typed edges, asked for what an edge leads to; the concept that a question names is neither right nor wrong. */
async function edgeQuestions(world: World): Promise<LabelledQuestion[]> {
  const domain = 'edges';
  const { concepts, edges, questions } = madeEdges(EDGES_SEED);
  if (!world.filled) await world.ingest.structured({ domain, concepts, edges, rules: [] });
  const asked = questions.filter((_, i) => i % EDGES_EACH === 0);
  return asked.map(({ question, named, wanted, otherWords }) => ({
    ...{ set: domain, kind: otherWords ? 'other words' : 'same words', question, domains: [domain] },
    ...{ pieces: wanted.length, untouched: false },
    goldOf: ({ name }) => (name === named ? null : wanted.flatMap((one, i) => (one === name ? [i] : []))),
  }));
}

/** Tables that refer to each other, as files by the names of rows and as a database by foreign keys. */
async function tableQuestions(world: World, set: 'files' | 'database'): Promise<LabelledQuestion[]> {
  if (!world.filled) {
    const ingest = set === 'files' ? ingestAsFiles : ingestAsDatabase;
    for (const one of tableWorlds()) await ingest(world, one, `${set}-${one}`);
  }
  return tablesQuestions().map(({ world: one, rows, ...question }) => ({
    ...question,
    ...{ set, domains: [`${set}-${one}`], pieces: rows.length },
    goldOf: (node) => rowsIn(rows, node),
  }));
}

/** MuSiQue-train and the dialogue of two in one domain, with the questions of both. */
async function togetherQuestions(world: World): Promise<LabelledQuestion[]> {
  const set = musique();
  if (!world.filled) await ingestSet(world, set, 'together');
  const talk = await dialogueQuestions(world, 'together');
  return [...linkedQuestions('together', set), ...talk];
}

function writtenQuestion(
  set: string,
  { kind, question, evidence, untouched }: OwnQuestion,
  domain = set,
): LabelledQuestion {
  return {
    ...{ set, kind, question, untouched, domains: [domain], pieces: evidence.length },
    goldOf: (node) => evidenceIn(evidence, `${node.name}\n${node.description}`),
  };
}

/** Runs the pipeline for one question and writes its candidates as numbers. */
export async function sampleOf(world: World, { domains, goldOf, ...labelled }: LabelledQuestion): Promise<Sample> {
  const scope = { domains, topK: 20, factors: new Map<string, number>() };
  const started = performance.now();
  const asked = await spelledAsFound(world.parts, labelled.question, domains);
  const { items, vector } = await byGraph(world.parts, asked, scope);
  const turns = items.flatMap(({ message }) => message ?? []);
  const bestTurn = bestOfTurns(turns, vector !== null);
  const milliseconds = performance.now() - started;
  const near = world.parts.embedding === null ? [] : (await byCosine(world.parts, labelled.question, scope)).items;
  const ends = endsOf(items);
  return {
    ...labelled,
    milliseconds,
    candidates: items.map((item) => ({
      message: item.message !== null,
      x: featureValues(item)?.values ?? [],
      gold: goldOf(item.node),
      ...ends.get(item),
      ...(item.features === null || turns.length === 0 ? {} : { rivalry: rivalryOf(item.features, bestTurn) }),
    })),
    near: near.map(({ node, cosine }) => ({ cosine, gold: (goldOf(node) ?? []).length > 0 })),
  };
}

/** Returns the chains that end at the documents among some items, by their places among all of them. */
function endsOf(items: readonly RankedItem[]): Map<RankedItem, Pick<Candidate, 'ends'>> {
  const documents = items.flatMap((item, place) =>
    item.features === null ? [] : [{ item, place, features: item.features }],
  );
  const at = ({ from, gap }: ChainEnd): ChainEnd => ({ from: documents[from]!.place, gap });
  return new Map(
    chainEnds(documents.map(({ features }) => features)).flatMap(({ first, second }, i) => {
      const ends = {
        ...(first === undefined ? {} : { first: at(first) }),
        ...(second === undefined ? {} : { second: at(second) }),
      };
      return first === undefined && second === undefined ? [] : [[documents[i]!.item, { ends }] as const];
    }),
  );
}
