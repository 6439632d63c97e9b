import { passageIdIn } from '../../core/ids.js';
import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { wordsOf } from '../../core/text/words.js';
import type { RetrievalParts } from '../collaborators.js';
import { type DateRange, dateIn } from '../dates/dates.js';
import type { ItemTexts } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import { ofAnotherThing } from './another-thing.js';
import { asksNowOfDocuments, saysDocumentChange } from './change-words.js';
import { documentDate, openingName, seriesOf } from './document-date.js';
import { isOfAnother, pairsOf, Sentences, sentenceTexts } from './sentences.js';
import { BEST, type Change, changesOf, type Versions, WITHIN, type Worth } from './versions.js';

/** Items that may be newer versions of the best ones, best first. */
const LOOKED = 30;
/** Words of a question that asks for one thing, at most. */
const MOST_WORDS = 60;
/** Likeness of two sentences from which on they may speak of the same, and from which on they do: sum of two shares, 0..2. */
const LIKE = 0.6;
const ALIKE = 0.8;
/** Share of what the earlier sentence matches of the question that the later one matches, at least. */
const MATCHES = 0.65;
/** Log odds that a passage may be lifted by, at most. */
const FURTHEST = 5;

interface Timed extends Worth {
  /** Undefined where the document does not say it: earlier than all others. */
  readonly date: DateRange | undefined;
}

/**
 * Finds passages of dated documents that say what holds since an earlier one: "the party is moved to 18 July" in the minutes of May answers a
 * question for the day as well as "takes place on 11 July" in those of March does, and later. The later passage takes the earlier one's place where the
 * question asks how things are now and speaks of no date itself, and a sentence of it says that something changes, matches the question nearly as well
 * as the earlier passage does, and neither proposes nor rejects. Of two yearly editions of one document the newer one needs no word of change. Returns gains by id.
 */
export async function documentChanges(
  { graph, sentences: read }: Pick<RetrievalParts, 'graph' | 'sentences'>,
  items: ReadonlyArray<Pick<Worth, 'node'>>,
  {
    question,
    texts,
    worth,
  }: {
    readonly question: Question;
    readonly texts: ItemTexts;
    /** Returns what an item is worth by itself, in log odds, by its place in `items`. */
    readonly worth: (place: number) => number;
  },
): Promise<Map<string, Change>> {
  const { text, language, words } = question;
  if (words.length > MOST_WORDS) return new Map();
  if (!asksNowOfDocuments(text, language) || dateIn(text, undefined, language) !== undefined) return new Map();
  const looked = items
    .flatMap(({ node }, place) => (node.passage === undefined ? [] : [{ node, order: worth(place) }]))
    .sort((a, b) => b.order - a.order || (a.node.id < b.node.id ? -1 : 1))
    .slice(0, LOOKED);
  if (new Set(looked.map(({ node }) => node.passage!.source_id)).size < 2) return new Map();
  const timed = await withDates(graph, looked, language);
  if (timed.every(({ date }) => date === undefined)) return new Map();
  const best = new Set(timed.slice(0, BEST).filter(({ order }) => order >= timed[0]!.order - WITHIN));
  // Mostly nothing is later and says so: then no words are compared.
  if (!timed.some((later) => [...best].some((earlier) => mayFollow(earlier, later)))) return new Map();
  const nodes = timed.map(({ node }) => node);
  const isOther = await ofAnotherThing(question, nodes, texts);
  const same = timed.filter(({ node }) => !isOther(node)).sort(byTime);
  const replaceable = new Map<Timed, Versions>();
  for (const one of same) if (best.has(one)) replaceable.set(one, { best: one.order, changes: 0, among: true });
  const blobs = question.vector === null ? new Map() : await read(nodes.map(({ id }) => id));
  const sentences = new Sentences(nodes, { question, texts, blobs });
  const asked = pairsOf(wordsOf(text, language));
  /** Returns how surely a passage says what holds since another one, 0..1. */
  const follows = (earlier: Timed, later: Timed): number => {
    const before = sentences.best(earlier.node);
    if (before === undefined) return 0;
    const isNewer = isEdition(earlier, later);
    return sentences.ofNode(later.node).reduce((most, one) => {
      if (!one.answers || one.match < MATCHES * before.match || !one.isOpen) return most;
      if (isOfAnother(asked, before, one)) return most;
      if (!isNewer && !one.isNews) return most;
      return Math.max(most, Math.min(1, (sentences.likeness(before, one) - LIKE) / (ALIKE - LIKE)));
    }, 0);
  };
  const dated = same.filter(({ date }) => date !== undefined);
  return changesOf(dated, replaceable, (earlier, later) => (isLater(earlier, later) ? follows(earlier, later) : 0));
}

/** Returns whether a passage is later than another and worth enough to take its place. */
function isLater(earlier: Timed, later: Timed): boolean {
  return later.order >= earlier.order - FURTHEST && isNews(earlier, later);
}

/** Returns whether a passage is later than another and of a newer edition, or says of anything that it changes. */
function mayFollow(earlier: Timed, later: Timed): boolean {
  if (!isLater(earlier, later)) return false;
  return isEdition(earlier, later) || sentenceTexts(later.node).some((text) => saysDocumentChange(text));
}

/** Reads when the documents of items are of. */
async function withDates(graph: RetrievalParts['graph'], items: readonly Worth[], language: string): Promise<Timed[]> {
  const openings = items.map(({ node }) => passageIdIn(node.domain, node.passage!.source_id, openingName(node)));
  const texts = new Map(items.map(({ node }) => [node.id, node.description]));
  // One of each source: it tells the label of all.
  const ofSources = new Map(items.map(({ node }) => [node.passage!.source_id, node.id]));
  const [sources, found] = await Promise.all([
    graph.nodeSources([...ofSources.values()]),
    graph.getNodes([...new Set(openings)].filter((id) => !texts.has(id))),
  ]);
  for (const { id, description } of found) texts.set(id, description);
  return items.map(({ node, order }, i) => {
    const label = sources.get(ofSources.get(node.passage!.source_id)!)?.label ?? '';
    const opening = texts.get(openings[i]!) ?? '';
    return { node, order, date: documentDate({ name: node.name, label, opening }, language) };
  });
}

/** Returns whether an item is of a later document than another. */
function isNews(earlier: Timed, later: Timed): boolean {
  if (earlier.node.domain !== later.node.domain || later.date === undefined) return false;
  return earlier.date === undefined || earlier.date.to < later.date.from;
}

/** Returns whether two passages stand at the same place of two yearly editions of one document. */
function isEdition(earlier: Timed, later: Timed): boolean {
  if (earlier.date?.precision !== 'year' || later.date?.precision !== 'year') return false;
  return seriesOf(earlier.node.name) === seriesOf(later.node.name) && partOf(earlier.node) === partOf(later.node);
}

function partOf({ name }: GraphNode): string {
  return name.split(PATH_SEPARATOR).slice(1).join(PATH_SEPARATOR).toLowerCase();
}

function byTime(a: Timed, b: Timed): number {
  const [first, second] = [a.date?.from, b.date?.from];
  if (first !== second) return (first ?? Number.NEGATIVE_INFINITY) < (second ?? Number.NEGATIVE_INFINITY) ? -1 : 1;
  return a.node.id < b.node.id ? -1 : 1;
}
