import { languageOf } from '../../core/text/language.js';
import { wordsOf } from '../../core/text/words.js';
import { titledExcerpt, withoutHead } from './excerpt.js';
import { bold, cyan, decimal, dim, section, shortened, table } from './output.js';

/** A returned item, as every retrieval operation has it. */
export interface Item {
  readonly id: string;
  readonly content: string;
  readonly score: number;
  readonly domain: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly domain: string;
  readonly category: string;
  readonly confidence: number;
  readonly relevance: number;
  readonly derivation: string;
}

/** An item below this share of the best score is far below it. */
const FAR = 0.25;

/** An item below this share of the best score has hardly anything to do with the question. */
const UNRELATED = 0.1;

/** Returns the items that are not far below the best one; all where even the best is weak. */
export function relevantItems(items: readonly Item[]): Item[] {
  const best = items[0]?.score ?? 0;
  return items.filter(({ score }) => score >= best * UNRELATED);
}

/** A rule that holds no word of the question applies where it is at least this share of the best item: the item is found by what the rule says. */
const MOST_OF_ITEM = 0.5;

/**
 * Returns the rules that touch an item which is not far below the best one and hold a word of the question; where none does, the one that most of
 * the best item is. A passage of rules touches all that it states.
 */
export function applyingRules(rules: readonly Rule[], items: readonly Item[], question: string): Rule[] {
  const best = items[0]?.score ?? 0;
  const least = Math.max(items.at(-1)?.score ?? 0, best * FAR);
  const touching = rules.filter(({ relevance }) => relevance >= least);
  const language = languageOf(question);
  const asked = contentStems(question, language);
  const holding = touching.filter(({ text }) => [...contentStems(text, language)].some((stem) => asked.has(stem)));
  const length = items[0]?.content.length ?? 0;
  return holding.length > 0 ? holding : touching.slice(0, 1).filter(({ text }) => text.length >= length * MOST_OF_ITEM);
}

/** Returns the stems of the words that are function words of no language: a short question hardly tells which one it is of. */
function contentStems(text: string, language: string): Set<string> {
  return new Set(wordsOf(text, language).flatMap(({ stem, languages }) => (languages === undefined ? [stem] : [])));
}

/** Formats ranked items as a table. */
export function itemTable(items: readonly Item[]): string {
  return table(
    items.map((item, i) => ({ ...item, rank: i + 1 })),
    [
      { title: '#', of: (item) => item.rank, right: true },
      { title: 'Score', of: (item) => decimal(item.score), right: true },
      { title: 'Domain', of: (item) => item.domain },
      { title: 'Content', of: (item) => excerptOf(item, 240), wide: 2 },
      { title: 'Id', of: (item) => item.id },
    ],
  );
}

/** Formats ranked items to be read: what each says, why it is there, and its id; items far below the best are dimmed. */
export function itemList(items: readonly Item[]): string {
  const best = items[0]?.score ?? 0;
  return items
    .map((item, i) => {
      const lines = [
        `${bold(`${i + 1}.`)} ${excerptOf(item, 300)}`,
        `   ${dim(`score ${item.score.toFixed(2)} · ${sharesOf(item)} · ${item.domain}${originOf(item)}`)}`,
        ...reasonOf(item).map((reason) => `   ${dim(reason)}`),
        `   ${cyan(item.id)}`,
      ].join('\n');
      return item.score < best * FAR ? dim(lines) : lines;
    })
    .join('\n');
}

/** A text that goes on with a sentence that began before it; a row of a table opens with the name of a column. */
const GOES_ON = /^\p{Ll}+[ ,;](?![^.:;]{1,80}: )/u;

/** Returns what is shown of an item's content; dots stand for what was said before a passage begins. A message begins as it was written. */
function excerptOf(item: Item, limit: number): string {
  const { content, metadata } = item;
  const { name } = metadata ?? {};
  const title = typeof name === 'string' && content.startsWith(`${name}: `) ? name : '';
  const written = title === '' ? content : content.slice(title.length + 2);
  if (metadata?.kind !== 'passage' || metadata.message !== undefined)
    return titledExcerpt(title, written, termsOf(item), limit);
  const text = withoutHead(written, termsOf(item));
  const goesOn = !title.includes(' > ') && GOES_ON.test(text);
  return titledExcerpt(title, goesOn ? `…${text}` : text, termsOf(item), limit);
}

/** Returns what of an item's score comes from vectors, text and the graph, in percent. */
function sharesOf({ metadata = {} }: Item): string {
  const parts = [
    ['vector', metadata.vec_score],
    ['text', metadata.text_score],
    ['graph', metadata.ppr_score],
  ].map(([name, value]) => [String(name), typeof value === 'number' ? Math.max(0, value) : 0] as const);
  const sum = parts.reduce((total, [, value]) => total + value, 0);
  if (sum === 0) return metadata.message === undefined ? 'found by its links' : 'found by what stands around it';
  return parts
    .filter(([, value]) => value > 0)
    .map(([name, value]) => `${name} ${Math.round((100 * value) / sum)} %`)
    .join(', ');
}

/** Returns the words of the question that an item holds. */
function termsOf({ metadata = {} }: Item): readonly string[] {
  return (metadata.why as { terms?: readonly string[] } | undefined)?.terms ?? [];
}

/** Says why an item is there: the words of the question that it holds, the way through the graph that led to it. */
function reasonOf(item: Item): string[] {
  const { metadata = {} } = item;
  const terms = termsOf(item);
  const { path, when, lacks } = (metadata.why ?? {}) as {
    path?: { name: string; via: string; entity?: string };
    when?: string;
    lacks?: string;
  };
  const reasons = [
    ...(terms.length === 0 ? [] : [`holds ${terms.join(', ')}`]),
    ...(when === undefined ? [] : [`fits ${when.replace('/', ' to ')}`]),
    ...(lacks === undefined ? [] : [`tells no ${lacks}`]),
    ...(path === undefined ? [] : [wayFrom(shortened(path.name, 60), path)]),
  ];
  return reasons.length === 0 ? [] : [`why: ${reasons.join('; ')}`];
}

/** Says which days words such as "last week" are taken as, and from which day they count; undefined where the question holds none. */
export function meantTime(items: readonly Item[]): string | undefined {
  const meanings = items.flatMap(({ metadata = {} }) => {
    const { meant } = (metadata.why ?? {}) as { meant?: { words: string; days: string; from: string; by: string } };
    return meant === undefined ? [] : [meant];
  });
  const [meant] = meanings;
  if (meant === undefined) return undefined;
  const day = meant.by === 'today' ? 'today' : 'the day of the newest message';
  return `"${meant.words}" is ${meant.days.replace('/', ' to ')} here, counted from ${meant.from}, ${day}.`;
}

function wayFrom(name: string, { via, entity }: { readonly via: string; readonly entity?: string }): string {
  if (via === 'updates') return `says what changed since ${name}`;
  if (via === 'answers') return `answers what was asked by ${name}`;
  return `reached from ${name} (${entity === undefined ? via.toLowerCase().replaceAll('_', ' ') : `shares ${entity}`})`;
}

function originOf({ metadata = {} }: Item): string {
  return typeof metadata.source === 'string' && metadata.source !== '' ? ` · from ${metadata.source}` : '';
}

/** Formats rules as a table. */
export function ruleTable(rules: readonly Rule[]): string {
  return table(rules, [
    { title: 'Relevance', of: (rule) => decimal(rule.relevance), right: true },
    { title: 'Kind', of: (rule) => rule.derivation },
    { title: 'Category', of: (rule) => rule.category },
    { title: 'Rule', of: (rule) => shortened(rule.text), wide: 1 },
  ]);
}

/** Formats rules as a list: the text, and in which way it is known. */
export function ruleList(rules: readonly Rule[]): string {
  return rules
    .map(({ text, derivation, category }) => `- ${shortened(text)} ${dim(`(${derivation}, ${category})`)}`)
    .join('\n');
}

export function rulesSection(rules: readonly Rule[]): string {
  return rules.length === 0 ? '' : `\n\n${section('Rules that apply', ruleTable(rules))}`;
}
