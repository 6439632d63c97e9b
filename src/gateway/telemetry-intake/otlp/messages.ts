/** OTLP as decoded: the same members from protobuf and from JSON. Ids are hex, times milliseconds. */

export type AttributeValue =
  | string
  | number
  | boolean
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly events: ReadonlyArray<{ readonly name: string; readonly attributes: Attributes }>;
  readonly failed: boolean;
  readonly message: string;
}

export interface OtlpLog {
  readonly traceId: string;
  readonly spanId: string;
  readonly timestamp: number;
  readonly eventName: string;
  readonly attributes: Attributes;
  readonly resource: Attributes;
}
