import { editDistance } from '../core/text/edit-distance.js';

/** Returns the name that a misspelt one most likely stands for. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const most = Math.min(Math.max(2, Math.floor(wrong.length / 3)), wrong.length - 1);
  const distances = known.map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }));
  return distances.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= most)?.name;
}
