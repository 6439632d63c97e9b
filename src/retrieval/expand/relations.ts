import type { EmbeddingModel } from '../../backends/embedding/port.js';
import { isUnavailable } from '../../core/errors.js';
import type { GraphEdge } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import { dot } from '../dot.js';
import type { Question } from '../seed/question.js';
import type { QuestionWord } from '../seed/question-words.js';
import type { AskedNames } from './asked-names.js';
import { directionAsked, RELATIVES } from './direction.js';
import { likeness, NEARLY } from './words-near.js';

/**
 * Cosine from which on a word means a relation, chosen on 27 words and 16 relations. With both built-in models "need" and "requires"
 * reach 0.55 to 0.7, "owner" and "owned by" 0.7; unrelated pairs mostly stay under 0.5 ("include" and "requires" reach 0.52 with
 * `minilm`).
 */
const SAME_MEANING = 0.5;
/**
 * The same for a column, which is mostly a noun, and nouns of one field are near each other: "client" is at 0.60 from "customer", "wrote" at 0.64
 * from "author", but "employees" and "phone" reach 0.51 from "customer" and "car" 0.57 from "driver" (`minilm`).
 */
const SAME_COLUMN = 0.58;
/** Words of the question and relations that are compared by meaning; more would cost more than they tell. */
const MOST_WORDS = 6;
const MOST_RELATIONS = 12;
/** Shorter words occur inside others by chance. */
const SHORTEST_PART = 4;

/** A stop word in "its own", and a verb in "What does A own?". */
const OWN = 'own';
const POSSESSIVES = new Set(['my', 'our', 'your', 'his', 'her', 'its', 'their', 'whose']);

/** How surely each word of the question means one relation: position in the question → 0..1. */
export type AskedRelation = ReadonlyMap<number, number>;

/** Which edges of an item the question asks for. */
export interface AskedEdge {
  /** Share of what the question asks about the item that the relation's name says, 0..1. */
  readonly words: number;
  /** Stems of the question that the edge accounts for. */
  readonly stems: ReadonlySet<string>;
}

const NOT_ASKED: AskedEdge = { words: 0, stems: new Set() };

/** Returns the words of a relation's name, which may be written in snake or camel case: `PART_OF`, `dependsOn`; of a foreign key that is USES for want of better, its column's alone. */
export function wordsOfRelation(relation: string, language = 'english'): Word[] {
  return wordsOf(relation.startsWith(USES) ? meantBy(relation) : spacedName(relation), language);
}

/** Stands between a relation type and the column that makes it. */
const COLUMN = '\n';
/** What foreign keys make where nothing better is known: "Which bank does A use?" does not ask for it. */
const USES = `USES${COLUMN}`;
/** What the column of a foreign key ends with: "lead_id" is the lead. */
const KEY_COLUMN = /(?<=[^_\-. ])(?:[_\-. ]+(?:id|key|fk|ref)|(?<=\p{Ll})(?:Id|ID|Key|Fk|FK|Ref))$/u;
/** Characters of a column's name, and columns of a key, that are read; clients may write any. */
const LONGEST_COLUMN = 128;
const MOST_COLUMNS = 8;
const relationsOfEdges = new WeakMap<object, string>();

/** Returns what an edge says: its relation type, and where a foreign key makes it, its column too. */
export function relationOf(edge: Edge): string {
  let relation = relationsOfEdges.get(edge);
  if (relation === undefined) {
    const columns = columnsOf(edge).map((column) => column.replace(KEY_COLUMN, ''));
    relation = [edge.relation_type, ...(columns.length === 0 ? [] : [columns.join(' ')])].join(COLUMN);
    relationsOfEdges.set(edge, relation);
  }
  return relation;
}

/** Returns the columns that a source of rows or tables gave its edge, with commas between. */
export function columnOf(edge: Edge): string | undefined {
  const names = columnsOf(edge);
  return names.length === 0 ? undefined : names.join(', ');
}

function columnsOf({ properties }: Edge): string[] {
  const { provenance, column, columns = column } = properties ?? {};
  if (provenance !== 'row' && provenance !== 'schema') return [];
  const names = [columns].flat().slice(0, MOST_COLUMNS);
  return names.filter((name): name is string => typeof name === 'string' && name.length <= LONGEST_COLUMN);
}

/** Returns what tells a relation from others: the column, since many are PART_OF. */
function meantBy(relation: string): string {
  return spacedName(relation.split(COLUMN).at(-1)!);
}

function spacedName(relation: string): string {
  return relation
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|[_\-./:]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Returns which words of the question mean which relation: by their stems, and where a word is part of no relation's name by the
 * embedding model, then the nearest relation alone. Only where the question names an item that has typed edges a relation may be
 * asked for by its meaning; relations of such items are compared first.
 */
export async function askedRelations(
  { words }: Pick<Question, 'words'>,
  { edges, names }: { readonly edges: readonly Edge[]; readonly names: AskedNames },
  embedding: Pick<EmbeddingModel, 'embed'> | null,
): Promise<Map<string, AskedRelation>> {
  const found = new Map<string, Map<number, number>>();
  const ofNamed = typesAtNamed(edges, names);
  const others = new Set(edges.map(relationOf));
  for (const type of ofNamed) others.delete(type);
  const relations = [...[...ofNamed].sort(), ...[...others].sort()];
  const open = [...words.keys()].filter((at) => says(words, at) && !words[at]!.inName);
  const unknown = new Set(open);
  for (const type of relations) {
    const named = wordsOfRelation(type);
    const meant = new Map<number, number>();
    for (const at of open) {
      const likely = Math.max(
        0,
        ...named.map((word) => (word.stop && word.norm !== OWN ? 0 : saysWord(word, words[at]!))),
      );
      if (likely === 0) continue;
      meant.set(at, likely);
      unknown.delete(at);
    }
    found.set(type, meant);
  }
  if (embedding === null || ofNamed.size === 0 || unknown.size === 0) return found;
  const compared = relations.slice(0, MOST_RELATIONS);
  const places = [...unknown].slice(0, MOST_WORDS);
  const vectors = await vectorsOf(embedding, [...compared.map(meantBy), ...places.map((at) => words[at]!.norm)]);
  if (vectors === null) return found;
  places.forEach((at, i) => {
    const cosines = compared.map((_, j) => dot(vectors[j]!, vectors[compared.length + i]!));
    const best = Math.max(...cosines);
    const nearest = compared[cosines.indexOf(best)]!;
    if (best >= (nearest.includes(COLUMN) ? SAME_COLUMN : SAME_MEANING)) found.get(nearest)!.set(at, NEARLY);
  });
  return found;
}

/** Returns whether a word of the question may say a relation: no stop word does but the verb "own". */
function says(words: readonly QuestionWord[], at: number): boolean {
  const before = words[at - 1];
  const { content, norm } = words[at]!;
  return content || (norm === OWN && before !== undefined && !before.possessive && !POSSESSIVES.has(before.norm));
}

/** Returns the relations of edges at items that the question names. */
function typesAtNamed(edges: readonly Edge[], names: AskedNames): Set<string> {
  const named = itemsOf(names);
  return new Set(
    edges.flatMap((edge) => (named.has(edge.source_id) || named.has(edge.target_id) ? [relationOf(edge)] : [])),
  );
}

function itemsOf(names: AskedNames): Set<string> {
  return new Set([...names.values()].flatMap((items) => [...items]));
}

/** Returns null while the model does not answer: stems alone can answer too. */
async function vectorsOf(
  embedding: Pick<EmbeddingModel, 'embed'>,
  texts: readonly string[],
): Promise<Float32Array[] | null> {
  try {
    return await embedding.embed(texts);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

/** Returns how surely a word of a relation's name is a word of the question; a name in camel case may have lost its capitals. */
function saysWord(word: Word, { norm, stem }: QuestionWord): number {
  const isJoined = norm.length >= SHORTEST_PART && word.norm.length > norm.length + 1 && word.norm.includes(norm);
  return Math.max(likeness(stem, word), isJoined ? NEARLY : 0);
}

/** A typed edge without what an engine adds. */
type Edge = Pick<GraphEdge, 'source_id' | 'target_id' | 'relation_type'> & Partial<Pick<GraphEdge, 'properties'>>;

interface AskedContext {
  readonly question: Pick<Question, 'words' | 'language'>;
  readonly names: AskedNames;
  /** Relation type → words of the question that mean it. */
  readonly relations: ReadonlyMap<string, AskedRelation>;
}

/**
 * Returns a function that tells whether the question asks for an edge of an item, and how much of what it asks the edge says.
 * Where the question names items that have edges of a relation, it asks for theirs.
 */
export function askedEdges(edges: readonly Edge[], context: AskedContext): (item: string, edge: Edge) => AskedEdge {
  const { names, relations } = context;
  const named = itemsOf(names);
  const ofNamed = typesAtNamed(edges, names);
  const ends = new Set(edges.filter((edge) => !isTyped(edge)).flatMap(endsOf));
  // All words of the question are read once for all edges of a relation that leave an item, or arrive there.
  const known = new Map<string, AskedEdge>();
  return (item, edge) => {
    const type = relationOf(edge);
    const meant = relations.get(type);
    if (meant === undefined || meant.size === 0 || (ofNamed.has(type) && !named.has(item))) return NOT_ASKED;
    const leaves = item === edge.source_id;
    // The column of a foreign key may be a verb ("needs") or what the other end is ("lead"): it alone tells no direction.
    const isDirected = isTyped(edge) || ends.has(endOf(type, item, !leaves));
    const key = endOf(type, item, leaves);
    const asked = known.get(key) ?? askedEdge(context, { item, leaves, type, meant, isDirected });
    known.set(key, asked);
    return asked;
  };
}

/** Returns true for an edge that its relation type alone describes. */
function isTyped(edge: Edge): boolean {
  return relationOf(edge) === edge.relation_type;
}

function endsOf(edge: Edge): string[] {
  const type = relationOf(edge);
  return [endOf(type, edge.source_id, true), endOf(type, edge.target_id, false)];
}

function endOf(type: string, item: string, leaves: boolean): string {
  return `${leaves}\0${type}\0${item}`;
}

/**
 * The item's own name and the word for the kind of thing asked for ("which component …") are nothing that a relation could say.
 * An edge that runs against the form of the question is not asked for: "What does A require?" asks for edges that leave
 * A, "What requires A?" for those that arrive.
 */
function askedEdge(
  { question, names }: AskedContext,
  {
    item,
    leaves,
    type,
    meant,
    isDirected,
  }: {
    readonly item: string;
    readonly leaves: boolean;
    readonly type: string;
    readonly meant: AskedRelation;
    readonly isDirected: boolean;
  },
): AskedEdge {
  const { words } = question;
  const own = [...words.keys()].filter((at) => names.get(words[at]!.stem)?.has(item) === true);
  const kind = kindAsked(words, meant, own);
  const verb = [...meant].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  const direction =
    isDirected && question.language === 'english'
      ? directionAsked(words, { verb, own, named: wordsOf(meantBy(type)) })
      : undefined;
  if (direction !== undefined && direction !== leaves) return NOT_ASKED;
  const stems = new Set(kind === undefined ? [] : [words[kind]!.stem]);
  let total = 0;
  let found = 0;
  const seen = new Set<string>();
  for (const [at, { stem, idf, content, inName }] of words.entries()) {
    if (!says(words, at) || inName || at === kind || own.includes(at) || seen.has(stem)) continue;
    seen.add(stem);
    const weight = content ? idf : 1;
    total += weight;
    const likely = meant.get(at);
    if (likely === undefined) continue;
    found += likely * weight;
    stems.add(stem);
  }
  return total === 0 ? NOT_ASKED : { words: found / total, stems };
}

/**
 * Returns the place of the word that says what kind of thing is asked for: "component" in "which new component needs …" and in
 * "components that need …".
 */
function kindAsked(words: readonly QuestionWord[], meant: AskedRelation, own: readonly number[]): number | undefined {
  const isKind = (at: number): boolean =>
    words[at]?.content === true && !meant.has(at) && !words[at].inName && !own.includes(at);
  const first = words.findIndex(({ norm }) => norm === 'which' || norm === 'what');
  let kind: number | undefined;
  for (let at = first + 1; first !== -1 && isKind(at); at += 1) kind = at;
  const relative = words.findIndex(({ norm }, at) => RELATIVES.has(norm) && isKind(at - 1));
  return kind ?? (relative === -1 ? undefined : relative - 1);
}
