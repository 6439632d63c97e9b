import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Service } from '../service.js';

/** What a surface knows about a call beside its input. */
export interface CallContext {
  readonly surface: 'http' | 'tool' | 'cli' | 'client' | 'internal';
  /** True when the caller proved who it is, or is local by nature (stdio, command line, in process). */
  readonly authenticated: boolean;
  /** Stable name of the caller, never its key: `local` where it is not given. */
  readonly caller?: string;
  readonly signal?: AbortSignal;
  /**
   * W3C trace context of the caller (`traceparent`, `tracestate`), where it was passed with the call instead of around
   * it.
   */
  readonly trace?: Readonly<Record<string, string>>;
  /** Receives the progress of long work. */
  readonly progress?: (done: number, total: number | undefined, message: string) => void;
  /** Receives work that goes on after the call has failed, such as a query beyond its time: it still counts as running. */
  readonly onUnfinished?: ((work: Promise<unknown>) => void) | undefined;
}

export interface OperationSpec<I extends TSchema, O extends TSchema> {
  readonly name: string;
  /** One sentence, shown in OpenAPI and the tool list. */
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** What no schema can say, by the member that an error names: sentences for people, shown in OpenAPI. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Rules beyond the schema and its constraints: throws `invalid_input`, or answers nothing. */
  readonly check?: (input: Static<I>) => void;
  /** True where calling twice does no more than calling once. */
  readonly idempotent?: boolean;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  /** True where it answers from memory in no time: it does not wait behind calls that came before. */
  readonly immediate?: boolean;
  readonly run: (service: Service, input: Static<I>, context: CallContext) => Promise<Static<O>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the table holds operations of every shape; `invoke` validates at run time
export type Operation = OperationSpec<any, any>;

/** Defines an operation, with its input and output types inferred from its schemas. */
export function operation<I extends TSchema, O extends TSchema>(spec: OperationSpec<I, O>): OperationSpec<I, O> {
  return spec;
}

/** Makes a member optional on the wire and present after validation. */
export function defaulted<T extends TSchema>(schema: T, value: Static<T>): T {
  return { ...schema, default: value };
}

/** Optional; an explicit null counts as absent. */
export const optional: typeof Type.Optional = Type.Optional;
