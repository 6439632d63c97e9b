import { asMarkdown, type DevelopmentSet } from './data.js';
import type { World } from './world.js';

export const DOMAIN = 'bench';

/** Ingests the set as one Markdown document in a domain. */
export async function ingestSet(world: Pick<World, 'ingest'>, set: DevelopmentSet, domain = DOMAIN): Promise<void> {
  await world.ingest.text({ text: asMarkdown(set.passages), domain, format: 'markdown', name: set.name });
}
