import { type ComposedService, compose } from '../compose.js';
import type { Config } from '../config.js';
import { lockUnused } from '../data-directory.js';

/**
 * Opens the service that a configuration describes, in this process: `compose(loadConfig())`. It has its data directory
 * to itself until it is closed. Throws `conflict` where another service uses the directory, this process's own included.
 */
export async function openDirectory(config: Config): Promise<ComposedService> {
  const lock = lockUnused(
    config.data.dir,
    'library',
    'reach the service that runs there by HttpClient, or set another SVC_DATA_DIR',
  );
  try {
    const service = await compose(config);
    return {
      ...service,
      close: async () => {
        await service.close().finally(() => lock.release());
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
