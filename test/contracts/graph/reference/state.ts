import type { PassageRecord } from '../../../../src/backends/graph/port.js';
import type { Mention, Passage, SourceRef } from '../../../../src/core/model.js';
import type {
  Asserted,
  AssertedConcept,
  AssertedEdge,
  AssertedRule,
} from '../../../../src/ledger/manifest/asserted.js';

export type Versioned<T> = T & { readonly version: number };
export type KnownPassage = Passage & { readonly mentions: readonly Mention[] };

/** A source with what it asserts now. */
export interface Source {
  readonly id: string;
  readonly ref: SourceRef;
  readonly content_hash: string;
  readonly updated_at: string;
  readonly concepts: ReadonlyMap<string, Versioned<AssertedConcept>>;
  readonly edges: ReadonlyMap<string, Versioned<AssertedEdge>>;
  readonly rules: ReadonlyMap<string, Versioned<AssertedRule>>;
  readonly passages: ReadonlyMap<string, KnownPassage>;
}

export type Head = Pick<Source, 'id' | 'ref' | 'content_hash' | 'updated_at'>;

/** What a source asserts after a manifest: instead of what it asserted, or added to it. Null where nothing changes. */
export function merged(
  head: Head,
  {
    asserted,
    before,
    append,
    version,
  }: { asserted: Asserted; before: Source | undefined; append: boolean; version: number },
): Source | null {
  const old = before ?? emptySource(head);
  if (!append) {
    return {
      ...head,
      concepts: stamped(asserted.concepts, version),
      edges: stamped(asserted.edges, version),
      rules: stamped(asserted.rules, version),
      passages: passagesOf(asserted.passages, old.passages),
    };
  }
  const source = {
    ...head,
    concepts: added(old.concepts, asserted.concepts, version),
    edges: added(old.edges, asserted.edges, version),
    rules: added(old.rules, asserted.rules, version),
    passages: new Map([
      ...[...old.passages].filter(([id]) => !asserted.without.includes(id)),
      ...passagesOf(asserted.passages, old.passages),
    ]),
  };
  const same = (['concepts', 'edges', 'rules', 'passages'] as const).every((part) =>
    equal([...source[part]], [...old[part]]),
  );
  return before !== undefined && same ? null : source;
}

function emptySource(head: Head): Source {
  return { ...head, concepts: new Map(), edges: new Map(), rules: new Map(), passages: new Map() };
}

function stamped<T>(items: ReadonlyMap<string, T>, version: number): Map<string, Versioned<T>> {
  return new Map([...items].map(([key, item]) => [key, { ...item, version }]));
}

function namesOnly(item: Said, known: Said): boolean {
  const says = (one: Said) => one.description !== '' || Object.keys(one.properties ?? {}).length > 0;
  return item.description !== undefined && !says(item) && known.description !== '' && item.name === known.name;
}

interface Said {
  readonly name?: string;
  readonly description?: string;
  readonly properties?: object;
}

/** An assertion made again stays as it is; a surer or later one takes the place of the one before, but none that only names what that one describes. */
function added<T extends Said & { readonly confidence: number }>(
  old: ReadonlyMap<string, Versioned<T>>,
  items: ReadonlyMap<string, T>,
  version: number,
): Map<string, Versioned<T>> {
  const all = new Map(old);
  for (const [key, item] of items) {
    const known = all.get(key);
    if (
      known !== undefined &&
      (known.confidence > item.confidence ||
        (known.confidence === item.confidence && namesOnly(item, known)) ||
        equal(known, { ...item, version: known.version }))
    ) {
      continue;
    }
    all.set(key, { ...item, version });
  }
  return all;
}

/** Mentions that come with a passage are taken; else those of the same text are kept. */
function passagesOf(
  passages: ReadonlyMap<string, Passage>,
  old: ReadonlyMap<string, KnownPassage>,
): Map<string, KnownPassage> {
  const result = new Map<string, KnownPassage>();
  for (const [id, passage] of passages) {
    const known = old.get(id);
    const kept = known !== undefined && sameSentences(known, passage) ? known.mentions : [];
    result.set(id, { ...passage, mentions: passage.mentions ?? kept });
  }
  return result;
}

/** Whether mentions found in one text hold for the other. */
function sameSentences(a: Pick<Passage, 'text' | 'sentences'>, b: Pick<Passage, 'text' | 'sentences'>): boolean {
  return a.text === b.text && equal(a.sentences, b.sentences);
}

export function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns a passage as the graph hands it out. */
export function recordOf(passage: KnownPassage & { readonly source_id: string }): PassageRecord {
  const { id, source_id, title, text, sentences, about, mentions } = passage;
  return { id, source_id, title, text, sentences, about, mentions };
}
