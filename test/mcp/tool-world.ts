import { afterAll, beforeAll } from '@jest/globals';
import { httpV1, type ToolClient } from './connections.js';
import { startWorld, type World } from './world.js';

/** What the tests of a file share: a service, and a client of its tools over HTTP. */
export interface ToolWorld {
  readonly world: World;
  readonly client: ToolClient;
}

/** Opens both before the first test of a file, and closes them after the last; nothing is there before. */
export function toolWorld(environment: Record<string, string> = {}): ToolWorld {
  const opened: { world?: World; client?: ToolClient } = {};
  beforeAll(async () => {
    opened.world = await startWorld(environment);
    opened.client = await httpV1(`${opened.world.a}/mcp`);
  });
  afterAll(async () => {
    await opened.client?.close();
    await opened.world?.close();
  });
  return opened as ToolWorld;
}
