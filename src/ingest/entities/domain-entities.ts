import type { GraphBackend } from '../../backends/graph/port.js';
import { slicer } from '../../core/async/slices.js';
import type { GraphEdge, GraphNode, JsonObject } from '../../core/model.js';
import { nameKey } from '../../core/text/keys.js';
import type { ComparedEntity } from './match.js';
import { nameForms } from './name-forms.js';

/** A concept of a domain by its names. */
export interface NamedEntity extends Pick<ComparedEntity, 'name' | 'forms' | 'type' | 'aliases' | 'table'> {
  readonly id: string;
}

/** A concept of a domain, ready to be compared. */
export interface DomainEntity extends ComparedEntity {
  readonly id: string;
  /** Typed edges at it. */
  readonly degree: number;
}

/** Concepts of one read: a description may have 100,000 characters. */
const PAGE = 100;
/** Quotes and passages that are read of one concept, and characters of one quote. */
const MOST_QUOTES = 8;
const MOST_PASSAGES = 20;
const LONGEST_QUOTE = 2000;

/** Returns the concepts of a domain by id, without what is said about them. */
export async function domainEntities(
  graph: GraphBackend,
  domain: string,
  signal?: AbortSignal,
): Promise<NamedEntity[]> {
  const entities: NamedEntity[] = [];
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

function entityOf({ id, name, properties }: GraphNode): NamedEntity {
  const table = tableIn(properties);
  return {
    ...(table === null ? {} : { table }),
    id,
    name,
    forms: nameForms(name),
    type: typeof properties.type === 'string' ? properties.type.toLowerCase() : null,
    aliases: new Set(aliasesIn(properties).map((alias) => nameForms(alias).joined)),
  };
}

/** Returns the table of a database that a concept is a row of; null where it is none. */
function tableIn({ kind, source_id, schema, table }: JsonObject): string | null {
  return kind === 'row' ? JSON.stringify([source_id, schema, table]) : null;
}

function aliasesIn({ aliases }: JsonObject): string[] {
  return Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [];
}

/** Returns concepts with what is said about them: their descriptions, evidence of their edges, and sentences of passages that name them. */
export async function withEvidence(
  graph: GraphBackend,
  domain: string,
  { entities, signal }: { readonly entities: ReadonlySet<NamedEntity>; readonly signal?: AbortSignal | undefined },
): Promise<Map<string, DomainEntity>> {
  const found = new Map<string, DomainEntity>();
  const pause = slicer();
  for (const entity of entities) {
    await pause();
    signal?.throwIfAborted();
    const [node] = await graph.getNodes([entity.id]);
    const description = asQuote(node?.description ?? '');
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
    const nodes = await graph.getNodes([...naming].slice(0, MOST_PASSAGES));
    const passages = nodes.filter((one) => one.kind === 'passage');
    const sentences = passages.flatMap((passage) => sentencesNaming(passage, entity.name));
    const quotes = new Set([...(description === '' ? [] : [description]), ...evidenceOf(edges), ...sentences]);
    found.set(entity.id, {
      ...entity,
      description,
      degree: edges.length,
      quotes: [...quotes].slice(0, MOST_QUOTES).map(asQuote),
      passages: new Set(passages.map((passage) => passage.id)),
    });
  }
  return found;
}

/** Returns the beginning of a long text, as a string of its own: a slice would keep the whole text in memory. */
function asQuote(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : Buffer.from(text.slice(0, LONGEST_QUOTE), 'utf16le').toString('utf16le');
}

function evidenceOf(edges: readonly GraphEdge[]): string[] {
  return edges.flatMap(({ properties: { evidence } }) => (typeof evidence === 'string' ? [evidence] : []));
}

function sentencesNaming({ description: text, passage }: GraphNode, name: string): string[] {
  const lower = name.toLowerCase();
  return (passage?.sentences ?? [])
    .map(([start, end]) => text.slice(start, end))
    .filter((sentence) => sentence.toLowerCase().includes(lower));
}
