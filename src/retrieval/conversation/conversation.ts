import { sentenceScores } from '../../backends/embedding/int8.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { coverage, type ItemTexts } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import { asksTime, dateIn, dateMatch, dayOf, temporalExpressions } from './dates.js';
import type { MessageItem } from './message-features.js';
import { addressed, participantsIn } from './participants.js';
import { bm25, countTerms } from './window-text.js';
import { meanCosine, neighbourIds, Turns } from './windows.js';

/** Turns searched for by vector, and by text. */
const WIDTH = 100;
/** Turns that are scored in full with their neighbours. */
const SCORED = 60;
/** Weight of BM25, as a share of the best turn's, beside the cosine where turns are chosen. */
const TEXT = 0.5;
/** BM25's k1 + 1. */
const SATURATION = 2.2;
/** What a turn with all words of the question is worth on the scale of a cosine, without a model. */
const LEXICAL = 0.7;

/** The question as it is put to the participants of a conversation. */
interface AddressedQuestion {
  readonly text: string;
  readonly vector: Float32Array | null;
  /** Speakers that the question names. */
  readonly named: ReadonlySet<string>;
  /** Content stems outside names → idf. */
  readonly terms: ReadonlyMap<string, number>;
  /** The words of these terms, for a search. */
  readonly words: string;
}

/**
 * Gathers the turns that may answer a question, with what each is scored by: a turn alone says little, so its neighbours,
 * its session, its speaker and its day count too. `messages`: turns that the first search found; none gives none.
 */
export async function conversationItems(
  parts: RetrievalParts,
  messages: readonly GraphNode[],
  scope: { readonly question: Question; readonly domains: readonly string[] | undefined; readonly texts: ItemTexts },
): Promise<MessageItem[]> {
  if (messages.length === 0) return [];
  const question = await address(parts, scope.question, messages);
  const found = await search(parts, question, scope.domains);
  const known = new Map(messages.map((node) => [node.id, node]));
  await addNodes(parts, known, [...found.keys()]);
  const best = [...known.values()]
    .map((node) => ({ node, worth: found.get(node.id) ?? 0 }))
    .sort((a, b) => b.worth - a.worth || (a.node.id < b.node.id ? -1 : 1))
    .slice(0, SCORED)
    .map(({ node }) => node);
  await addNodes(
    parts,
    known,
    best.flatMap((node) => neighbourIds(node, -3, 3)),
  );
  const turns = new Turns();
  turns.add(known.values());
  const chosen = new Map(best.map((node) => [node.id, node]));
  for (const node of best) for (const other of turns.around(node, -1, 1)) chosen.set(other.id, other);
  return score(
    parts,
    { question, original: scope.question, texts: scope.texts },
    { turns, known, chosen: [...chosen.values()] },
  );
}

/** Takes names of speakers out of the question: an embedded turn holds none. */
async function address(
  parts: RetrievalParts,
  question: Question,
  messages: readonly GraphNode[],
): Promise<AddressedQuestion> {
  const speakers = [...new Set(messages.flatMap((node) => node.passage?.message?.speaker ?? []))];
  const spans = participantsIn(question.text, speakers);
  const inName = (word: { readonly start: number }): boolean =>
    spans.some((span) => word.start >= span.start && word.start < span.end);
  const words = question.words.filter((word) => word.content && !inName(word));
  const text = addressed(question.text, spans);
  const [vector] = parts.embedding === null || spans.length === 0 ? [] : await parts.embedding.embed([text]);
  return {
    text,
    vector: vector ?? question.vector,
    named: new Set(spans.map((span) => span.speaker)),
    terms: new Map(words.map((word) => [word.stem, word.idf])),
    words: words.map((word) => word.norm).join(' '),
  };
}

/** Returns items by what they alone have to do with the question: cosine and share of the best BM25. */
async function search(
  parts: RetrievalParts,
  { vector, words }: AddressedQuestion,
  domains: readonly string[] | undefined,
): Promise<Map<string, number>> {
  const within = domains === undefined ? {} : { domains };
  const [text, near] = await Promise.all([
    words === '' ? null : parts.text.search(words, { topK: WIDTH, ...within }),
    vector === null
      ? []
      : parts.vectors.query(parts.indexName, {
          vector,
          topK: WIDTH,
          bare: true,
          ...(domains === undefined ? {} : { partitions: domains }),
        }),
  ]);
  const worth = new Map(near.map((hit) => [hit.id, hit.score]));
  const floor = near.at(-1)?.score ?? 0;
  const most = text?.hits[0]?.score ?? 1;
  for (const hit of text?.hits ?? []) worth.set(hit.id, (worth.get(hit.id) ?? floor) + (TEXT * hit.score) / most);
  return worth;
}

/** Reads the turns among some ids that are not known yet. */
async function addNodes(parts: RetrievalParts, known: Map<string, GraphNode>, ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  for (const node of await parts.graph.getNodes(missing)) {
    if (node.passage?.message !== undefined) known.set(node.id, node);
  }
}

async function score(
  parts: RetrievalParts,
  {
    question,
    original,
    texts,
  }: { readonly question: AddressedQuestion; readonly original: Question; readonly texts: ItemTexts },
  {
    turns,
    known,
    chosen,
  }: { readonly turns: Turns; readonly known: ReadonlyMap<string, GraphNode>; readonly chosen: readonly GraphNode[] },
): Promise<MessageItem[]> {
  const { vector, terms } = question;
  const wanted = new Set(chosen.flatMap((node) => turns.around(node, -2, 1).map((turn) => turn.id)));
  const [vectors, blobs] = await Promise.all([
    vector === null ? new Map<string, Float32Array>() : parts.vectors.fetch(parts.indexName, [...wanted]),
    vector === null ? new Map<string, Uint8Array>() : parts.sentences(chosen.map((node) => node.id)),
  ]);
  const attainable = SATURATION * [...terms.values()].reduce((sum, idf) => sum + idf, 0);
  const windows = chosen.map((node) => countTerms(turns.around(node, -2, 1), terms, texts));
  const averageWindow = windows.reduce((sum, one) => sum + one.length, 0) / Math.max(1, windows.length);
  const windowScores = windows.map((one) => bm25(one, terms, averageWindow));
  const bestWindow = Math.max(1e-9, ...windowScores);
  const sessions = sessionScores([...known.values()], terms, texts);
  const today = [...known.values()].reduce<number | undefined>((latest, node) => {
    const day = dayOf(node.passage?.message?.timestamp);
    return day === undefined ? latest : Math.max(latest ?? day, day);
  }, undefined);
  const range = dateIn(original.text, today);
  const wantsTime = asksTime(original.text);
  return chosen.map((node, i) => {
    const message = node.passage!.message!;
    const words = texts.of(node);
    const length = words.sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    const lexical = (nodes: readonly GraphNode[]): number =>
      LEXICAL * coverage(terms, new Set(nodes.flatMap((turn) => [...texts.of(turn).all])));
    const similarity = (first: number, last: number): number => {
      const around = turns.around(node, first, last);
      if (vector === null) return lexical(around);
      return meanCosine(
        vector,
        around.flatMap((turn) => vectors.get(turn.id) ?? []),
      );
    };
    const cosine = vector === null ? 0 : similarity(0, 0);
    const blob = blobs.get(node.id);
    const sentences = blob === undefined || vector === null ? [] : sentenceScores(blob, vector.length, vector);
    const own = countTerms([node], terms, texts);
    return {
      node,
      cosine,
      sentence: vector === null ? lexical([node]) : sentences.length === 0 ? cosine : Math.max(...sentences),
      around: similarity(-1, 1),
      before: similarity(-2, 0),
      window: windowScores[i]! / bestWindow,
      windowShare: attainable > 0 ? Math.min(1, windowScores[i]! / attainable) : 0,
      session: sessions.get(sessionKey(node)) ?? 0,
      speaker: question.named.size === 1 && question.named.has(message.speaker ?? '') ? 1 : 0,
      date: dateMatch(range, dayOf(message.timestamp)),
      time: wantsTime ? Math.min(1, 0.7 * temporalExpressions(node.description)) : 0,
      length: Math.min(1, Math.log1p(length) / 4),
      questions: shareOfQuestions(node),
      text: attainable > 0 ? Math.min(1, bm25(own, terms, averageWindow / 4) / attainable) : 0,
    };
  });
}

/** Returns the BM25 of each session by the known turns, which hold the question's words; the best session's is 1. */
function sessionScores(
  nodes: readonly GraphNode[],
  terms: ReadonlyMap<string, number>,
  texts: ItemTexts,
): Map<string, number> {
  const bySession = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const key = sessionKey(node);
    const turns = bySession.get(key);
    if (turns === undefined) bySession.set(key, [node]);
    else turns.push(node);
  }
  const counts = [...bySession].map(([key, turns]) => [key, countTerms(turns, terms, texts)] as const);
  const average = counts.reduce((sum, [, one]) => sum + one.length, 0) / Math.max(1, counts.length);
  const scores = counts.map(([key, one]) => [key, bm25(one, terms, average)] as const);
  const best = Math.max(1e-9, ...scores.map(([, value]) => value));
  return new Map(scores.map(([key, value]) => [key, value / best]));
}

function sessionKey(node: GraphNode): string {
  return JSON.stringify([node.domain, node.passage?.message?.session_id ?? '']);
}

/** Returns the share of a turn's sentences that end with a question mark. */
function shareOfQuestions(node: GraphNode): number {
  const spans = node.passage?.sentences ?? [];
  if (spans.length === 0) return /[?？]\s*$/u.test(node.description) ? 1 : 0;
  const questions = spans.filter(([start, end]) => /[?？]["'”’)]*\s*$/u.test(node.description.slice(start, end)));
  return questions.length / spans.length;
}
