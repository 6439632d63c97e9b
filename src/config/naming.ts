import { basename } from 'node:path';
import { SvcError } from '../core/errors.js';
import { nearest } from '../core/text/edit-distance.js';
import { LEADING, VARIABLES } from './variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[a-z][a-z0-9_-]*$/;
const FALLBACK = 'SVC';
/** Names of the executable that are no alias: ours, and the files behind it. */
const OWN = new Set(['svc', 'main']);

/** Returns the service's name: `SVC_NAME`, else the alias that the executable was called by, else `svc`. */
export function serviceName(environment: Environment, executable: string | undefined): string {
  const given = environment.SVC_NAME?.trim() ?? '';
  if (given !== '') {
    if (!NAME.test(given)) {
      throw new SvcError(
        'invalid_input',
        `SVC_NAME must be lower-case letters, digits, _ and - after a letter, not ${JSON.stringify(given)}.`,
      );
    }
    return given;
  }
  const alias = basename(executable ?? '').replace(/\.[a-z]+$/i, '');
  return NAME.test(alias) && !OWN.has(alias) ? alias : 'svc';
}

/** Returns the prefix of environment variables: `ACME` for the name `acme`. */
function environmentPrefix(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** Looks a variable up: under the service's own prefix first, then `SVC_`. An empty one counts as unset. */
export function lookUp(
  environment: Environment,
  name: string,
  key: string,
): { variable: string; text: string } | undefined {
  const unprefixed = VARIABLES[key]?.unprefixed === true;
  const candidates = unprefixed ? [key] : [`${environmentPrefix(name)}_${key}`, `${FALLBACK}_${key}`];
  for (const variable of candidates) {
    const text = environment[variable];
    if (text !== undefined && text.trim() !== '') return { variable, text };
  }
  return undefined;
}

/** Returns the variables with our prefix that no setting reads: most likely misspelt. */
export function unknownVariables(environment: Environment, name: string): string[] {
  const prefixes = [...new Set([environmentPrefix(name), FALLBACK])];
  const known = new Set<string>([
    ...LEADING,
    ...Object.keys(VARIABLES).filter((key) => VARIABLES[key]?.unprefixed !== true),
  ]);
  return Object.keys(environment)
    .filter((variable) =>
      prefixes.some((prefix) => variable.startsWith(`${prefix}_`) && !known.has(variable.slice(prefix.length + 1))),
    )
    .sort();
}

/** Returns the variable that a misspelt one most likely stands for: `SVC_API_KEYS` for `SVC_API_KEY`. */
export function nearestVariable(wrong: string, name: string): string | undefined {
  const prefix = [environmentPrefix(name), FALLBACK].find((one) => wrong.startsWith(`${one}_`)) ?? FALLBACK;
  const key = nearest(wrong.slice(prefix.length + 1), [...LEADING, ...Object.keys(VARIABLES)]);
  if (key === undefined) return undefined;
  return VARIABLES[key]?.unprefixed === true ? key : `${prefix}_${key}`;
}
