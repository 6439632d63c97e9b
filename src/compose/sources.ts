import { randomUUID } from 'node:crypto';
import { openRelational } from '../backends/relational/open.js';
import { configFile } from '../config/files.js';
import { type Config, environmentVariable } from '../config.js';
import { resolveInRoots } from '../ingest/read/roots.js';
import type { LoadPorts } from '../ingest/write/load.js';
import { Credentials } from '../sources/connect/credentials.js';
import { SourceRegistry } from '../sources/connect/registry.js';
import type { FilePolicy } from '../sources/connect/source-file.js';
import { parseConventions } from '../sources/inspect/conventions.js';
import { Sources } from '../sources/sources.js';

/** Builds the databases as sources over the ports of ingest. */
export function openSources(ports: LoadPorts, config: Config): Sources {
  return new Sources({
    ports,
    conventions: parseConventions(configFile('sources.yaml', config.sources.conventions)),
    holder: randomUUID(),
    registry: new SourceRegistry({
      store: ports.store,
      credentials: new Credentials(config.sources.secret_key ?? undefined, environmentVariable),
      open: openRelational,
      hosts: config.sources.hosts,
      files: sourceFiles(config),
    }),
  });
}

/** Returns which SQLite files may be sources: those under the ingest roots that are not the service's own. */
function sourceFiles(config: Config): FilePolicy {
  const states = Object.values(config.learners).map((learner) => (learner as { state_dir?: string }).state_dir ?? '');
  return {
    inRoots: (file) => resolveInRoots(file, config.ingest.roots, { member: 'connection_string' }),
    excluded: [config.data.dir, ...states.filter((directory) => directory !== '')],
  };
}
