// A process of its own that syncs and reports its progress, to be killed in the middle.
import { dirname } from 'node:path';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';

const [directory, connection_string] = process.argv.slice(2) as [string, string];
const environment = {
  SVC_DATA_DIR: directory,
  SVC_EMBEDDING: 'static',
  SVC_LOG_LEVEL: 'silent',
  SVC_INGEST_ROOTS: dirname(directory),
};
const service = await compose(loadConfig({ environment }));
const source = { source_id: 'big', connection_string, schemas: ['public'], domain_map: {}, targets: 'both' as const };
await service.sources.connect(source, { authenticated: true });
const sync = () =>
  service.sources.sync(
    { source_id: 'big', mode: 'full' },
    { authenticated: true, progress: (done) => process.stdout.write(`done ${done}\n`) },
  );
// A process that was killed before this one holds the source until its lease ends.
for (;;) {
  try {
    await sync();
    break;
  } catch (error) {
    if ((error as { code?: string }).code !== 'conflict') throw error;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
await service.close();
