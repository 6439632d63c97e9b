import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonEnvironment } from '../../scripts/live/process.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';

/** Examples of each operation; docs/benchmarks/tools.md has the run of 5,000 cases. */
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '8';
/** Seconds after which a run stops, by variant: A has five times the rows of B. */
const SECONDS = {
  a: Number(process.env.SCHEMATHESIS_SECONDS ?? 85),
  b: Number(process.env.SCHEMATHESIS_SECONDS ?? 35),
};
/** Cases that a run must have had; 0 does not care. */
const CASES = Number(process.env.SCHEMATHESIS_CASES ?? 0);
const KEY = 'a-key-of-the-test';

let command: string;
beforeAll(() => {
  const folder = (pythonEnvironment as (name: string, packages: string[]) => string)('schemathesis', [
    'schemathesis==4.32.5',
  ]);
  command = join(folder, 'bin', 'schemathesis');
});

/**
 * Settings of a run. A schema cannot say everything: a request line beyond 16 KiB is 431 and a body beyond 10 MiB is 413,
 * whatever it holds; operations whose document has sentences "beyond the schema" may refuse what the schema allows, and only
 * these; 415 is a file of a type that the service cannot read; 503 of `project` is a language model that is asked for and not
 * configured.
 */
function settings(name: VariantName): string {
  const withRules = VARIANTS[name].rows.filter(({ operation }) => operation.rules !== undefined);
  const operations = withRules.map(
    ({ operation }) => `[[operations]]
include-operation-id = "${operation.name}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "409", "415", "431", "503"]
${operation.name === 'project' ? 'checks.not_a_server_error.expected-statuses = ["2xx", "4xx", "503"]' : ''}
`,
  );
  return `[checks]
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "431"]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "431"]

${operations.join('\n')}`;
}

/**
 * A member of the name `__proto__` is refused in every body, and a text of NUL or invisible marks alone counts as empty, which no
 * schema says: such bodies are not generated. In a form
 * every value is text, so a number or list in place of a text is the valid text of it: such forms are not generated either, nor is a query
 * with a text in place of a list, which is the valid list of it.
 */
const HOOKS = `import json
import unicodedata
import schemathesis


def is_stray(character):
    return character == "\\0" or unicodedata.category(character) == "Cf"


def holds_empty_text(value):
    if isinstance(value, str):
        return value != "" and all(map(is_stray, value))
    if isinstance(value, dict):
        return any(map(holds_empty_text, value.values()))
    return isinstance(value, list) and any(map(holds_empty_text, value))


@schemathesis.hook
def filter_body(context, body):
    return "__proto__" not in json.dumps(body, default=str) and not holds_empty_text(body)


def is_text(value):
    return isinstance(value, (str, bytes))


def is_wire_form(case):
    if case.media_type != "multipart/form-data" or not isinstance(case.body, dict):
        return True
    return all(
        is_text(value) or (name == "files" and isinstance(value, list) and all(map(is_text, value)))
        for name, value in case.body.items()
    )


def is_wire_query(case):
    lists = [one.name for one in case.operation.query if one.definition.get("schema", {}).get("type") == "array"]
    return not any(is_text((case.query or {}).get(name)) for name in lists)


@schemathesis.hook
def filter_case(context, case):
    return is_wire_form(case) and is_wire_query(case)
`;

describe.each([
  ['without keys', {}],
  // It leaves the key out hundreds of times from one address; test/server/keys.test.ts has what happens then.
  ['with a key', { SVC_API_KEYS: KEY, SVC_AUTH_FAILURES: '1000000' }],
] as const)('a service %s', (_name, environment) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(environment);
  });
  afterAll(() => world?.close());

  it.each(Object.keys(VARIANTS) as VariantName[])(
    'passes every check on variant %s',
    async (name) => {
      const url = name === 'a' ? world.a : world.b;
      const config = join(world.directory, `${name}.toml`);
      writeFileSync(config, settings(name));
      writeFileSync(join(world.directory, 'body_hooks.py'), HOOKS);
      const key = 'SVC_API_KEYS' in environment ? ['--header', `Authorization: Bearer ${KEY}`] : [];
      const child = spawn(
        command,
        [
          '--config-file',
          config,
          'run',
          `${url}${VARIANTS[name].base}/openapi.json`,
          '--url',
          url,
          ...key,
          '-n',
          EXAMPLES,
          '--checks',
          'all',
          '--phases',
          'examples,coverage,fuzzing,stateful',
          // One thread: CPython before 3.12 counts the depth of its syntax trees for all threads at
          // once, so two that parse at the same time end the run with a SystemError.
          '--workers',
          '1',
          '--seed',
          '1',
          '--no-color',
          '--max-time',
          String(SECONDS[name]),
        ],
        {
          cwd: world.directory,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, SCHEMATHESIS_HOOKS: 'body_hooks', PYTHONPATH: world.directory },
        },
      );
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
      const code = await new Promise((resolve) => child.once('exit', resolve));
      const text = Buffer.concat(chunks).toString();
      if (process.env.SCHEMATHESIS_REPORT !== undefined)
        writeFileSync(`${process.env.SCHEMATHESIS_REPORT}-${name}-${key.length}`, text);
      expect([code, code === 0 ? '' : text.slice(-6000)]).toEqual([0, '']);
      const generated = Number(/(\d+) generated/.exec(text)?.[1]);
      process.stdout.write(`variant ${name}: ${generated} cases\n`);
      expect(generated).toBeGreaterThan(CASES);
    },
    400_000,
  );
});
