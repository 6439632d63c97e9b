import { SvcError } from '../core/errors.js';
import type { SourceInfo } from '../core/model.js';
import { type ForgetResult, forgetDomain, forgetSource } from './forget.js';
import type { MessageInput } from './message.js';
import { fileHash, fileManifest, textManifest } from './parse/document.js';
import { readDocument } from './read/read-file.js';
import { fileSource, uploadSource } from './sources.js';
import { type StructuredInput, structuredManifest } from './structured.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load, unchangedSource } from './write/load.js';
import { loadMessage } from './write/session.js';

export interface IngestOptions {
  /** Directories that callers may name files of. */
  readonly roots: readonly string[];
  /** Largest file that is read. */
  readonly maxBytes: number;
}

export interface FileOptions extends LoadOptions {
  readonly sourceType?: string | undefined;
  /** True for callers with permissions of their own (the command line). */
  readonly anywhere?: boolean;
}

export interface MessageResult extends LoadResult {
  readonly session_id: string;
  readonly chunks: number;
  readonly latency_ms: number;
}

/** Everything that brings knowledge in or takes it out: each input becomes a manifest, `load` writes it. */
export class Ingest {
  constructor(
    readonly ports: LoadPorts,
    private readonly options: IngestOptions,
  ) {}

  /** A file of this machine. */
  async file(path: string, domain: string, options: FileOptions = {}): Promise<LoadResult> {
    const raw = await readDocument(path, {
      roots: options.anywhere === true ? undefined : this.options.roots,
      sourceType: options.sourceType,
      maxBytes: this.options.maxBytes,
    });
    return this.document({ raw, domain, upload: false }, options);
  }

  /** A file that a surface spooled to a temporary path; its name is its identity. */
  async upload(
    file: { readonly path: string; readonly name: string },
    options: LoadOptions & { readonly domain: string; readonly sourceType?: string | undefined },
  ): Promise<LoadResult> {
    const raw = await readDocument(file.path, {
      sourceType: options.sourceType,
      maxBytes: this.options.maxBytes,
      name: file.name,
    });
    return this.document({ raw, domain: options.domain, upload: true }, options);
  }

  async text(
    input: {
      readonly text: string;
      readonly domain: string;
      readonly format: 'text' | 'markdown';
      readonly name: string;
    },
    options: LoadOptions = {},
  ): Promise<LoadResult> {
    return load(this.ports, await textManifest(input, options.signal), options);
  }

  async structured(input: StructuredInput, options: LoadOptions = {}): Promise<LoadResult> {
    return load(this.ports, await structuredManifest(input), options);
  }

  /** One message: a turn of its session. A message that is there already changes nothing. */
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

  /** Sources in id order. */
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

  async forgetSource(id: string) {
    return forgotten(await forgetSource(this.ports, id));
  }

  async forgetDomain(name: string) {
    return forgotten(await forgetDomain(this.ports, name));
  }

  private async document(
    file: { readonly raw: Awaited<ReturnType<typeof readDocument>>; readonly domain: string; readonly upload: boolean },
    options: LoadOptions,
  ): Promise<LoadResult> {
    const { raw, domain, upload } = file;
    const source = upload ? uploadSource(domain, raw.name) : fileSource(domain, raw);
    const same = await unchangedSource(this.ports, { domain, source, content_hash: fileHash(raw), warnings: [] });
    if (same !== null) return same;
    const manifest = await fileManifest(raw, domain, { upload, signal: options.signal });
    return load(this.ports, manifest, options);
  }
}

function forgotten(result: ForgetResult) {
  return { status: 'forgotten' as const, ...result };
}

function listed(source: SourceInfo) {
  const { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at } = source;
  return { source_id, domain, kind, label, concepts, edges, rules, passages, updated_at };
}
