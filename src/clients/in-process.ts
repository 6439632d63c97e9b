import { type ComposedService, type ServiceParts, serviceFromParts } from '../compose.js';
import { SvcError, wrongMember } from '../core/errors.js';
import { hash20, qualifiedId } from '../core/ids.js';
import { withoutHalf } from '../core/wording/whole-characters.js';
import { operations } from '../operations/index.js';
import { invoke } from '../operations/invoke.js';
import type { Operation } from '../operations/operation.js';
import type { Service } from '../service.js';
import { checkCancelled, clientClosed } from './closed.js';
import { checkedOptions, checkSignal } from './given.js';
import type {
  CallOptions,
  ClientDomain,
  ClientNode,
  ClientQueryResult,
  ExploreResult,
  KnowledgeClient,
  QueryOptions,
  RulesOptions,
  RulesResult,
} from './protocol.js';

/** `graph`: structure, vectors, text and rules; `vec`: cosine similarity only. */
export type ClientMode = 'graph' | 'vec';

/** A vector index, a graph backend, an embedding model and a mode: what a client without a running service is built from. */
export interface InProcessParts extends ServiceParts {
  readonly mode?: ClientMode;
}

const NAME_LENGTH = 80;

/**
 * The service's operations without a network: over parts, or over a service of this process. Built from parts it keeps
 * its records (query log, learning, text index) in memory, and `close` leaves the parts as they are.
 */
export class InProcessClient implements KnowledgeClient {
  private readonly mode: ClientMode | 'auto';
  private readonly given: Service | InProcessParts;
  private composed: Promise<ComposedService> | undefined;
  private closed = false;

  constructor(over: InProcessParts | Service, options: { readonly mode?: ClientMode } = {}) {
    this.given = over;
    this.mode = options.mode ?? ('mode' in over ? (over.mode ?? 'graph') : isService(over) ? 'auto' : 'graph');
    if (!['graph', 'vec', 'auto'].includes(this.mode)) {
      throw new SvcError('invalid_input', 'mode must be one of graph, vec.', { member: 'mode' });
    }
  }

  async query(context: string, options: QueryOptions = {}): Promise<ClientQueryResult> {
    const { domains, top_k, min_confidence }: QueryOptions = checkedOptions(options);
    const given = domains === undefined ? {} : { domains };
    const input = { context, ...given, top_k: top_k ?? 10, min_confidence: min_confidence ?? 0, mode: this.mode };
    return (await this.call(operations.query, input, options)) as ClientQueryResult;
  }

  async explore(nodeId: string, depth: number | null = 1, options: CallOptions = {}): Promise<ExploreResult | null> {
    const found = (await this.call(operations.explore, { node_id: nodeId, depth }, options)) as { node: unknown };
    return found.node === null ? null : (found as ExploreResult);
  }

  async rules(options: RulesOptions = {}): Promise<RulesResult> {
    const given: RulesOptions = checkedOptions(options);
    const { domains = [], concept_ids = [], categories = [], limit = 100, offset = 0 } = given;
    const input = { domains, concept_ids, categories, limit, offset };
    return (await this.call(operations.rules, input, options)) as RulesResult;
  }

  async feedback(
    queryId: string,
    outcomes: Readonly<Record<string, string>>,
    source: string | null = 'unknown',
    options: CallOptions = {},
  ): Promise<void> {
    await this.call(operations.feedback, { query_id: queryId, outcomes, source }, options);
  }

  async status(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return (await this.call(operations.status, {}, options)) as Record<string, unknown>;
  }

  async domains(options: CallOptions = {}): Promise<ClientDomain[]> {
    return ((await this.call(operations.domains, {}, options)) as { domains: ClientDomain[] }).domains;
  }

  async ingest(sourcePath: string, domain: string, options: CallOptions = {}): Promise<Record<string, unknown>> {
    return (await this.call(operations.ingest, { source_path: sourcePath, domain }, options)) as Record<
      string,
      unknown
    >;
  }

  /**
   * Adds each text as a concept: its name is the first sentence up to 80 characters, its description the text. Returns
   * the ids, one per text in order; the same text again keeps its id.
   */
  async addConcepts(texts: readonly string[], domain: string): Promise<string[]> {
    if (!Array.isArray(texts)) wrongMember('texts', 'must be an array of strings');
    const concepts = texts.map((text: unknown, i) => {
      if (typeof text !== 'string') wrongMember(`texts.${i}`, 'must be a string');
      const name = firstSentence(text);
      if (name === '') throw new SvcError('invalid_input', `texts.${i} is empty.`, { member: `texts.${i}` });
      return { id: hash20(text), name, description: text };
    });
    const distinct = [...new Map(concepts.map((concept) => [concept.id, concept])).values()];
    if (distinct.length > 0) await this.call(operations.ingest_structured, { domain, concepts: distinct });
    return concepts.map(({ id }) => qualifiedId(domain, id));
  }

  /** Returns the nodes of these ids, in that order; absent ones are left out. */
  async getNodes(ids: readonly string[]): Promise<ClientNode[]> {
    if (!Array.isArray(ids) || ids.some((id: unknown) => typeof id !== 'string'))
      wrongMember('ids', 'must be an array of strings');
    const service = await this.service();
    const found = new Map((await service.graph.getNodes(ids)).map((node) => [node.id, node]));
    return ids.flatMap((wanted) => {
      const node = found.get(wanted);
      if (node === undefined) return [];
      const { id, name, description, domain, confidence, properties, kind } = node;
      return [{ id, name, description, domain, confidence, properties: { kind, ...properties } }];
    });
  }

  /**
   * Ends what was built from parts; a service that was passed in keeps running. Every later call is refused with
   * `conflict`: the records that were in memory are gone.
   */
  async close(): Promise<void> {
    this.closed = true;
    const composed = this.composed;
    this.composed = undefined;
    await (await composed)?.close();
  }

  private async call(operation: Operation, input: unknown, options: CallOptions = {}): Promise<unknown> {
    const { signal }: CallOptions = checkedOptions(options);
    const service = await this.service();
    checkSignal(signal);
    checkCancelled(signal);
    const cancel = signal === undefined ? {} : { signal };
    const answer = await invoke(service, operation, input, { surface: 'client', authenticated: true, ...cancel });
    // Most operations end by themselves and do not look at the signal.
    checkCancelled(signal);
    return answer;
  }

  private async service(): Promise<Service> {
    if (this.closed) throw clientClosed();
    if (isService(this.given)) return this.given;
    this.composed ??= serviceFromParts(this.given);
    return this.composed;
  }
}

function isService(over: InProcessParts | Service): over is Service {
  return 'retrieval' in over;
}

/** Returns the first sentence, up to 80 characters; a longer one ends at a word where there is one. */
function firstSentence(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  const sentence = /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
  if (sentence.length <= NAME_LENGTH) return sentence;
  const cut = sentence.slice(0, NAME_LENGTH);
  const word = cut.lastIndexOf(' ');
  return withoutHalf(word > NAME_LENGTH / 2 ? cut.slice(0, word) : cut);
}
