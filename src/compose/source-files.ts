import type { Config } from '../config.js';
import { resolveInRoots } from '../ingest/read/roots.js';
import type { FilePolicy } from '../sources/connect/source-file.js';

/** Returns which SQLite files may be sources: those under the ingest roots that are not the service's own. */
export function sourceFiles(config: Config): FilePolicy {
  const states = Object.values(config.learners).map((learner) => (learner as { state_dir?: string }).state_dir ?? '');
  return {
    inRoots: (file) => resolveInRoots(file, config.ingest.roots, 'connection_string'),
    excluded: [config.data.dir, ...states.filter((directory) => directory !== '')],
  };
}
