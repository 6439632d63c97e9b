import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { withFileLock } from '../../../backends/store/file-lock.js';
import { AREAS, type Area } from '../../../core/async/caller-scope.js';
import { SvcError } from '../../../core/errors.js';
import { sha256 } from '../../../core/hmac.js';
import { type KeyEntry, readKeys, writeKeys } from '../../../server/keys/key-file.js';
import { collected } from '../../arguments.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { table } from '../../output/output.js';
import { visible } from '../../output/visible.js';

interface AddOptions extends CommonOptions {
  readonly domain?: readonly string[];
  readonly write?: boolean;
  readonly area?: readonly string[];
  readonly expires?: string;
}

/** Makes `keys`: the entries of the keys file. A running service takes them up by itself. */
export function keysCommand(cli: Cli): Command {
  const group = cli.command('keys', 'API keys with a name, domains, read or write, and an expiry');
  const add = cli
    .command('add', 'make a key, and print it once')
    .argument('<name>', 'what the key is called')
    .option('--domain <pattern>', 'a domain it is bound to, * for any characters; may be repeated', collected)
    .option('--write', 'it may also write')
    .option('--area <area>', `what has no domain: ${AREAS.join(', ')}; may be repeated`, collected)
    .option('--expires <time>', 'when it expires, ISO 8601')
    .action((name: string, options: AddOptions) => addKey(cli, name, options));
  const list = cli.command('list', 'names, domains and expiry of the keys').action((options: CommonOptions) => {
    const keys = readKeys(fileOf(cli, options)).map(shown);
    cli.print({ keys }, options, (shown) => (keys.length === 0 ? 'No key.' : listing(shown.keys)));
  });
  const revoke = cli
    .command('revoke', 'admit a key no more, from the next request on')
    .argument('<name>', 'what the key is called')
    .action(async (name: string, options: CommonOptions) => {
      await changed(fileOf(cli, options), (entries) => {
        const rest = entries.filter((entry) => entry.name !== name);
        if (rest.length < entries.length) return rest;
        throw new SvcError('not_found', `There is no key ${name}; list the keys to see their names.`);
      });
      cli.print({ status: 'revoked', name }, options, (revoked) => `Key ${revoked.name} is revoked.`);
    });
  for (const command of [add, list, revoke]) group.addCommand(command.exitOverride());
  return group;
}

async function addKey(cli: Cli, name: string, options: AddOptions): Promise<void> {
  const file = fileOf(cli, options);
  const key = `${cli.config(options).name}_${randomBytes(32).toString('base64url')}`;
  const expires = options.expires === undefined ? null : Date.parse(options.expires);
  if (Number.isNaN(expires))
    throw new UsageError('--expires must be a time in ISO 8601, such as 2027-01-31T00:00:00Z.');
  if (expires !== null && expires <= Date.now()) throw new UsageError('--expires is in the past; name a later time.');
  const entry: KeyEntry = {
    name,
    sha256: Buffer.from(sha256(key)).toString('hex'),
    domains: options.domain ?? null,
    access: options.write === true ? 'write' : 'read',
    areas: (options.area ?? []) as Area[],
    expires,
  };
  await changed(file, (entries) => {
    if (entries.some((one) => one.name === name)) {
      throw new SvcError('conflict', `There is a key ${name}; revoke it first, or choose another name.`);
    }
    return [...entries, entry];
  });
  const kept = `Keep it: only its digest is stored in ${visible(file)}.`;
  cli.print({ key, ...shown(entry) }, options, () => `${key}\n\n${kept}`);
}

function changed(file: string, change: (entries: readonly KeyEntry[]) => readonly KeyEntry[]): Promise<void> {
  return withFileLock(`${file}.lock`, () => writeKeys(file, change(readKeys(file))));
}

function fileOf(cli: Cli, options: CommonOptions): string {
  const { keys_file } = cli.config(options).auth;
  if (keys_file !== null) return keys_file;
  throw new UsageError('SVC_KEYS_FILE names no file; set it for this command and for the service.');
}

function shown({ name, domains, access, areas, expires }: KeyEntry) {
  return { name, domains, access, areas, expires: expires === null ? null : new Date(expires).toISOString() };
}

function listing(keys: ReadonlyArray<ReturnType<typeof shown>>): string {
  return table(keys, [
    { title: 'Name', of: ({ name }) => name },
    { title: 'Domains', of: ({ domains }) => (domains === null ? 'all' : domains.join(', ')), wide: 1 },
    { title: 'Access', of: ({ access }) => access },
    { title: 'Areas', of: ({ areas }) => areas.join(', ') },
    { title: 'Expires', of: ({ expires }) => whenOf(expires) },
  ]);
}

function whenOf(expires: string | null): string {
  if (expires === null) return 'never';
  return Date.parse(expires) > Date.now() ? expires : `${expires} (expired)`;
}
