import { seededRandom } from '../../src/core/random.js';
import { asMarkdown, type DevelopmentSet, hotpot, lihua, musique } from './data.js';

/** What is done to a set before it is ingested: how much of the quality stands on titles, on clean data, on a domain apart. */
export const VARIANTS = ['original', 'untitled', 'wrong-titles', 'duplicates', 'unrelated', 'long', 'larger'] as const;

export type Variant = (typeof VARIANTS)[number];

/** Sections of a long document: about 50 pages. */
const SECTIONS = 120;
/** Share of passages that get a wrong title, or stand there twice. */
const SHARE = 0.1;

interface Document {
  readonly name: string;
  readonly text: string;
  readonly format: 'markdown' | 'text';
}

/** Returns the documents of a set as the variant has them; evidence is found by its text in all of them. */
export function documentsOf(set: DevelopmentSet, variant: Variant): Document[] {
  if (variant === 'untitled') {
    return set.passages.map(({ text }, i) => ({ name: `${i}.txt`, text, format: 'text' }));
  }
  if (variant === 'long') return volumes(set);
  if (variant === 'larger') return [...whole(set.name, set.passages), ...others(set)];
  const random = seededRandom(7);
  const chosen = set.passages.map(() => random() < SHARE);
  if (variant === 'wrong-titles') {
    const places = [...chosen.keys()].filter((i) => chosen[i]);
    const titles = new Map(places.map((at, k) => [at, set.passages[places[(k + 1) % places.length]!]!.title]));
    return whole(
      set.name,
      set.passages.map((passage, i) => ({ ...passage, title: titles.get(i) ?? passage.title })),
    );
  }
  const extra = variant === 'duplicates' ? set.passages.filter((_, i) => chosen[i]) : [];
  return whole(set.name, [...set.passages, ...extra]);
}

function whole(name: string, passages: DevelopmentSet['passages']): Document[] {
  return [{ name, text: asMarkdown(passages), format: 'markdown' }];
}

/** Returns the set as long documents: a heading for each, and under it one for each passage. */
function volumes({ passages }: DevelopmentSet): Document[] {
  const documents: Document[] = [];
  for (let from = 0; from < passages.length; from += SECTIONS) {
    const title = `Volume ${documents.length + 1}`;
    const sections = passages.slice(from, from + SECTIONS).map((passage) => `## ${passage.title}\n\n${passage.text}\n`);
    documents.push({ name: `${title}.md`, text: `# ${title}\n\n${sections.join('\n')}`, format: 'markdown' });
  }
  return documents;
}

/** Returns what makes a set four to nine times larger: the passages of the other set, and every turn of the chats. */
function others(set: DevelopmentSet): Document[] {
  const linked = [musique(), hotpot()].filter(({ name }) => name !== set.name);
  const turns = lihua().chats.flatMap(({ id, turns }) =>
    turns.map(({ speaker, text }, i) => ({ title: `${speaker}, turn ${i + 1} of ${id}`, text })),
  );
  return [...linked.flatMap(({ name, passages }) => whole(name, passages)), ...whole('chats', turns)];
}
