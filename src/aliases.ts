import { filterOf, isPositional, type PositionalMethods } from './alias-parameters.js';

/** Names of the specification's library operations: ours, and its snake_case spelling. Functions and methods alike. */
export const ALIASES = {
  addConcepts: 'add_concepts',
  getNodes: 'get_nodes',

  batchObserve: 'batch_observe',
  topArms: 'top_arms',
  decayArm: 'decay_arm',
  applyCreditDeltas: 'apply_credit_deltas',
  sessionStart: 'session_start',
  sessionEnd: 'session_end',

  isConnected: 'is_connected',
  createDomain: 'create_domain',
  getDomain: 'get_domain',
  listDomains: 'list_domains',
  deleteDomain: 'delete_domain',
  addNode: 'add_node',
  getNode: 'get_node',
  findNodes: 'find_nodes',
  addEdge: 'add_edge',
  getEdges: 'get_edges',
  addRule: 'add_rule',
  getRules: 'get_rules',
  ingestManifest: 'ingest_manifest',
  personalizedPagerank: 'personalized_pagerank',

  enrichBatch: 'enrich_batch',
  getTemplate: 'get_template',
  selectTemplate: 'select_template',
} as const;

type Ours = keyof typeof ALIASES;

/** A class's instances with the aliases of those of its methods that have one. */
export type Aliased<T> = T & {
  readonly [K in Ours & keyof T as (typeof ALIASES)[K]]: K extends keyof PositionalMethods
    ? PositionalMethods[K]
    : T[K];
};

/** A class whose instances have the aliases, in its types as at run time. */
export type AliasedClass<C extends new (...parameters: never[]) => object> = Omit<C, 'prototype'> &
  (new (
    ...parameters: ConstructorParameters<C>
  ) => Aliased<InstanceType<C>>) & {
    readonly prototype: Aliased<InstanceType<C>>;
  };

/** Gives each class the aliases of the methods that it has; an alias calls what the method is at that time. */
export function addAliases(...classes: ReadonlyArray<{ readonly prototype: object }>): void {
  for (const { prototype } of classes) {
    for (const [ours, alias] of Object.entries(ALIASES)) {
      if (!(ours in prototype) || alias in prototype) continue;
      Object.defineProperty(prototype, alias, {
        configurable: true,
        writable: true,
        value: isPositional(alias) ? filtering(ours, alias) : calling(ours),
      });
    }
  }
}

type Methods = Readonly<Record<string, (...parameters: unknown[]) => unknown>>;

function calling(ours: string) {
  return function (this: Methods, ...parameters: unknown[]): unknown {
    return this[ours]!(...parameters);
  };
}

function filtering(ours: string, alias: string) {
  return async function (this: Methods, ...parameters: unknown[]): Promise<unknown> {
    return this[ours]!(filterOf(alias, parameters));
  };
}
