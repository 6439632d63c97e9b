/** Peers that call a language model for every passage. Calls are counted in the source of the version. */
export interface Unmeasured {
  readonly name: string;
  readonly version: string;
  readonly perPassage: number;
  readonly perQuestion: number;
  readonly source: string;
}

export const UNMEASURED: readonly Unmeasured[] = [
  {
    name: 'GraphRAG',
    version: '3.3.0',
    perPassage: 2,
    perQuestion: 1,
    source:
      '`graph_extractor.py`: one call a chunk and one gleaning (`max_gleanings: 1`); one more for each name or edge with several descriptions and for each community. Its method `fast` extracts without a model and needs one for the reports; every search ends in a call',
  },
  {
    name: 'HippoRAG 2',
    version: '2.0.0a4',
    perPassage: 2,
    perQuestion: 1,
    source:
      '`openie_openai.py`: names, then triples, of each passage; `rerank.py`: one call a question to filter facts',
  },
  {
    name: 'Graphiti',
    version: '0.31.2',
    perPassage: 2,
    perQuestion: 0,
    source:
      '`add_episode`: `extract_nodes` and `extract_edges`, one call each at least; more for names and facts that resemble known ones, for attributes and summaries. A graph server or embedded Kuzu besides',
  },
  {
    name: 'cognee',
    version: '1.6.5',
    perPassage: 2,
    perQuestion: 0,
    source: '`extract_graph_and_summarize.py`: a graph and a summary of each chunk',
  },
  {
    name: 'mem0, `infer=True` (its default)',
    version: '2.2.1',
    perPassage: 1,
    perQuestion: 0,
    source: '`memory/main.py`: one extraction for each `add`',
  },
];
