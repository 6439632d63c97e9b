import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import type { ItemWords } from '../expand/item-words.js';
import type { QuestionWord } from '../seed/question-words.js';
import { ARTICLES, type WordSpan } from './cuts.js';

/** Words of the first sentence after its verb that may say what the thing is. */
const PREDICATE = 14;
const VERBS = new Set(['is', 'was', 'are', 'were']);

/** Occupations and bodies that a question names by a wider word, as stems. */
const NARROWER: Readonly<Record<string, readonly string[]>> = {
  perform: ['singer', 'band', 'musician', 'rapper', 'group', 'duo', 'actor', 'artist'],
  artist: ['singer', 'band', 'musician', 'rapper', 'painter', 'sculptor', 'group', 'duo'],
  author: ['writer', 'novelist', 'poet', 'essayist', 'journalist', 'playwright'],
  writer: ['author', 'novelist', 'poet', 'essayist', 'journalist', 'playwright', 'screenwrit'],
  compani: ['corpor', 'firm', 'manufactur', 'publish', 'busi', 'brand'],
  school: ['univers', 'colleg', 'academi'],
};

const COUNTRIES = regionNames(countryCodes());
/** Regions by their English names (ISO 3166-1 and UN M49, as the runtime's locale data has them), by kind, lower case. */
const REGIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['countri', COUNTRIES],
  ['nation', COUNTRIES],
  ['contin', regionNames(['002', '142', '150', '009', '003', '005', 'AQ'])],
]);

/**
 * Returns the stem of what a cut calls the thing it stands for: "county" for "the county in which X lies", "city" for "X's
 * city of birth". Undefined where the cut is a bare name.
 */
export function kindOf(words: readonly QuestionWord[], cut: WordSpan, anchor: WordSpan): string | undefined {
  const opens = ARTICLES.has(words[cut.from]!.norm) && cut.from < anchor.from;
  let at = opens ? cut.from + 1 : anchor.to;
  const end = opens ? anchor.from : cut.to;
  let kind: string | undefined;
  for (; at < end && words[at]!.content && !words[at]!.inName; at += 1) kind = words[at]!.stem;
  return kind;
}

/**
 * Returns true where a thing is of the kind: its name says so ("Nash County"), its first sentence ("… is a county in …"),
 * or it is a country or continent of that name. `about`: words of an item about the thing, where there is one.
 */
export function isOfKind(
  kind: string,
  { name, stems, about }: { readonly name: string; readonly stems: readonly string[]; readonly about?: ItemWords },
): boolean {
  const wanted = new Set([kind, ...(NARROWER[kind] ?? [])]);
  if (stems.length > 1 && stems.some((stem) => wanted.has(stem))) return true;
  if (REGIONS.get(kind)?.has(name.toLowerCase()) === true) return true;
  const first = about?.sentences[0] ?? [];
  const verb = first.findIndex((word) => VERBS.has(word.norm));
  if (verb === -1) return false;
  return first.slice(verb + 1, verb + 1 + PREDICATE).some((word) => !isStopWord(word.norm) && wanted.has(word.stem));
}

/** How rows of databases are worded: "Editor for contracts. services with lead: Tom Fielding." */
const ROW = /(?:^|[.!?] )([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,5}) with [\p{L}\p{N}][^.:;]{0,80}:/u;
/** Characters of a description that are looked at for that. */
const READ = 10_000;
const NUMBER = /^\p{N}+$/u;

/** Tells whether an item is a row of a table that is called by one of these stems: "engineers > Aiko Tanaka", "engineers with city: Osaka". */
export function isRowOf(
  kinds: ReadonlySet<string>,
  row: Pick<GraphNode, 'name' | 'description'>,
  language = 'english',
): boolean {
  return kinds.size > 0 && tableOf(row, language).some(({ stem }) => kinds.has(stem));
}

/** Returns the words of what a row is said to be in. */
function tableOf({ name, description }: Pick<GraphNode, 'name' | 'description'>, language?: string): readonly Word[] {
  const path = name.split(PATH_SEPARATOR);
  return wordsOf(path.length > 1 ? path.at(-2)! : (ROW.exec(description.slice(0, READ))?.[1] ?? ''), language);
}

/** Tells whether a row is called by its table and a number alone: "deliveries 14" is no name that a question would have. */
export function isUnnamedRow(row: Pick<GraphNode, 'name' | 'description'>): boolean {
  const name = wordsOf(row.name.split(PATH_SEPARATOR).at(-1)!);
  if (!NUMBER.test(name.at(-1)?.norm ?? '')) return false;
  const table = new Set(tableOf(row).map(({ norm }) => norm));
  return name.slice(0, -1).every(({ norm }) => table.has(norm));
}

function regionNames(codes: readonly string[]): Set<string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return new Set(codes.flatMap((code) => names.of(code)?.toLowerCase() ?? []));
}

function countryCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}
