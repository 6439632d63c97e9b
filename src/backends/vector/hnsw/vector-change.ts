import type { JsonObject } from '../../../core/model.js';

/** One committed change, in commit order. */
export type VectorChange =
  | {
      readonly kind: 'append';
      readonly ref: number;
      readonly vector: Float32Array;
      readonly norm: number;
      readonly partition: string;
      readonly metadata: JsonObject;
    }
  | { readonly kind: 'remove'; readonly ref: number }
  | { readonly kind: 'metadata'; readonly ref: number; readonly metadata: JsonObject };
