import type { TSchema } from '@sinclair/typebox';
import { Argument, type Command, Option } from 'commander';
import { operations } from '../operations/index.js';
import type { Operation } from '../operations/operation.js';
import { collected, decimalNumber, given, jsonValue, wholeNumber } from './arguments.js';
import type { Cli, CommonOptions } from './cli.js';
import { operationNamed } from './connection.js';
import { rendered } from './output/render.js';

export interface OperationCommand {
  readonly operation: keyof typeof operations;
  /** Members that are given by position; the others are options. */
  readonly positional?: readonly string[];
  /** Formats the answer for people; default: as facts and tables. */
  readonly human?: (output: never) => string;
}

/**
 * Makes a command from an operation: its members become arguments and options, its answer is shown as facts and tables.
 */
export function operationCommand(cli: Cli, name: string, spec: OperationCommand): Command {
  const operation: Operation = operationNamed(operations, spec.operation);
  const members = (operation.input.properties ?? {}) as Record<string, TSchema>;
  const required = new Set((operation.input.required ?? []) as string[]);
  const positional = spec.positional ?? [];
  const command = cli.command(name, operation.summary);
  for (const member of positional) {
    const notation = required.has(member) ? `<${member}>` : `[${member}]`;
    command.addArgument(new Argument(notation, members[member]?.description).argParser(parserOf(members[member]!)));
  }
  for (const [member, schema] of Object.entries(members)) {
    if (positional.includes(member)) continue;
    const option = optionFor(member, schema);
    if (required.has(member) && schema.default === undefined) option.makeOptionMandatory();
    command.addOption(option);
  }
  return command.action(async (...args: unknown[]) => {
    const values = args.slice(0, positional.length);
    const options = args[positional.length] as CommonOptions & Record<string, unknown>;
    const input = given({
      ...Object.fromEntries(Object.keys(members).map((member) => [member, options[camel(member)]])),
      ...Object.fromEntries(positional.map((member, i) => [member, values[i]])),
    });
    await cli.show({ command: name, operation: spec.operation, input, options }, spec.human ?? rendered);
  });
}

function optionFor(member: string, schema: TSchema): Option {
  const flag = `--${member.replaceAll('_', '-')}`;
  const isTexts = schema.type === 'array' && isText(schema.items as TSchema);
  const parts = [schema.description, isTexts ? 'May be repeated.' : undefined, defaultOf(schema)];
  const description = parts.filter((part) => part !== undefined).join(' ');
  if (schema.type === 'boolean') {
    // One that is on by default is switched off.
    return schema.default === true
      ? new Option(flag.replace('--', '--no-'), description).default(undefined)
      : new Option(flag, description);
  }
  return new Option(`${flag} <${wordFor(schema)}>`, description).argParser(parserOf(schema));
}

function defaultOf(schema: TSchema): string | undefined {
  const value = schema.default as unknown;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return `(default ${JSON.stringify(value)})`;
}

function wordFor(schema: TSchema): string {
  if (schema.type === 'integer' || schema.type === 'number') return 'n';
  if (schema.type === 'object') return 'json';
  if (schema.type === 'array') return isText(schema.items as TSchema) ? 'text' : 'json';
  return 'text';
}

/**
 * Returns the parser of an option's value: lists of texts are collected from a repeated option, everything structured
 * is JSON.
 */
function parserOf(schema: TSchema): (text: string, before: unknown) => unknown {
  if (schema.type === 'integer') return wholeNumber;
  if (schema.type === 'number') return decimalNumber;
  if (schema.type === 'object') return jsonValue;
  if (schema.type !== 'array') return (text) => text;
  return isText(schema.items as TSchema)
    ? (text, before) => collected(text, before as string[] | undefined)
    : jsonValue;
}

function isText(schema: TSchema | undefined): boolean {
  return schema?.type === 'string';
}

function camel(member: string): string {
  return member.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
