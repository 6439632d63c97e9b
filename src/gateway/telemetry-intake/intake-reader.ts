import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { parseJsonBytes } from '../../core/json/json-bytes.js';
import type { GreenFiles } from '../green/green-files.js';
import { decompressed } from './decompress.js';
import { batchOfRows } from './formats/native.js';
import { logsOf, OtlpMessages, partialSuccess, type Signal, spansOf } from './otlp/decode.js';
import { batchOfLogs } from './otlp/logs.js';
import { batchOfSpans } from './otlp/spans.js';
import type { IntakeBatch } from './records.js';

/** A body as it came over the wire. */
export interface RawTelemetry {
  readonly bytes: Uint8Array;
  /** Media type without parameters, in lower case. */
  readonly contentType: string;
  readonly contentEncoding: string;
}

export type OtlpEncoding = 'json' | 'protobuf';

/** Makes bodies into records. Texts of prompts and answers end here. */
export class IntakeReader {
  private readonly messages: OtlpMessages;

  constructor(
    private readonly options: {
      readonly clock: Clock;
      readonly files: Pick<GreenFiles, 'grid'>;
      /** `schemas/otlp/otlp.json`. */
      readonly otlpFile: string;
      /** Bytes of a body once it is decompressed. */
      readonly limit: number;
    },
  ) {
    this.messages = new OtlpMessages(options.otlpFile);
  }

  /** Reads spans or log records of OTLP over HTTP. Throws `invalid_input`, `too_large` or `unsupported_media`. */
  async otlp(signal: Signal, raw: RawTelemetry): Promise<{ batch: IntakeBatch; encoding: OtlpEncoding }> {
    const encoding = encodingOf(raw.contentType);
    const bytes = await decompressed(raw.bytes, raw.contentEncoding, this.options.limit);
    const request = encoding === 'json' ? await parseJsonBytes(bytes) : await this.messages.fromProtobuf(signal, bytes);
    const batch =
      signal === 'traces'
        ? await batchOfSpans(spansOf(request), this.options.files.grid)
        : await batchOfLogs(logsOf(request));
    return { batch, encoding };
  }

  /** Returns the response to an OTLP request, in the encoding of the request. */
  otlpResponse(
    signal: Signal,
    encoding: OtlpEncoding,
    { rejected, reason = '' }: { readonly rejected: number; readonly reason?: string | undefined },
  ): Record<string, unknown> | Uint8Array {
    if (encoding === 'json') return partialSuccess(signal, rejected, reason);
    return this.messages.response(signal, rejected, reason);
  }

  /** Reads traces of the specification's shapes and payloads of LiteLLM, as JSON or NDJSON: all rows, or none and why. */
  async native(raw: RawTelemetry): Promise<IntakeBatch> {
    const bytes = await decompressed(raw.bytes, raw.contentEncoding, this.options.limit);
    return batchOfRows(bytes, this.options.clock());
  }
}

function encodingOf(contentType: string): OtlpEncoding {
  if (contentType === 'application/x-protobuf' || contentType === 'application/protobuf') return 'protobuf';
  if (contentType === 'application/json') return 'json';
  throw new SvcError('unsupported_media', 'Content-Type must be application/x-protobuf or application/json.');
}
