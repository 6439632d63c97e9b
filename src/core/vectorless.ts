import { contentHash } from './ids.js';
import type { JsonObject, Manifest } from './model.js';

/** Property of a concept that has no vector: it is found by its words and over its edges alone. */
const VECTORS = 'vectors';
/** The same in properties as JSON. */
export const WITHOUT_VECTORS = `"${VECTORS}":false`;

/** Returns whether a node has a vector wherever there is a model: all but concepts whose property `vectors` is false. */
export function hasVector({ properties }: { readonly properties?: JsonObject | undefined }): boolean {
  return properties?.[VECTORS] !== false;
}

/** Returns a manifest whose concepts have no vectors. */
export function withoutVectors(manifest: Manifest): Manifest {
  const concepts = manifest.concepts.map((concept) => ({
    ...concept,
    properties: { ...concept.properties, [VECTORS]: false },
  }));
  return { ...manifest, concepts, content_hash: contentHash(`${manifest.content_hash} without vectors`) };
}
