import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { type Environment, lookUp, nearestVariable, serviceName, unknownVariables } from './config/naming.js';
import { isPostgresAddress } from './config/postgres-address.js';
import type { Settings } from './config/schema.js';
import { deepFreeze, isTree, leaves, overlay, type Tree, withValue } from './config/tree.js';
import { validateSettings } from './config/validate.js';
import { readVariable, VARIABLES } from './config/variables.js';
import { SvcError } from './core/errors.js';
import { packageRoot } from './core/package-root.js';

export { masked, maskedAddress } from './config/mask.js';

export interface RateLimit {
  readonly per_second: number;
  readonly burst: number;
}

type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;
type Known<T, K extends keyof T> = Omit<T, K> & { [P in K]: NonNullable<T[P]> };

interface Resolved extends Omit<Settings, 'http' | 'vectors' | 'text' | 'graph' | 'interop'> {
  /** `svc`, or what `SVC_NAME` or the executable's alias says. */
  name: string;
  http: Omit<Settings['http'], 'rate_limit'> & { rate_limit: RateLimit | null };
  vectors: Known<Settings['vectors'], 'kind'>;
  text: Known<Settings['text'], 'kind'>;
  graph: Known<Settings['graph'], 'neo4j_uri'>;
  interop: Known<Settings['interop'], 'file'>;
}

/** The whole configuration: read once, validated, frozen. Parts get their slice (`config.http`, `config.graph`, …). */
export type Config = Frozen<Resolved>;

export interface LoadOptions {
  /** Default: the environment of the process. */
  readonly environment?: Environment;
  /** Path the program was started by; its name is the alias. */
  readonly executable?: string | undefined;
  /** Values of command-line flags, over everything: flag, setting's path, value. */
  readonly flags?: ReadonlyArray<readonly [flag: string, path: string, value: unknown]>;
}

/** Reads the defaults, the file of `SVC_CONFIG`, the environment and the flags. Throws `invalid_input` naming the culprit. */
export function loadConfig(options: LoadOptions = {}): Config {
  const environment = options.environment ?? process.env;
  const name = serviceName(environment, options.executable);
  const origins = new Map<string, string>();

  let tree = defaults();
  const file = lookUp(environment, name, 'CONFIG');
  if (file !== undefined) {
    const over = readYaml(resolve(file.text.trim()), file.variable);
    tree = overlay(tree, over);
    for (const path of leaves(over)) origins.set(path, `${path} of ${file.text.trim()}`);
  }
  for (const [key, variable] of Object.entries(VARIABLES)) {
    const found = lookUp(environment, name, key);
    if (found === undefined) continue;
    tree = withValue(tree, variable.path, readVariable(variable, found.text));
    origins.set(variable.path, found.variable);
  }
  for (const [flag, path, value] of options.flags ?? []) {
    tree = withValue(tree, path, value);
    origins.set(path, flag);
  }
  validateSettings(tree, origins);
  return deepFreeze(resolved(name, tree, environment));
}

/** Returns the variables of the environment that look like settings and are none. */
export function misspelt(config: Config, environment: Environment = process.env): string[] {
  return unknownVariables(environment, config.name);
}

/** Returns a sentence for each variable that looks like a setting and is none. */
export function unreadVariables(config: Config, environment: Environment = process.env): string[] {
  return misspelt(config, environment).map((variable) => {
    const meant = nearestVariable(variable, config.name);
    return `${variable} is set, and no setting reads it${meant === undefined ? '.' : `; did you mean ${meant}?`}`;
  });
}

let shipped: Tree | undefined;

/** Reads the file of defaults, once per process; the value is never changed (`overlay` and `withValue` copy). */
function defaults(): Tree {
  shipped ??= readYaml(join(packageRoot(), 'config', 'default.yaml'));
  return shipped;
}

function readYaml(path: string, variable?: string): Tree {
  const subject = variable === undefined ? path : `${variable} (${path})`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SvcError('invalid_input', `${subject} cannot be read; name a readable YAML file.`, undefined, { cause });
  }
  let value: unknown;
  try {
    // A warning would show its line, which may hold a key.
    value = parse(text, { logLevel: 'error' }) ?? {};
  } catch (cause) {
    // The parser shows the line below its first sentence, which ends with a colon.
    const first = cause instanceof Error ? (cause.message.split('\n')[0] ?? '').replace(/[:.\s]+$/, '') : '';
    // What it quotes from the file behind a colon may be a key.
    const reason = first.replace(/: .*?(?=(?: at line \d+, column \d+)?$)/, '');
    throw new SvcError('invalid_input', `${subject} is not valid YAML: ${reason}.`, undefined, { cause });
  }
  if (!isTree(value)) throw new SvcError('invalid_input', `${subject} must hold a YAML mapping.`);
  return value;
}

function resolved(name: string, settings: Settings, environment: Environment): Resolved {
  const { store, graph, tracing } = settings;
  const vectors = settings.vectors.kind ?? (store.kind === 'postgres' ? 'pgvector' : 'hnsw');
  const text = settings.text.kind ?? 'postings';
  need(store.kind !== 'postgres' || store.database_url !== null, 'SVC_STORE=postgres needs DATABASE_URL.');
  need(vectors !== 'pgvector' || store.database_url !== null, 'SVC_VEC=pgvector needs DATABASE_URL.');
  // Only where it is used: other programs read a variable of this name too.
  const usesPostgres = store.kind === 'postgres' || vectors === 'pgvector';
  need(
    !usesPostgres || /^postgres(ql)?:\/\//.test(store.database_url ?? ''),
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/database.',
  );
  need(
    !usesPostgres || isPostgresAddress(store.database_url ?? ''),
    'DATABASE_URL cannot be read as an address: percent-encode special characters of its user and password (/ is %2F, # is %23, % is %25, @ is %40), and give a number as port.',
  );
  need(vectors !== 'qdrant' || settings.vectors.qdrant_url !== null, 'SVC_VEC=qdrant needs SVC_QDRANT_URL.');
  need(text !== 'neo4j' || graph.kind === 'neo4j', 'SVC_TEXT=neo4j needs SVC_GRAPH=neo4j.');
  const roots = settings.ingest.roots.length > 0 ? settings.ingest.roots : ['.'];
  return {
    ...settings,
    name,
    http: { ...settings.http, rate_limit: rateLimit(settings.http.rate_limit) },
    data: { ...settings.data, dir: resolve(settings.data.dir) },
    vectors: { ...settings.vectors, kind: vectors },
    text: { kind: text },
    graph: {
      ...graph,
      neo4j_uri: graph.neo4j_uri ?? `bolt://${graph.neo4j_host ?? '127.0.0.1'}:${graph.neo4j_port}`,
    },
    interop: { file: settings.interop.file ?? join(userConfigDirectory(environment), name, 'interop.yaml') },
    ingest: { roots: roots.map((root) => resolve(root)) },
    tracing: { ...tracing, enabled: isTraced(tracing) },
  };
}

function isTraced({ enabled, exporter, endpoint, traces_endpoint }: Config['tracing']): boolean {
  return exporter !== 'none' && (enabled || (endpoint ?? traces_endpoint) !== null);
}

/** Returns the directory of the user's configuration files, as the XDG base directory specification has it. */
function userConfigDirectory(environment: Environment): string {
  const given = environment.XDG_CONFIG_HOME ?? '';
  return isAbsolute(given) ? given : join(homedir(), '.config');
}

function need(condition: boolean, sentence: string): void {
  if (!condition) throw new SvcError('invalid_input', sentence);
}

function rateLimit(text: string | null): RateLimit | null {
  if (text === null) return null;
  const [perSecond, burst] = text.split(':').map(Number);
  return { per_second: perSecond!, burst: Math.max(burst ?? perSecond! * 2, perSecond!) };
}

/** Returns the value of a variable that a stored reference (`env:NAME`) names. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}
