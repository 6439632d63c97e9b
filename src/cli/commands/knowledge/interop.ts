import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../../config.js';
import { SvcError } from '../../../core/errors.js';
import { defaultInteropConfig, type InteropConfig, loadInteropConfig, writeConfig } from '../../../interop/config.js';
import { announcedSeeds, type Consumed, consumePending } from '../../../interop/consume.js';
import { exportSchemas } from '../../../interop/schemas.js';
import { listFailedSeeds, listPendingSeeds, listProcessedSeeds } from '../../../interop/seeds.js';
import { readSignals, type SignalEvent } from '../../../interop/signals.js';
import { type CheckedFile, validateFile } from '../../../interop/validate-file.js';
import { watchPending } from '../../../interop/watch.js';
import { collected } from '../../arguments.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { red, table } from '../../output/output.js';
import { untilUnread } from '../../output/until-unread.js';
import { visible } from '../../output/visible.js';
import { untilStopped } from '../../until-stopped.js';

interface SignalOptions extends CommonOptions {
  readonly since?: string;
  readonly event?: string[];
}

interface WatchCommandOptions extends CommonOptions {
  readonly versions?: ReadonlySet<number>;
  readonly once?: boolean;
}

/**
 * Makes `interop`: rule-set files, their directories and the signal log. It works on files alone and needs no service.
 */
export function interopCommand(cli: Cli): Command {
  const group = cli.command('interop', 'exchange rule sets with other programs');
  const add = (command: Command) => group.addCommand(command.exitOverride());

  add(
    cli.command('status', 'directories, and how many rule sets lie in each').action((options: CommonOptions) => {
      const config = interopConfig(cli.config(options));
      const counts = {
        pending: listPendingSeeds(config).length,
        processed: listProcessedSeeds(config).length,
        failed: listFailedSeeds(config).length,
      };
      cli.print({ ...counts, config }, options, (shown) =>
        table(Object.entries(counts), [
          { title: 'State', of: ([state]) => state },
          { title: 'Rule sets', of: ([, count]) => count, right: true },
          { title: 'Directory', of: ([state]) => shown.config.seeds[state as keyof typeof counts], wide: 1 },
        ]),
      );
    }),
  );
  add(
    cli.command('pending', 'rule sets that wait for a consumer').action((options: CommonOptions) => {
      const paths = listPendingSeeds(interopConfig(cli.config(options)));
      cli.print({ pending: paths }, options, ({ pending }) =>
        pending.length === 0 ? 'No rule set waits.' : pending.join('\n'),
      );
    }),
  );
  add(
    cli.command('processed', 'rule sets that a consumer took in').action((options: CommonOptions) => {
      const paths = listProcessedSeeds(interopConfig(cli.config(options)));
      cli.print({ processed: paths }, options, ({ processed }) =>
        processed.length === 0 ? 'No rule set was taken in.' : processed.join('\n'),
      );
    }),
  );
  add(
    cli.command('failed', 'rule sets that a consumer refused, with the reasons').action((options: CommonOptions) => {
      const failed = listFailedSeeds(interopConfig(cli.config(options)));
      cli.print({ failed }, options, (shown) =>
        failed.length === 0
          ? 'No rule set was refused.'
          : shown.failed.map((one) => `${one.path}\n  ${one.error}`).join('\n'),
      );
    }),
  );
  add(
    cli
      .command('signals', 'events of the signal log')
      .option('--since <time>', 'only later ones, ISO 8601')
      .option('--event <name>', 'only these events; may be repeated', collected)
      .action(async (options: SignalOptions) => {
        const events = await readSignals(interopConfig(cli.config(options)).signals.projections, {
          since: options.since,
          eventTypes: options.event,
          onWarning: (sentence) => cli.warn(sentence),
        });
        cli.print({ events }, options, (shown) =>
          events.length === 0 ? 'No event.' : shown.events.map(line).join('\n'),
        );
      }),
  );
  add(
    cli
      .command('init', 'write the configuration file with the directories in force')
      .action((options: CommonOptions) => {
        const config = cli.config(options);
        const { file } = config.interop;
        if (existsSync(file)) throw new SvcError('conflict', `${file} exists already; edit it, or remove it first.`);
        writeConfig(defaultInteropConfig(config.data.dir), file);
        cli.print({ file }, options, (shown) => `Wrote ${shown.file}`);
      }),
  );
  add(
    cli
      .command('schema', 'write the JSON Schemas of rule sets and events')
      .requiredOption('--output <dir>', 'directory to write to')
      .action((options: CommonOptions & { readonly output: string }) => {
        const paths = exportSchemas(options.output);
        cli.print({ paths }, options, (shown) => shown.paths.join('\n'));
      }),
  );
  add(
    cli
      .command('validate', 'say whether files of rule sets or events are valid, and what is wrong with them')
      .argument('<files...>', 'a rule set or an event (YAML or JSON), or a log of events (.jsonl)')
      .action((paths: string[], options: CommonOptions) => {
        for (const file of paths) if (!existsSync(file)) throw new UsageError(`${file} does not exist.`);
        const files = paths.map(validateFile);
        const errors = files.flatMap((one) => one.errors);
        cli.print({ valid: errors.length === 0, errors, files }, options, (shown) =>
          shown.files.map(verdict).join('\n'),
        );
        if (errors.length > 0) cli.exitCode = 1;
      }),
  );
  add(
    cli
      .command('watch', 'take in rule sets as they arrive: validate, move, append the events')
      .option('--versions <numbers>', 'versions of rule sets to take, separated by commas (default 1)', versions)
      .option('--once', 'take in what waits now, and end')
      .action((options: WatchCommandOptions) => watch(cli, options)),
  );
  return group;
}

async function watch(cli: Cli, options: WatchCommandOptions): Promise<void> {
  const settings = cli.config(options);
  const config = interopConfig(settings);
  const { versions = new Set([1]) } = options;
  const consumer = { config, versions, source: `${settings.name}-watch`, clock: Date.now };
  const report = (consumed: Consumed) => cli.print(consumed, options, described);
  if (options.once === true) {
    for (const event of (await announcedSeeds(config)).refused) cli.warn(`${event.path}: ${event.reason}`);
    for (const consumed of await consumePending(consumer)) report(consumed);
    return;
  }
  const stop = new AbortController();
  const watching = watchPending({
    ...consumer,
    signal: stop.signal,
    onConsumed: report,
    onRefused: (event) => cli.warn(`${event.path}: ${event.reason}`),
  });
  if (options.json !== true) process.stdout.write(`Watching ${visible(config.seeds.pending)}; stop with Ctrl-C.\n`);
  await Promise.race([untilStopped(), untilUnread(), watching]);
  stop.abort();
  await watching;
}

function interopConfig(config: Config): InteropConfig {
  return loadInteropConfig(config.interop.file, defaultInteropConfig(config.data.dir));
}

function verdict({ file, kind, errors, warnings = [] }: CheckedFile): string {
  if (errors.length === 0) return [`${file} is valid.`, ...warnings].join('\n');
  const asWhat = kind === 'rule set' ? '' : `, as ${kind === 'event' ? 'an event' : 'a log of events'}`;
  return [red(`${file} is not valid${asWhat}:`), ...errors, ...warnings].join('\n');
}

function described({ outcome, path, rule_count, error }: Consumed): string {
  if (outcome === 'failed') return `${red('failed')}    ${path}: ${error}`;
  return `processed ${path} (${rule_count === 1 ? '1 rule' : `${rule_count} rules`})`;
}

function line({ ts, event, persona, path, error }: SignalEvent): string {
  return [ts, event, persona, path, error].filter((part) => part !== undefined).join('  ');
}

function versions(text: string): ReadonlySet<number> {
  const numbers = text.split(',').map((part) => Number(part.trim()));
  if (numbers.some((number) => !Number.isInteger(number) || number < 1)) {
    throw new UsageError('--versions takes integers of at least 1, separated by commas, such as 1,2.');
  }
  return new Set(numbers);
}
