import { SvcError } from '../core/errors.js';
import type { SourceInfo } from '../core/model.js';
import { documentManifest, fileDocument, type SourceDocument, type TextInput, textDocument } from './document.js';
import { type ForgetResult, forgetDomain, forgetSource } from './forget.js';
import type { MessageInput } from './message.js';
import { read } from './read/read.js';
import { fileSource, uploadSource } from './sources.js';
import { type StructuredInput, structuredManifest } from './structured.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load, unchangedSource } from './write/load.js';
import { loadMessage } from './write/session.js';

export interface IngestOptions {
  /** Directories that callers may name files of. */
  readonly roots: readonly string[];
  /** Largest file that is read. */
  readonly maxBytes: number;
  /** Directory of the service's own files, which are never read. */
  readonly dataDirectory?: string | undefined;
}

export interface FileOptions extends LoadOptions {
  readonly sourceType?: string | undefined;
  /** True for callers whose own permissions decide (the command line). */
  readonly anywhere?: boolean;
}

export interface MessageResult extends LoadResult {
  readonly session_id: string;
  readonly chunks: number;
  readonly latency_ms: number;
}

/** Brings knowledge in and takes it out. Each input becomes a manifest, which `load` writes. */
export class Ingest {
  constructor(
    readonly ports: LoadPorts,
    private readonly options: IngestOptions,
  ) {}

  /** Ingests a file of this machine. Its real path is its identity. */
  async file(path: string, domain: string, options: FileOptions = {}): Promise<LoadResult> {
    const file = await read(path, {
      roots: options.anywhere === true ? undefined : this.options.roots,
      sourceType: options.sourceType,
      maxBytes: this.options.maxBytes,
      dataDirectory: this.options.dataDirectory,
    });
    return this.document(fileDocument(file, fileSource(domain, file)), options);
  }

  /** Ingests a file that a surface spooled to a temporary path. The name it was uploaded under is its identity. */
  async upload(
    { path, name }: { readonly path: string; readonly name: string },
    options: LoadOptions & { readonly domain: string; readonly sourceType?: string | undefined },
  ): Promise<LoadResult> {
    const { domain, sourceType } = options;
    const file = await read(path, { name, sourceType, maxBytes: this.options.maxBytes });
    return this.document(fileDocument(file, uploadSource(domain, name)), options);
  }

  /** Ingests a text of a request. */
  async text(input: TextInput, options: LoadOptions = {}): Promise<LoadResult> {
    return this.document(await textDocument(input), options);
  }

  /** Ingests a batch of concepts, edges and rules. */
  async structured(input: StructuredInput, options: LoadOptions = {}): Promise<LoadResult> {
    return load(this.ports, await structuredManifest(input), options);
  }

  /** Ingests one message, a turn of its session. A message that is there already changes nothing. */
  async message(input: MessageInput, options: LoadOptions = {}): Promise<MessageResult> {
    const started = performance.now();
    const { result, pieces } = await loadMessage(this.ports, input, options);
    return {
      ...result,
      session_id: input.session_id,
      chunks: pieces,
      latency_ms: Math.round((performance.now() - started) * 100) / 100,
    };
  }

  /** Lists sources in id order, `limit` at a time. */
  async documents(input: { readonly domain?: string; readonly limit: number; readonly after?: string }) {
    if (input.domain !== undefined && (await this.ports.graph.getDomain(input.domain)) === null) {
      throw new SvcError(
        'domain_not_found',
        `Domain ${input.domain} does not exist; list the domains with GET /v1/domains.`,
      );
    }
    const found = await this.ports.graph.listSources({
      limit: input.limit + 1,
      ...(input.domain === undefined ? {} : { domain: input.domain }),
      ...(input.after === undefined ? {} : { after: input.after }),
    });
    const shown = found.slice(0, input.limit);
    return {
      documents: shown.map(listed),
      next: found.length > input.limit ? (shown.at(-1)?.source_id ?? null) : null,
    };
  }

  /** Removes one source and what it alone asserts. */
  async forgetSource(id: string) {
    return forgotten(await forgetSource(this.ports, id));
  }

  /** Removes a domain with everything in it. */
  async forgetDomain(name: string) {
    return forgotten(await forgetDomain(this.ports, name));
  }

  /** Parses, chunks, extracts and writes one document; the same content again is recognised first. */
  private async document(document: SourceDocument, options: LoadOptions): Promise<LoadResult> {
    const { source, contentHash: content_hash } = document;
    const unchanged = await unchangedSource(this.ports, { domain: source.domain, source, content_hash, warnings: [] });
    if (unchanged !== null) return unchanged;
    return load(this.ports, await documentManifest(document, options.signal), options);
  }
}

function forgotten(result: ForgetResult) {
  return { status: 'forgotten' as const, ...result };
}

function listed(source: SourceInfo) {
  const { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at } = source;
  return { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at };
}
