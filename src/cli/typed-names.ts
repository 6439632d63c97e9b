import type { Command } from 'commander';

/** Members of operations whose option or argument has a name of its own, as it is typed. */
const NAMES: Readonly<Record<string, string>> = {
  context: '<text>',
  domains: '--domain',
  name: '--domain',
  categories: '--category',
  source_type: '--type',
  source_path: '<paths>',
  source_id: '--source',
  schemas: '--schema',
  domain_map: '--map',
  tables: '--table',
  arm_ids: '--arm-id',
  outcomes: '<item=outcome>',
  version: '--rule-version',
  baseYear: '--base-year',
  targetYear: '--target-year',
  targetReductionPercent: '--reduction',
  baseYearEmissionsGrams: '--base-grams',
  targetId: '--id',
};

/** Members of the ingest of a file that its errors name. */
const OF_INGEST: ReadonlySet<string> = new Set(['source_type', 'source_path']);

/** A word that only a member can be. */
const SNAKE_CASE = /(?<![\w./<-])[a-z]+(?:_[a-z]+)+(?![\w/>])/g;

/** How a message begins that says which member another one needs. */
const NEEDS = /^([a-z_]+) needs ([a-z_]+)/;

/** Where a message offers two members: "outcome or reward is missing", "Send exactly one of ids and filter". */
const ONE_OF_TWO = /^(\S+) or ([a-z_]+)(?= is missing)|(?<=^Send exactly one of )([a-z_]+) and ([a-z_]+)/;

/**
 * Returns the message of an error with the members of operations as the user of the command types them: the `member` that
 * it is about, where it begins with that, one that needs another, and all that are written like `top_k`.
 */
export function asTyped(message: string, member: string, command: Command): string {
  const typed = (word: string): string => typedName(command, word) ?? word;
  return aboutTyped(message, member, command)
    .replace(NEEDS, (_, name: string, other: string) => `${typed(name)} needs ${typed(other)}`)
    .replace(ONE_OF_TWO, (_, one?: string, two?: string, first?: string, second?: string) =>
      one === undefined ? `${typed(first!)} and ${typed(second!)}` : `${typed(one)} or ${typed(two!)}`,
    )
    .replace(SNAKE_CASE, typed);
}

/** How a message begins that is about the path of a file. */
const OF_PATH = /^source_path (?:(names no file; )|(?!is not a path))/;

/** Returns the error of a file whose path stands beside it: the path was found below a directory, and nobody typed it. */
export function besidePath(message: string): string {
  return message.replace(OF_PATH, (_, isGone?: string) => `The file ${isGone === undefined ? '' : 'is not there; '}`);
}

/**
 * Returns the error of a file of a job, beside its path, with members as `ingest` has them, whichever command shows it: the user
 * would type that again.
 */
export function asIngested(message: string): string {
  return besidePath(message).replace(SNAKE_CASE, (word) => (OF_INGEST.has(word) ? (NAMES[word] ?? word) : word));
}

/** An element of a list is named like the list. */
function aboutTyped(message: string, member: string, command: Command): string {
  const [head = '', ...rest] = member.split('.');
  const name = typedName(command, head);
  if (name === undefined) return message;
  if (message.startsWith(`${head} `)) return `${name}${message.slice(head.length)}`;
  if (!message.startsWith(`${member} `)) return message;
  const inside = rest.filter((part) => !/^\d+$/.test(part)).join('.');
  return `${name}${inside === '' ? '' : ` ${inside}`}${message.slice(member.length)}`;
}

/** Returns the option or argument that a member comes from; nothing where the command has none of it. */
function typedName(command: Command, member: string): string | undefined {
  const has = (typed: string): boolean =>
    command.options.some(({ long }) => long === typed) ||
    command.registeredArguments.some((argument) => `<${argument.name()}>` === typed);
  return [`--${member.replaceAll('_', '-')}`, `<${member}>`, NAMES[member]].find(
    (typed) => typed !== undefined && has(typed),
  );
}
