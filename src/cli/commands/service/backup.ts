import type { Command } from 'commander';
import { SvcError } from '../../../core/errors.js';
import type { Manifest } from '../../backup/manifest.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { Progress } from '../../output/progress.js';
import { visible } from '../../output/visible.js';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
}

export function backupCommand(cli: Cli): Command {
  return cli
    .command('backup', 'write the whole data directory into one file, also while it is served')
    .argument('<file>', 'a tar file to write; compressed where it ends with .gz or .tgz')
    .option('--force', 'replace a file that is there')
    .action(async (file: string, options: BackupOptions) => {
      const directory = directoryOf(cli, options);
      const { makeBackup } = await import('../../backup/make-backup.js');
      const progress = new Progress(options.json === true);
      try {
        const force = options.force === true;
        const manifest = await makeBackup({ directory, file, force, progress: progress.update.bind(progress) });
        cli.print({ file, ...manifest }, options, () =>
          visible(`Wrote ${sizeOf(manifest)} of ${directory} to ${file}.`),
        );
      } finally {
        progress.stop();
      }
    });
}

export function restoreCommand(cli: Cli): Command {
  return cli
    .command('restore', 'put a backup in the place of the data directory, which nothing may be using')
    .argument('<file>', 'a file that `backup` wrote')
    .option('--force', 'replace what the directory holds')
    .action(async (file: string, options: BackupOptions) => {
      const directory = directoryOf(cli, options);
      const { restoreBackup } = await import('../../backup/restore-backup.js');
      const manifest = await restoreBackup({ directory, file, force: options.force === true });
      const human = (): string =>
        visible(`Restored ${directory} to its state of ${manifest.created_at}, ${sizeOf(manifest)}.`);
      cli.print({ directory, ...manifest }, options, human);
    });
}

function directoryOf(cli: Cli, options: CommonOptions): string {
  const { store, data } = cli.config(options);
  if (store.kind === 'sqlite') return data.dir;
  const sentence = 'backup and restore are for a data directory; on SVC_STORE=postgres use pg_dump and pg_restore.';
  throw new SvcError('unsupported', sentence);
}

function sizeOf({ parts }: Manifest): string {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return `${parts.length} files, ${(bytes / 1e6).toFixed(1)} MB`;
}
