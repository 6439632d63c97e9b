import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Graph, type GraphShape } from './graph.js';

const FORMAT = 2;
/** One graph, named beside the shape itself. */
const FORMER_FORMAT = 1;

interface Part {
  readonly file: string;
  readonly bytes: number;
  readonly crc: number;
}

interface Sidecar extends GraphShape {
  readonly format: number;
  /** In the order of the rows' refs. */
  readonly graphs: readonly Part[];
}

/**
 * The graphs of one index on disk, each in a file of its own, and `<index>.json`, written last and by rename, that names
 * them with size and checksum. Only a cache: anything that does not fit is ignored and removed.
 */
export class GraphFile {
  constructor(
    private readonly directory: string,
    private readonly indexId: number,
  ) {}

  /** Yields the stored graphs up to the first one that is damaged; none of another shape. */
  async *read(shape: GraphShape): AsyncGenerator<Graph> {
    const sidecar = await this.sidecar();
    if (sidecar === undefined || sidecar.dimension !== shape.dimension || sidecar.metric !== shape.metric) return;
    for (const part of sidecar.graphs) {
      const graph = await this.graphOf(part, shape);
      if (graph === undefined) return;
      yield graph;
    }
  }

  /** Writes the graphs that have rows which their file has not, and names all. */
  async write(graphs: readonly Graph[], { dimension, metric }: GraphShape): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const parts: Part[] = [];
    for (const graph of graphs) {
      if (graph.saved?.rows !== graph.rows) await this.writeGraph(graph);
      const { file, bytes, crc } = graph.saved!;
      parts.push({ file, bytes, crc });
    }
    const sidecar: Sidecar = { format: FORMAT, dimension, metric, graphs: parts };
    const temporary = `${this.sidecarPath}.new`;
    const handle = await open(temporary, 'w');
    await handle.writeFile(JSON.stringify(sidecar));
    await handle.sync();
    await handle.close();
    await rename(temporary, this.sidecarPath);
    await this.removeAllBut(new Set(parts.map((part) => part.file)));
  }

  /** Removes everything of this index. */
  async remove(): Promise<void> {
    await rm(this.sidecarPath, { force: true });
    await this.removeAllBut(new Set());
  }

  private async graphOf(part: Part, shape: GraphShape): Promise<Graph | undefined> {
    const path = join(this.directory, part.file);
    if (!(await isWhole(path, part))) return undefined;
    try {
      const graph = await Graph.read(path, shape);
      graph.saved = { file: part.file, bytes: part.bytes, crc: part.crc, rows: graph.rows };
      return graph;
    } catch {
      return undefined;
    }
  }

  private async writeGraph(graph: Graph): Promise<void> {
    const { rows } = graph;
    const file = `${this.indexId}-${randomUUID()}.hnsw`;
    const path = join(this.directory, file);
    await graph.write(path);
    await flush(path);
    const { size: bytes } = await stat(path);
    graph.saved = { file, bytes, crc: await checksum(path), rows };
  }

  private get sidecarPath(): string {
    return join(this.directory, `${this.indexId}.json`);
  }

  private async sidecar(): Promise<Sidecar | undefined> {
    try {
      const read = JSON.parse(await readFile(this.sidecarPath, 'utf8')) as Sidecar & Part;
      if (read.format === FORMER_FORMAT) return { ...read, graphs: [read] };
      return read.format === FORMAT ? read : undefined;
    } catch {
      return undefined;
    }
  }

  private async removeAllBut(keep: ReadonlySet<string>): Promise<void> {
    const files = await readdir(this.directory).catch(() => []);
    const ours = files.filter((file) => file.startsWith(`${this.indexId}-`) && file.endsWith('.hnsw'));
    for (const file of ours) if (!keep.has(file)) await rm(join(this.directory, file), { force: true });
  }
}

async function isWhole(path: string, part: Part): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size !== part.bytes) return false;
  // A damaged link inside would crash the process in native code, so every byte is checked first.
  return (await checksum(path)) === part.crc;
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
