import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import type { CallContext } from '../../src/operations/operation.js';

export interface SourcesHarness {
  readonly service: ComposedService;
  /** A directory of the test's own, removed at the end. */
  readonly directory: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members they know
  call(operation: keyof typeof operations, input?: object, context?: Partial<CallContext>): Promise<any>;
  close(): Promise<void>;
}

/** A composed service on a directory of its own, with the small model. `settings` are environment variables. */
export async function sourcesHarness(settings: Readonly<Record<string, string>> = {}): Promise<SourcesHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'sources-'));
  const environment = {
    SVC_DATA_DIR: join(directory, 'data'),
    SVC_EMBEDDING: 'static',
    SVC_LOG_LEVEL: 'silent',
    SVC_INGEST_ROOTS: directory,
    ...settings,
  };
  const service = await compose(loadConfig({ environment }));
  return {
    service,
    directory,
    call: (operation, input = {}, context = {}) =>
      invoke(service, operations[operation], input, { surface: 'internal', authenticated: true, ...context }),
    close: async () => {
      await service.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
