// LangChain.js keeps its documents in a named vector index of the service, through the vector tools. Arguments: the
// service's address and, if it asks for one, an API key.
import { Document } from '@langchain/core/documents';
import { Embeddings, type EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Filter = Record<string, unknown>;

/** A vector store over the tools: `filter` is the service's, with $in, $gt, $and and the others. */
export class ServiceVectorStore extends VectorStore {
  declare FilterType: Filter;

  constructor(
    embeddings: EmbeddingsInterface,
    private readonly client: Client,
    private readonly index: string,
  ) {
    super(embeddings, {});
  }

  _vectorstoreType(): string {
    return 'svc';
  }

  async addDocuments(documents: Document[], options?: { ids?: string[] }): Promise<string[]> {
    const texts = documents.map((document) => document.pageContent);
    return this.addVectors(await this.embeddings.embedDocuments(texts), documents, options);
  }

  async addVectors(vectors: number[][], documents: Document[], options?: { ids?: string[] }): Promise<string[]> {
    const { ids } = await this.call('svc_vector_upsert', {
      vectors,
      metadata: documents.map((document) => document.metadata),
      documents: documents.map((document) => document.pageContent),
      ...(options?.ids === undefined ? {} : { ids: options.ids }),
    });
    return ids as string[];
  }

  async similaritySearchVectorWithScore(query: number[], k: number, filter?: Filter): Promise<[Document, number][]> {
    const { results } = await this.call('svc_vector_query', {
      query_vector: query,
      top_k: k,
      ...(filter === undefined ? {} : { filter }),
    });
    return (results as Array<{ id: string; score: number; metadata: Filter; document?: string }>).map((hit) => [
      new Document({ id: hit.id, pageContent: hit.document ?? '', metadata: hit.metadata }),
      hit.score,
    ]);
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    await this.call('svc_vector_delete_many', { ids });
  }

  private async call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await this.client.callTool({ name, arguments: { index_name: this.index, ...input } });
    if (answer.isError === true) throw new Error((answer.content as Array<{ text: string }>)[0]!.text);
    return answer.structuredContent as Record<string, unknown>;
  }
}

/** Counts letters: put your embedding model of LangChain in its place. */
class LetterEmbeddings extends Embeddings {
  constructor() {
    super({});
  }
  async embedQuery(text: string): Promise<number[]> {
    const counts = new Array<number>(26).fill(0);
    for (const letter of text.toLowerCase()) {
      const place = letter.charCodeAt(0) - 97;
      if (place >= 0 && place < 26) counts[place]! += 1;
    }
    return counts;
  }
  embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

const [address = 'http://127.0.0.1:8400', key = ''] = process.argv.slice(2);
const client = new Client({ name: 'langchain', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', address), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  }),
);

const store = new ServiceVectorStore(new LetterEmbeddings(), client, 'recipes');
await store.addDocuments([
  new Document({ pageContent: 'Green tea steeps for two minutes.', metadata: { kind: 'tea', minutes: 2 } }),
  new Document({ pageContent: 'Black tea steeps for four minutes.', metadata: { kind: 'tea', minutes: 4 } }),
  new Document({ pageContent: 'Espresso runs for half a minute.', metadata: { kind: 'coffee', minutes: 0.5 } }),
]);
const retriever = store.asRetriever({ k: 1, filter: { kind: 'tea', minutes: { $gt: 3 } } });
const [best] = await retriever.invoke('How long does tea steep?');
console.log(best!.pageContent);
await client.close();
