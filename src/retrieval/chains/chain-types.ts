/** The best chain that ends at an item. */
export interface Chain {
  /** Strength of the bridge plus match; higher is better, comparable within one answer. */
  readonly strength: number;
  /** How well the item matches the question with the bridge's name in place of what the first passage explains. */
  readonly match: number;
  /** Cosine of the item and of its best sentence with the rewritten question, by the table of chains. */
  readonly similarity: number;
  /** The same with the question as it was asked; undefined without a model. */
  readonly asked: number | undefined;
  /** Passage that holds the bridge, or concept that an edge leads to it from, and its name. */
  readonly from: string;
  readonly name: string;
  /** Sentence of `from` with the bridge; −1 for its own name. */
  readonly sentence: number;
  readonly bridge: { readonly key: string; readonly name: string; readonly domain: string };
  /** The typed edge that leads to the bridge; absent for a mention. */
  readonly edge?: string;
  readonly to: string;
  /** The question that was compared with the item. */
  readonly rewritten: string;
}

/** What chains found. */
export interface Chains {
  /** By the item that they end at: over one bridge, and over two. */
  readonly first: ReadonlyMap<string, Chain>;
  readonly second: ReadonlyMap<string, Chain>;
  /** Item → strength of the best chain that passes through it. */
  readonly through: ReadonlyMap<string, number>;
  /** Item → number of distinct bridges that lead to it. */
  readonly bridges: ReadonlyMap<string, number>;
  /** Strength of the best chain of each length. */
  readonly best: readonly [number, number];
}

export const NO_CHAINS: Chains = {
  first: new Map(),
  second: new Map(),
  through: new Map(),
  bridges: new Map(),
  best: [0, 0],
};
