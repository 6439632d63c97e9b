/** An observation: a baseline score and whether the item was evidence. */
export interface Observation {
  readonly x: number;
  readonly hit: boolean;
}

/** Maximum-likelihood slope and offset of hit = logistic(slope · x + offset), by Newton's method. */
export function fitLogistic(observations: readonly Observation[]): { slope: number; offset: number } {
  let slope = 1;
  let offset = -2;
  for (let step = 0; step < 60; step += 1) {
    const sums = { gx: 0, g1: 0, hxx: 0, hx1: 0, h11: 0 };
    for (const { x, hit } of observations) {
      const p = logistic(slope * x + offset);
      const error = (hit ? 1 : 0) - p;
      const curvature = p * (1 - p) + 1e-12;
      sums.gx += error * x;
      sums.g1 += error;
      sums.hxx += curvature * x * x;
      sums.hx1 += curvature * x;
      sums.h11 += curvature;
    }
    const determinant = sums.hxx * sums.h11 - sums.hx1 ** 2;
    slope += (sums.h11 * sums.gx - sums.hx1 * sums.g1) / determinant;
    offset += (sums.hxx * sums.g1 - sums.hx1 * sums.gx) / determinant;
  }
  return { slope, offset };
}

export function logistic(z: number): number {
  return 1 / (1 + Math.exp(-z));
}
