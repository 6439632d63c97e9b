import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../scripts/live/process.js';
import { type Network, nodeId } from './data.js';
import { type Times, timesOf } from './measure.js';

export interface IgraphAnswer {
  readonly times: Times;
  readonly top: string[][];
}

/** python-igraph 1.0.0 on the same graph and seeds, from an environment of its own. Throws with the reason. */
export function igraph(
  net: Network,
  sets: readonly (readonly (readonly number[])[])[],
  damping: number,
): IgraphAnswer[] {
  const folder = pythonEnvironment('igraph', ['igraph==1.0.0']);
  const script = fileURLToPath(new URL('./peer.py', import.meta.url));
  const result = spawnSync(`${folder}/bin/python`, [script], {
    input: JSON.stringify({ nodes: net.nodes, edges: net.edges, damping, sets }),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.status !== 0) throw new Error(result.stderr.slice(-2000));
  const { answers } = JSON.parse(result.stdout) as { answers: Array<{ times: number[]; top: number[][] }> };
  return answers.map(({ times, top }) => ({ times: timesOf(times), top: top.map((best) => best.map(nodeId)) }));
}
