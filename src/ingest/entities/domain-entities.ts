import type { GraphBackend } from '../../backends/graph/port.js';
import type { GraphEdge, GraphNode, JsonObject } from '../../core/model.js';
import { slicer } from '../../core/slices.js';
import { nameKey } from '../../core/text/keys.js';
import { splitSentences } from '../../core/text/sentences.js';
import type { ComparedEntity } from './match.js';
import { nameForms } from './name-forms.js';

/** A concept of a domain, ready to be compared. */
export interface DomainEntity extends ComparedEntity {
  readonly id: string;
  /** Typed edges at it. */
  readonly degree: number;
}

/** Concepts of one read: a description may have 100,000 characters. */
const PAGE = 100;
/** Quotes and passages that are read of one concept. */
const MOST_QUOTES = 8;
const MOST_PASSAGES = 20;

/** Returns the concepts of a domain by id, without what is said about them. Rows of databases stand for themselves. */
export async function domainEntities(
  graph: GraphBackend,
  domain: string,
  signal?: AbortSignal,
): Promise<DomainEntity[]> {
  const entities: DomainEntity[] = [];
  const pause = slicer();
  for (let after: string | undefined; ; ) {
    const page = await graph.findNodes({
      domain,
      kind: 'concept',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    signal?.throwIfAborted();
    for (const node of page) {
      entities.push(entityOf(node));
      await pause();
    }
    if (page.length < PAGE) return entities;
    after = page.at(-1)!.id;
  }
}

function entityOf({ id, name, description, properties }: GraphNode): DomainEntity {
  return {
    id,
    name,
    forms: nameForms(name),
    type: typeof properties.type === 'string' ? properties.type.toLowerCase() : null,
    aliases: new Set(aliasesIn(properties).map((alias) => nameForms(alias).joined)),
    description,
    quotes: description === '' ? [] : [description],
    passages: new Set(),
    degree: 0,
  };
}

function aliasesIn({ aliases }: JsonObject): string[] {
  return Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [];
}

/** Returns concepts with what is said about them: evidence of their edges, and sentences of passages that name them. */
export async function withEvidence(
  graph: GraphBackend,
  domain: string,
  { entities, signal }: { readonly entities: ReadonlySet<DomainEntity>; readonly signal?: AbortSignal | undefined },
): Promise<Map<string, DomainEntity>> {
  const found = new Map<string, DomainEntity>();
  const pause = slicer();
  for (const entity of entities) {
    await pause();
    signal?.throwIfAborted();
    const edges = [
      ...(await graph.getEdges({ source_id: entity.id })),
      ...(await graph.getEdges({ target_id: entity.id })),
    ];
    const key = nameKey(entity.name);
    // A passage that opens with the name is about it with its article.
    const keys = [key, `the ${key}`];
    const about = (await graph.lookupKeys([domain], keys)).flatMap((info) => info.about);
    const naming = new Set([...about, ...(await graph.passagesMentioning(domain, keys))]);
    // Concepts of that name are about it too; they are no passages.
    const texts = await graph.passageRecords([...naming].slice(0, MOST_PASSAGES));
    const passages = texts.map((passage) => passage.id);
    const sentences = texts.flatMap(({ text }) => sentencesNaming(text, entity.name));
    found.set(entity.id, {
      ...entity,
      degree: edges.length,
      quotes: [...new Set([...entity.quotes, ...evidenceOf(edges), ...sentences])].slice(0, MOST_QUOTES),
      passages: new Set(passages),
    });
  }
  return found;
}

function evidenceOf(edges: readonly GraphEdge[]): string[] {
  return edges.flatMap(({ properties: { evidence } }) => (typeof evidence === 'string' ? [evidence] : []));
}

function sentencesNaming(text: string, name: string): string[] {
  const lower = name.toLowerCase();
  return splitSentences(text)
    .map(([start, end]) => text.slice(start, end))
    .filter((sentence) => sentence.toLowerCase().includes(lower));
}
