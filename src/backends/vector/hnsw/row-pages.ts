import type { Kysely } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import type { JsonObject } from '../../../core/model.js';
import type { Database } from '../../store/schema.js';
import { type IndexRow, type LoadedRow, pageOfMetadata, pageOfVectors } from './rows.js';

const PAGE = 400;

/** Visits the metadata of an index's rows in ref order, a page at a time, and gives way between pages. */
export async function eachMetadata(
  db: Kysely<Database>,
  index: number,
  visit: (ref: number, metadata: JsonObject) => void,
): Promise<void> {
  const pause = slicer();
  for (let after = 0; ; ) {
    const rows = await pageOfMetadata(db, index, { after, limit: PAGE });
    for (const row of rows) visit(row.ref, JSON.parse(row.metadata) as JsonObject);
    if (rows.length < PAGE) return;
    after = rows[rows.length - 1]!.ref;
    await pause();
  }
}

/**
 * Visits the vectors of an index's rows after a ref, in ref order, until `isStopped`; gives way between pages. Leaves out
 * rows whose vector has another length than the index: they are damaged, and `svc doctor` names them. The vector that
 * `visit` gets is overwritten by the next row.
 */
export async function eachVector(
  db: Kysely<Database>,
  { id, dimension }: Pick<IndexRow, 'id' | 'dimension'>,
  options: {
    readonly after: number;
    readonly isStopped: () => boolean;
    readonly visit: (row: LoadedRow, vector: Float32Array) => void;
  },
): Promise<void> {
  const pause = slicer();
  const vector = new Float32Array(dimension);
  const bytes = new Uint8Array(vector.buffer);
  for (let { after } = options; !options.isStopped(); ) {
    const rows = await pageOfVectors(db, id, { after, limit: PAGE });
    for (const row of rows) {
      if (row.vector.length !== bytes.length) continue;
      bytes.set(row.vector);
      options.visit(row, vector);
    }
    if (rows.length < PAGE) return;
    after = rows[rows.length - 1]!.ref;
    await pause();
  }
}
