import { type Random, seededRandom } from '../../src/core/random.js';

export interface VectorSet {
  readonly rows: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
}

const LATENT = 32;
const CENTRES = 200;

/**
 * `embedding`: what text embeddings look like, clusters on a surface of 32 dimensions inside the full space, with noise.
 * `uniform`: independent normal components, the hardest case for any graph, for comparison.
 */
export function vectorSet(
  kind: 'embedding' | 'uniform',
  shape: { rows: number; queries: number; dimension: number },
): VectorSet {
  const random = seededRandom(`${kind}-${shape.rows}-${shape.dimension}`);
  const make = kind === 'uniform' ? () => normals(random, shape.dimension) : embeddings(random, shape.dimension);
  return {
    rows: Array.from({ length: shape.rows }, make),
    queries: Array.from({ length: shape.queries }, make),
  };
}

function embeddings(random: Random, dimension: number): () => Float32Array {
  const basis = Array.from({ length: LATENT }, () => normals(random, dimension));
  const centres = Array.from({ length: CENTRES }, () => normals(random, LATENT));
  return () => {
    const centre = centres[Math.floor(random() * CENTRES)]!;
    const inner = normals(random, LATENT);
    const vector = normals(random, dimension);
    for (let i = 0; i < dimension; i += 1) vector[i] = vector[i]! * 0.5;
    basis.forEach((axis, j) => {
      const weight = centre[j]! + 0.7 * inner[j]!;
      for (let i = 0; i < dimension; i += 1) vector[i] = vector[i]! + weight * axis[i]!;
    });
    return vector;
  };
}

function normals(random: Random, dimension: number): Float32Array {
  return Float32Array.from({ length: dimension }, () => {
    // Box and Muller, one of the pair.
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return radius * Math.cos(2 * Math.PI * random());
  });
}
