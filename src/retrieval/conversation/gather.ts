import type { Clock } from '../../core/clock.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import {
  type DateInQuestion,
  type DateRange,
  dateIn,
  dateMatch,
  dayOf,
  type MeantTime,
  todayOf,
} from '../dates/dates.js';
import type { Question } from '../seed/question.js';
import { type AddressedClause, type AddressedQuestion, address, onlyAbout, peopleNamed } from './address.js';
import { neighbourIds, Turns } from './windows.js';

/** Turns searched for by vector, and by text; more where the question holds a date, which no search knows of. */
const WIDTH = 200;
const WIDTH_DATED = 1000;
/** Turns that are scored in full with their neighbours. */
const SCORED = 150;
/** Weight of BM25, as a share of the best turn's, beside the cosine where turns are chosen. */
const TEXT = 0.5;
const ONLY_DATE = 4;
/** Days without a message after which a conversation counts as over. */
const STILL = 7;
/** Weight of a date that fits, and of the person who is named, beside the cosine there. */
const DATE = 0.7;
const SPEAKER = 0.2;
/** What a turn that the searches found is worth to those one and two turns after it and one before it. */
const SPREAD: ReadonlyArray<readonly [step: number, share: number]> = [
  [-1, 0.5],
  [1, 0.5],
  [2, 0.25],
];
/** The same of one that asks: those further behind may answer it. */
const ASKED_SPREAD: typeof SPREAD = [...SPREAD, [3, 0.12], [4, 0.08], [5, 0.05]];
const ASKS = /[?？]/u;

/** Turns that may answer a question. */
export interface Gathered {
  readonly question: AddressedQuestion;
  /** Turns to score, with neighbours −2..+2 in `turns`. */
  readonly chosen: readonly GraphNode[];
  readonly turns: Turns;
  readonly known: ReadonlyMap<string, GraphNode>;
  /** The time that the question speaks of. */
  readonly range: DateRange | undefined;
  /** Set where its words alone tell no date. */
  readonly meant: MeantTime | undefined;
}

/**
 * Gathers the turns that may answer a question: those that match it by words or by meaning, and those beside them, since
 * a turn alone may say little ("Yes! Waffles."). `messages`: turns that the first search found.
 */
export async function gather(
  parts: RetrievalParts,
  messages: readonly GraphNode[],
  { question: asked, domains }: { readonly question: Question; readonly domains: readonly string[] | undefined },
): Promise<Gathered> {
  const known = new Map(messages.map((node) => [node.id, node]));
  let question = await address(parts, asked, messages);
  let worth = await search(parts, question, { domains, topK: WIDTH });
  await addNodes(parts, known, [...worth.keys()]);
  // Who is named may have spoken in none of the first turns.
  const more = peopleNamed(asked.text, known.values()).size > question.named.size;
  if (more) question = await address(parts, asked, known.values());
  const range = await dateOf(parts, question.text, { language: asked.language, known: known.values(), domains });
  if (range !== undefined) question = onlyAbout(question, { date: range.words, asked });
  if (more || range !== undefined) {
    worth = await search(parts, question, { domains, topK: range === undefined ? WIDTH : WIDTH_DATED });
    await addNodes(parts, known, [...worth.keys()]);
  }
  const emphasis = dateEmphasis(question);
  const spread = new Map(messages.map((node) => [node.id, 0]));
  for (const [id, match] of worth) {
    const node = known.get(id);
    if (node === undefined) continue;
    const { timestamp, speaker } = node.passage!.message!;
    const date = emphasis * dateMatch(range, dayOf(timestamp));
    const own = match + DATE * date + (question.named.has(speaker ?? '') ? SPEAKER : 0);
    spread.set(id, (spread.get(id) ?? 0) + own);
    for (const [step, share] of ASKS.test(node.description) ? ASKED_SPREAD : SPREAD) {
      for (const other of neighbourIds(node, step, step)) spread.set(other, (spread.get(other) ?? 0) + share * own);
    }
  }
  const best = [...spread]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, SCORED)
    .map(([id]) => id);
  await addNodes(parts, known, best);
  const chosen = best.flatMap((id) => known.get(id) ?? []);
  await addNodes(
    parts,
    known,
    chosen.flatMap((node) => neighbourIds(node, -2, 2)),
  );
  const turns = new Turns();
  turns.add(known.values());
  return { question, chosen, turns, known, range, meant: range?.meant };
}

interface SearchScope {
  readonly domains: readonly string[] | undefined;
  readonly topK: number;
}

/** Returns how much more a day that fits counts: a question such as "What happened yesterday?" is answered by the day. */
export function dateEmphasis({ terms }: Pick<AddressedQuestion, 'terms'>): number {
  return terms.size === 0 ? ONLY_DATE : 1;
}

/** Returns the time that a question speaks of. Only one with a date asks for the latest message of all. */
async function dateOf(
  parts: Pick<RetrievalParts, 'latestMessage' | 'clock'>,
  text: string,
  {
    language,
    known,
    domains,
  }: {
    readonly language: string;
    readonly known: Iterable<GraphNode>;
    readonly domains: readonly string[] | undefined;
  },
): Promise<(DateInQuestion & { readonly meant: MeantTime | undefined }) | undefined> {
  const found = latestDay(known);
  const first = dateIn(text, found, language);
  if (first === undefined) return undefined;
  const latest = dayOf(await parts.latestMessage?.(domains)) ?? found;
  const day = today(latest, parts.clock);
  const range = dateIn(text, day, language) ?? first;
  const { from, to, words } = range;
  const meant =
    range.isRelative === true && day !== undefined ? { from, to, words, day, isToday: day !== latest } : undefined;
  return { ...range, meant };
}

/** Returns the day that "yesterday" counts from: today while people still write, else the day of the latest message. */
function today(latest: number | undefined, clock: Clock | undefined): number | undefined {
  const now = todayOf(clock);
  if (now === undefined || latest === undefined) return latest;
  return now >= latest && now - latest <= STILL ? now : latest;
}

/** Returns the day number of the latest of some turns. */
function latestDay(nodes: Iterable<GraphNode>): number | undefined {
  let latest: number | undefined;
  for (const { passage } of nodes) {
    const day = dayOf(passage?.message?.timestamp);
    if (day !== undefined) latest = Math.max(latest ?? day, day);
  }
  return latest;
}

/** Returns what turns alone have to do with the question or a part of it, above the least that was found: 0..1.5. */
async function search(
  parts: RetrievalParts,
  question: AddressedQuestion,
  scope: SearchScope,
): Promise<Map<string, number>> {
  const worth = new Map<string, number>();
  for (const found of await Promise.all([question, ...question.clauses].map((one) => searchOne(parts, one, scope)))) {
    for (const [id, value] of found) worth.set(id, Math.max(value, worth.get(id) ?? 0));
  }
  return worth;
}

async function searchOne(
  parts: RetrievalParts,
  { vector, words }: AddressedClause,
  { domains, topK }: SearchScope,
): Promise<Map<string, number>> {
  const within = domains === undefined ? {} : { domains };
  const [text, near] = await Promise.all([
    words === '' ? null : parts.text.search(words, { topK, ...within }),
    vector === null
      ? []
      : parts.vectors.query(parts.indexName, {
          vector,
          topK,
          bare: true,
          ...(domains === undefined ? {} : { partitions: domains }),
        }),
  ]);
  const floor = near.at(-1)?.score ?? 0;
  const worth = new Map(near.map((hit) => [hit.id, hit.score - floor]));
  const most = text?.hits[0]?.score ?? 1;
  for (const hit of text?.hits ?? []) worth.set(hit.id, (worth.get(hit.id) ?? 0) + (TEXT * hit.score) / most);
  return worth;
}

/** Reads the turns among some ids that are not known yet. */
async function addNodes(parts: RetrievalParts, known: Map<string, GraphNode>, ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  if (missing.length === 0) return;
  for (const node of await parts.graph.getNodes(missing)) {
    if (node.passage?.message !== undefined) known.set(node.id, node);
  }
}
