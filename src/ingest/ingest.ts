import { basename } from 'node:path';
import { domainNotFound, renamedMember } from '../core/errors.js';
import { contentHash } from '../core/ids.js';
import type { SourceInfo } from '../core/model.js';
import type { SourceFilter } from '../ledger/read/filters.js';
import {
  documentManifest,
  documentPassages,
  fileDocument,
  isCode,
  modelManifest,
  readBy,
  type SourceDocument,
  type TextInput,
  textDocument,
} from './document.js';
import { forgetMessage, type MessageName, requireMessage } from './edits/forget-message.js';
import { forgetEmptied, saysNothing } from './emptied.js';
import type { ExtractionPlan, ModelExtraction } from './extract/model/model-extraction.js';
import { forgetDomain, forgetSource } from './forget.js';
import { forgotten, planned } from './forget-answer.js';
import { forgettableOfDomain, forgettableSource } from './forget-dry-run.js';
import { forgetMissing, type GoneFiles, goneFiles } from './forget-missing.js';
import { refuseKeepPage } from './keep-page.js';
import { readAsBefore } from './known-files.js';
import { documentType } from './read/file-type.js';
import { type RawFile, read } from './read/read.js';
import { resolveInRoots } from './read/roots.js';
import { loadMessage, namedMessage } from './sessions/load-message.js';
import { loadMessages } from './sessions/load-messages.js';
import type { MessageInput } from './sessions/message.js';
import { fileSource, uploadSource } from './sources.js';
import { type StructuredInput, structuredManifest } from './structured.js';
import {
  type LoadOptions,
  type LoadPorts,
  type LoadResult,
  load,
  type StoredSource,
  storedSource,
} from './write/load.js';

export interface IngestOptions {
  /** Directories that callers may name files of. */
  readonly roots: readonly string[];
  /** Largest file that is read. */
  readonly maxBytes: number;
  /** Directory of the service's own files, which are never read. */
  readonly dataDirectory?: string | undefined;
  /** Extraction by a language model; documents are read without one where there is none. */
  readonly extraction?: ModelExtraction | null | undefined;
}

/** What the ingest of a document would ask of the language model. Tokens are estimates. */
export interface IngestPlan extends ExtractionPlan {
  readonly domain: string;
  readonly source: string;
  readonly passages: number;
  /** True where the same content was ingested before: nothing would happen. */
  readonly unchanged: boolean;
  /** Kind and model, for example `openai-gpt-4o-mini`; null where documents are read without one. */
  readonly model: string | null;
}

export interface FileOptions extends LoadOptions {
  readonly sourceType?: string | undefined;
  /** True for callers whose own permissions decide (the command line). */
  readonly anywhere?: boolean;
}

interface DryRun {
  /** Counts what would be forgotten, and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Files that a dry run names at most. */
const NAMED = 100;

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

  /** True where a language model reads documents. */
  get asksModel(): boolean {
    return this.options.extraction != null;
  }

  /** Ingests a file of this machine. Its real path is its identity. One that was emptied says nothing any more. */
  async file(path: string, domain: string, options: FileOptions = {}): Promise<LoadResult> {
    try {
      return await this.document(await this.fileDocument(path, domain, options), options);
    } catch (error) {
      if (!saysNothing(error)) throw error;
      const real = await resolveInRoots(path, options.anywhere === true ? undefined : this.options.roots);
      const result = await forgetEmptied(this.ports, fileSource(domain, { path: real, name: basename(path) }), error);
      if (result === null) throw error;
      return result;
    }
  }

  /** Returns whether a source was written since a time, ms. */
  async isWrittenSince(source_id: string, time: number): Promise<boolean> {
    const [source] = await this.ports.graph.listSources({ source_id });
    return source !== undefined && Date.parse(source.updated_at) >= time;
  }

  /** Returns what the ingest of a file would ask of the language model. Writes and asks nothing. */
  async plan(path: string, domain: string, options: FileOptions = {}): Promise<IngestPlan> {
    const document = await this.fileDocument(path, domain, options);
    const extraction = this.extractionOf(document);
    const unchanged = (await this.stored(document)).unchanged !== null;
    const passages = await documentPassages(document, options.signal);
    const plan = extraction === undefined || unchanged ? NO_CALLS : await extraction.plan(passages);
    const model = extraction?.model ?? null;
    return { domain, source: document.source.label, passages: passages.length, unchanged, model, ...plan };
  }

  private async fileDocument(path: string, domain: string, options: FileOptions): Promise<SourceDocument> {
    const { extraction, maxBytes, dataDirectory } = this.options;
    const roots = options.anywhere === true ? undefined : this.options.roots;
    const of = (file: RawFile) => fileDocument(file, fileSource(domain, file));
    const reading = { roots, maxBytes, dataDirectory };
    const readAs = (sourceType?: string) => read(path, { ...reading, sourceType });
    if (options.sourceType !== undefined) return of(await readAs(options.sourceType));
    const file = await readAsBefore(this.ports, { domain, path, extraction, readAs });
    await refuseKeepPage(file, reading);
    return of(file);
  }

  /** Ingests a file that a surface spooled to a temporary path. The name it was uploaded under is its identity. */
  async upload(
    { path, name }: { readonly path: string; readonly name: string },
    options: LoadOptions & { readonly domain: string; readonly sourceType?: string | undefined },
  ): Promise<LoadResult> {
    const { domain, sourceType } = options;
    try {
      const file = await read(path, { name, sourceType, maxBytes: this.options.maxBytes });
      return await this.document(fileDocument(file, uploadSource(domain, name)), options);
    } catch (error) {
      throw renamedMember(error, { source_path: 'file' });
    }
  }

  /** Ingests an uploaded file whose bytes were kept. The name it was uploaded under is its identity. */
  async uploaded(
    { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
    options: LoadOptions & { readonly domain: string; readonly sourceType?: string | undefined },
  ): Promise<LoadResult> {
    const { domain, sourceType } = options;
    const file = { path: name, name, type: documentType(name, sourceType), bytes, hash: contentHash(bytes) };
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
    const since = performance.now();
    // Bad input takes no turn.
    const { result, pieces } = await loadMessage(this.ports, await namedMessage(input), options);
    return { ...result, session_id: input.session_id, chunks: pieces, latency_ms: elapsed(since) };
  }

  /** Ingests messages of any sessions of a domain, each session in the given order. */
  async messages(
    { domain, messages }: { readonly domain: string; readonly messages: ReadonlyArray<Omit<MessageInput, 'domain'>> },
    options: LoadOptions = {},
  ) {
    const since = performance.now();
    const inputs = messages.map((message) => ({ ...message, domain }));
    const loaded = await loadMessages(this.ports, inputs, options);
    return { domain, ...loaded, latency_ms: elapsed(since) };
  }

  /** Lists sources in id order, `limit` at a time. */
  async documents(input: SourceFilter & { readonly limit: number }) {
    if (input.domain !== undefined && (await this.ports.graph.getDomain(input.domain)) === null) {
      throw domainNotFound(input.domain);
    }
    const found = await this.ports.graph.listSources({
      ...input,
      limit: input.limit + 1,
      distinctLabels: true,
    });
    const shown = found.slice(0, input.limit);
    return {
      documents: shown.map(listed),
      next: found.length > input.limit ? (shown.at(-1)?.source_id ?? null) : null,
    };
  }

  /** Removes one source and what it alone asserts. */
  async forgetSource(id: string, { dryRun = false }: DryRun = {}) {
    if (dryRun) return planned({ sources: await forgettableSource(this.ports, id) });
    return forgotten(await forgetSource(this.ports, id));
  }

  /** Forgets one message of a session for good. */
  async forgetMessage({ dry_run = false, ...message }: MessageName & { readonly dry_run?: boolean | undefined }) {
    if (dry_run) {
      await requireMessage(this.ports, message);
      return planned({ messages: 1 });
    }
    return forgotten({ messages: 1, removed: await forgetMessage(this.ports, message) });
  }

  /** Forgets the file sources of a domain that lie below a directory and whose file is gone. */
  async forgetMissing(
    directory: string,
    domain: string,
    { anywhere = false, dryRun = false }: DryRun & { readonly anywhere?: boolean } = {},
  ) {
    if (dryRun) {
      const { total, files } = await this.missingFiles(directory, domain, { anywhere, limit: NAMED });
      return planned({ sources: total, files });
    }
    const real = await this.realDirectory(directory, anywhere);
    return forgotten(await forgetMissing(this.ports, { directory: real, domain }));
  }

  /** Lists what `forgetMissing` would forget; changes nothing. */
  async missingFiles(
    directory: string,
    domain: string,
    { anywhere = false, limit }: { readonly anywhere?: boolean; readonly limit: number },
  ): Promise<GoneFiles> {
    const real = await this.realDirectory(directory, anywhere);
    return this.goneFiles({ directories: [{ given: directory, real }], domain, limit });
  }

  /** Counts files of a domain below directories that were ingested and are gone, and names the first. */
  goneFiles(below: Parameters<typeof goneFiles>[1]): Promise<GoneFiles> {
    return goneFiles(this.ports, below);
  }

  /** Removes a domain with everything in it. */
  async forgetDomain(name: string, { dryRun = false }: DryRun = {}) {
    if (dryRun) return planned(await forgettableOfDomain(this.ports, name));
    return forgotten(await forgetDomain(this.ports, name));
  }

  private realDirectory(directory: string, anywhere: boolean): Promise<string> {
    return resolveInRoots(directory, anywhere ? undefined : this.options.roots, { member: 'directory' });
  }

  /** Parses, chunks, extracts and writes one document; the same content again is recognised first. */
  private async document(document: SourceDocument, options: LoadOptions): Promise<LoadResult> {
    const stored = await this.stored(document);
    if (stored.unchanged !== null) return stored.unchanged;
    const extraction = this.extractionOf(document);
    if (extraction === undefined) {
      return load(this.ports, await documentManifest(document, options.signal), { ...options, stored });
    }
    const progress = (done: number, total: number) =>
      options.progress?.(done, total, `${done} of ${total} chunks read by the model`);
    const manifest = await modelManifest(document, { extraction, signal: options.signal, progress });
    return load(this.ports, manifest, options);
  }

  /** Returns the model that reads a document; undefined for none, and for code, which says what it is by its form. */
  private extractionOf(document: SourceDocument): ModelExtraction | undefined {
    return isCode(document) ? undefined : (this.options.extraction ?? undefined);
  }

  /** Reads what is stored of a document, compared with how it would be read now. */
  private stored(document: SourceDocument): Promise<StoredSource> {
    const { source } = document;
    const extraction = this.extractionOf(document);
    const content_hash = extraction === undefined ? document.contentHash : readBy(document, extraction);
    return storedSource(this.ports, { domain: source.domain, source, content_hash, warnings: [] });
  }
}

/** Returns the milliseconds since a time of `performance.now()`, to hundredths. */
const elapsed = (since: number): number => Math.round((performance.now() - since) * 100) / 100;

const NO_CALLS: ExtractionPlan = { chunks: 0, cached: 0, calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: null };

function listed(source: SourceInfo) {
  const { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at } = source;
  return { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at };
}
