import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Metric } from '../port.js';
import { Graph } from './graph.js';

const FORMAT = 1;

interface Sidecar {
  readonly format: number;
  readonly file: string;
  readonly dimension: number;
  readonly metric: Metric;
  readonly bytes: number;
  readonly crc: number;
}

/**
 * The graph of one index on disk: `<index>-<version>.hnsw` and, written last and by rename, `<index>.json` that names
 * it with its size and checksum. Only a cache: anything that does not fit is ignored and removed.
 */
export class GraphFile {
  constructor(
    private readonly directory: string,
    private readonly indexId: number,
  ) {}

  /** Returns the stored graph, or undefined when there is none, it is damaged or it is of another shape. */
  async read(shape: { dimension: number; metric: Metric }): Promise<Graph | undefined> {
    const sidecar = await this.sidecar();
    if (sidecar === undefined) return undefined;
    const path = join(this.directory, sidecar.file);
    const fits = sidecar.format === FORMAT && sidecar.dimension === shape.dimension && sidecar.metric === shape.metric;
    if (!fits || !(await isWhole(path, sidecar))) {
      await this.remove();
      return undefined;
    }
    try {
      return await Graph.read(path, shape);
    } catch {
      await this.remove();
      return undefined;
    }
  }

  async write(graph: Graph, version: number, metric: Metric): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const file = `${this.indexId}-${version}.hnsw`;
    const path = join(this.directory, file);
    await graph.write(path);
    await flush(path);
    const { size } = await stat(path);
    const sidecar: Sidecar = {
      format: FORMAT,
      file,
      dimension: graph.dimension,
      metric,
      bytes: size,
      crc: await checksum(path),
    };
    const temporary = `${this.sidecarPath}.new`;
    const handle = await open(temporary, 'w');
    await handle.writeFile(JSON.stringify(sidecar));
    await handle.sync();
    await handle.close();
    await rename(temporary, this.sidecarPath);
    await this.removeAllBut(file);
  }

  /** Removes everything of this index. */
  async remove(): Promise<void> {
    await rm(this.sidecarPath, { force: true });
    await this.removeAllBut(undefined);
  }

  private get sidecarPath(): string {
    return join(this.directory, `${this.indexId}.json`);
  }

  private async sidecar(): Promise<Sidecar | undefined> {
    try {
      return JSON.parse(await readFile(this.sidecarPath, 'utf8')) as Sidecar;
    } catch {
      return undefined;
    }
  }

  private async removeAllBut(keep: string | undefined): Promise<void> {
    const files = await readdir(this.directory).catch(() => []);
    const ours = files.filter((file) => file.startsWith(`${this.indexId}-`) && file.endsWith('.hnsw') && file !== keep);
    for (const file of ours) await rm(join(this.directory, file), { force: true });
  }
}

async function isWhole(path: string, sidecar: Sidecar): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size !== sidecar.bytes) return false;
  // A damaged link inside would crash the process in native code, so every byte is checked first.
  return (await checksum(path)) === sidecar.crc;
}

async function checksum(path: string): Promise<number> {
  let crc = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) crc = crc32(chunk as Buffer, crc);
  return crc;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync();
  await handle.close();
}
