import { type Command, Option } from 'commander';
import type { MovedStore } from '../../../compose/move/move-store.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { Progress } from '../../output/progress.js';
import { visible } from '../../output/visible.js';

interface MigrateStoreOptions extends CommonOptions {
  readonly to: 'sqlite' | 'postgres';
}

/** Makes `migrate store`: everything that a store holds, from SQLite to PostgreSQL or back. */
export function migrateStoreCommand(cli: Cli): Command {
  return cli
    .command('store', 'copy the whole store of the data directory to the PostgreSQL of DATABASE_URL, or back')
    .addOption(
      new Option('--to <kind>', 'the store to fill, which must be empty; the other one is read')
        .choices(['postgres', 'sqlite'])
        .makeOptionMandatory(),
    )
    .action(async (options: MigrateStoreOptions) => {
      if (cli.config(options).store.database_url === null) {
        const sentence =
          'DATABASE_URL is not set; set it to the address of the PostgreSQL, such as postgres://user:password@host:5432/database.';
        throw new UsageError(sentence);
      }
      // Also where PostgreSQL is the source, this says what is wrong with DATABASE_URL.
      cli.config(options, [['--to', 'store.kind', 'postgres']]);
      const config = cli.config(options, [['--to', 'store.kind', options.to]]);
      const { moveStore } = await import('../../../compose/move/move-store.js');
      const progress = new Progress(options.json === true);
      try {
        const moved = await moveStore({ config, progress: progress.update.bind(progress) });
        cli.print(moved, options, () => sentences(moved, config.vectors.kind).map(visible).join('\n'));
      } finally {
        progress.stop();
      }
    });
}

function sentences({ from, to, tables, vector_indexes }: MovedStore, engine: string): string[] {
  const sum = (numbers: readonly number[]): string => numbers.reduce((a, b) => a + b, 0).toLocaleString('en');
  const rows = sum(tables.map((table) => table.rows));
  const vectors =
    vector_indexes === null
      ? `The vectors lie in neither store: ${engine} serves them as before.`
      : `Copied ${sum(vector_indexes.map((index) => index.vectors))} vectors of ${vector_indexes.length} indexes.`;
  const cleaned = tables.filter((table) => table.cleaned > 0);
  return [
    `Copied ${rows} rows of ${tables.length} tables from ${from} to ${to}, and compared them.`,
    vectors,
    ...cleaned.map(
      ({ name, cleaned }) =>
        `${cleaned} rows of ${name} held characters that PostgreSQL cannot keep; these were left out.`,
    ),
    `Start with SVC_STORE=${to}. The other store is as it was: start nothing on it any more, and remove it once nobody needs it.`,
  ];
}
