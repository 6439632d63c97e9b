import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { leaves, valueAt } from '../../src/config/tree.js';
import { SECRETS, VARIABLES } from '../../src/config/variables.js';
import { loadConfig, masked, misspelt, unreadVariables } from '../../src/config.js';
import { SvcError } from '../../src/core/errors.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

function yaml(text: string): string {
  const path = join(directory, 'settings.yaml');
  writeFileSync(path, text);
  return path;
}

function refusal(environment: Record<string, string>): string {
  try {
    loadConfig({ environment });
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}

/** Variables that need others beside them, given here. */
const COMPANIONS: Record<string, string> = { DATABASE_URL: 'postgres://h/d', SVC_QDRANT_URL: 'http://h' };

function variableOf(key: string): string {
  return VARIABLES[key]!.unprefixed === true ? key : `SVC_${key}`;
}

describe('the configuration', () => {
  it('has the documented defaults', () => {
    const config = loadConfig({ environment: {} });
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8400, port_b: 8741, max_body_bytes: 10 * 2 ** 20 });
    expect(config.auth).toMatchObject({ api_keys: [], hmac_secret: null, hmac_max_age: 300 });
    expect([config.store.kind, config.vectors.kind, config.graph.kind, config.text.kind]).toEqual([
      'sqlite',
      'hnsw',
      'embedded',
      'postings',
    ]);
    expect(config.embedding.kind).toBe('minilm');
  });

  it('refuses a grid carbon that is no number, and names the variable', () => {
    expect(refusal({ SVC_GREEN_GRID_CARBON: 'x' })).toContain('SVC_GREEN_GRID_CARBON');
  });

  it('is frozen to the last member', () => {
    const config = loadConfig({ environment: {} });
    expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError);
    expect(() => (config.http.cors_origins as string[]).push('x')).toThrow(TypeError);
  });

  it('documents every variable beside its setting in the file of defaults', () => {
    const text = readFileSync('config/default.yaml', 'utf8');
    const known = new Set(leaves(parse(text) as Record<string, unknown>));
    for (const [key, { path }] of Object.entries(VARIABLES)) {
      expect(known).toContain(path);
      expect(text).toMatch(new RegExp(`^  ${path.split('.').at(-1)}:.*# ${variableOf(key)}\\b`, 'm'));
    }
  });

  it('takes flags over the environment, the environment over the file, the file over the defaults', () => {
    const environment = {
      SVC_CONFIG: yaml('http: {host: 10.0.0.1, port: 1, port_b: 1}'),
      SVC_PORT: '2',
      SVC_PORT_B: '2',
    };
    const { http } = loadConfig({ environment, flags: [['--port', 'http.port', 3]] });
    expect([http.host, http.port, http.port_b, http.drain_seconds]).toEqual(['10.0.0.1', 3, 2, 10]);
  });

  it('lets the vector index follow the store', () => {
    const postgres = { SVC_STORE: 'postgres', DATABASE_URL: 'postgres://h/d' };
    expect(loadConfig({ environment: postgres }).vectors.kind).toBe('pgvector');
    expect(loadConfig({ environment: { ...postgres, SVC_VEC: 'memory' } }).vectors.kind).toBe('memory');
  });

  it('takes an empty variable as unset', () => {
    expect(loadConfig({ environment: { SVC_PORT: '', SVC_API_KEYS: ' ' } })).toEqual(loadConfig({ environment: {} }));
  });

  it('reads learners and outcomes from the file', () => {
    const path = yaml('learners: {tips: {baseline_rate: 0.2, seed_arms: [a]}}\nlearning: {outcomes: {shipped: 1}}');
    const config = loadConfig({ environment: { SVC_CONFIG: path } });
    expect(config.learners.tips).toEqual({ baseline_rate: 0.2, seed_arms: ['a'] });
    expect(config.learning.outcomes).toEqual({ shipped: 1 });
  });
});

describe('a name', () => {
  it('renames the prefix of variables, with SVC_ as fallback', () => {
    const environment = { SVC_NAME: 'acme-kb', ACME_KB_PORT: '1', SVC_PORT: '2', SVC_PORT_B: '3' };
    const { name, http } = loadConfig({ environment });
    expect([name, http.port, http.port_b]).toEqual(['acme-kb', 1, 3]);
  });

  it.each([
    ['/usr/local/bin/acme', 'acme'],
    ['/x/acme.js', 'acme'],
    ['/x/svc', 'svc'],
    ['/x/main.ts', 'svc'],
    ['/x/dist/program/main.js', 'svc'],
    ['/x/Not A Name', 'svc'],
  ])('comes from the executable %s: %s', (executable, name) => {
    expect(loadConfig({ environment: {}, executable }).name).toBe(name);
  });

  it.each(['A', '1a', 'a b', 'ä', '-a'])('is refused when it is %s', (name) => {
    expect(refusal({ SVC_NAME: name })).toContain('SVC_NAME');
  });
});

describe('a wrong setting', () => {
  it.each([
    [{ SVC_PORT: '70000' }, 'SVC_PORT must be a number from 0 to 65535, not 70000.'],
    [{ SVC_PORT: '80a' }, 'SVC_PORT must be a whole number from 0 to 65535, not "80a".'],
    [{ SVC_GRAPH: 'oracle' }, 'SVC_GRAPH must be one of embedded, neo4j, memory, not "oracle".'],
    [{ SVC_INTEROCEPTION: 'perhaps' }, 'SVC_INTEROCEPTION must be on or off, not "perhaps".'],
    [{ SVC_HMAC_COMPAT: 'none' }, 'SVC_HMAC_COMPAT must be one of path-only, timestamp-body, not "none".'],
    [{ SVC_STORE: 'postgres' }, 'SVC_STORE=postgres needs DATABASE_URL.'],
    [
      { SVC_STORE: 'postgres', DATABASE_URL: 'mysql://u:hunter2@h/d' },
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/database.',
    ],
    ...['SVC_LEARNING_URL', 'SVC_EMBEDDING_URL', 'SVC_LLM_URL', 'SVC_QDRANT_URL'].map((name): [object, string] => [
      { [name]: 'ftp://learner:8400' },
      `${name} must be an http or https address such as http://host:port.`,
    ]),
    [
      { SVC_QUERY_TIMEOUT_MS: '1e9999' },
      'SVC_QUERY_TIMEOUT_MS must be a whole number from 0 to 3600000, not "1e9999".',
    ],
    [{ SVC_NAME: 'acme', ACME_PORT: 'x' }, 'ACME_PORT must be a whole number from 0 to 65535, not "x".'],
  ])('is named with what is allowed: %j', (environment, sentence) => {
    expect(refusal(environment as Record<string, string>)).toBe(sentence);
  });

  it.each([
    'postgres://svc:hunter2/x@h:5432/d',
    'postgres://svc:hunter2#x@h:5432/d',
    'postgresql://svc:hunter2%x@h/d',
    'postgres://svc:hunter2@h:port/d',
  ])('DATABASE_URL, where its password is not encoded, is refused with what to do: %s', (url) => {
    const sentence = refusal({ SVC_STORE: 'postgres', DATABASE_URL: url });
    expect(sentence).toMatch(/^DATABASE_URL cannot be read as an address: percent-encode /);
    expect(sentence).not.toContain('hunter2');
  });

  it.each([
    'postgres://svc:a%2Fb%25@h:5432/d',
    'postgres:///d?host=/var/run/postgresql',
    'postgres://svc:x@/d',
    'postgresql://%2Fvar%2Frun/d',
  ])('is none where DATABASE_URL is one that the driver reads: %s', (url) => {
    expect(loadConfig({ environment: { SVC_STORE: 'postgres', DATABASE_URL: url } }).store.database_url).toBe(url);
  });

  it.each([
    ['http: {prot: 1}', 'http.prot'],
    ['http: {port: -1}', 'http.port'],
    ['[1]', 'mapping'],
    ['http: [', 'YAML'],
    ['auth: {hmac_secret: {a: 1}}', 'auth.hmac_secret'],
  ])('of the file is named: %s', (text, expected) => {
    expect(refusal({ SVC_CONFIG: yaml(text) })).toContain(expected);
  });

  it('of the file that does not exist is named with the file, and with the one that was meant', () => {
    const file = yaml('querry: {timeout_ms: 5}');
    expect(refusal({ SVC_CONFIG: file })).toBe(`querry of ${file} is not a setting; did you mean query?`);
    const inner = yaml('http: {prot: 1}');
    expect(refusal({ SVC_CONFIG: inner })).toBe(`http.prot of ${inner} is not a setting; did you mean port?`);
    const far = yaml('colour: red');
    expect(refusal({ SVC_CONFIG: far })).toBe(`colour of ${far} is not a setting; see config/default.yaml.`);
  });

  it('leaves no sentence open where the file is no YAML', () => {
    const file = yaml('http: {port: 1\n  a: b: c');
    expect(refusal({ SVC_CONFIG: file })).toMatch(/is not valid YAML: .*[^:.]\.$/);
  });

  it('never shows a secret or an address', () => {
    expect(refusal({ DATABASE_URL: 'me:hunter2' })).not.toContain('hunter2');
    expect(refusal({ SVC_CONFIG: yaml('auth: {hmac_secret: [hunter2]}') })).not.toContain('hunter2');
    const notMapping = refusal({ SVC_CONFIG: yaml('auth: keys'), SVC_API_KEYS: 'hunter2' });
    expect(notMapping).toMatch(/^auth of .* must be a mapping with \w+\.$/);
    expect(refusal({ SVC_CONFIG: yaml('auth: {api_keys: {ada: hunter2}}') })).not.toContain('hunter2');
    expect(refusal({ SVC_CONFIG: yaml('auth: hunter2') })).toMatch(/^auth of .* must be a mapping\.$/);
    for (const key of ['*hunter2', '>hunter2', '|hunter2']) {
      expect(refusal({ SVC_CONFIG: yaml(`auth:\n  api_keys: ${key}`) })).toMatch(
        /^(?!.*hunter2).*is not valid YAML: \w/,
      );
    }
  });

  it('is no mapping whose members are all commented out', () => {
    const environment = { SVC_CONFIG: yaml('auth:\n  # keys_file: x\nhttp:\n  port: 5\n'), SVC_API_KEYS: 'hunter2' };
    const { auth, http } = loadConfig({ environment });
    expect([auth.api_keys, auth.keys_file, http.port]).toEqual([['hunter2'], null, 5]);
  });

  it('that Kubernetes set says so', () => {
    expect(refusal({ SVC_PORT: 'tcp://10.0.0.1:8400' })).toMatch(/^SVC_PORT must be .*enableServiceLinks: false/);
  });

  it('names its variable or is accepted, whatever the text', () => {
    const keys = Object.keys(VARIABLES);
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.string({ unit: 'grapheme' }), (key, text) => {
        const variable = variableOf(key);
        try {
          loadConfig({ environment: { ...COMPANIONS, [variable]: text.replaceAll('\0', '') } });
        } catch (error) {
          expect(error).toBeInstanceOf(SvcError);
          expect((error as Error).message).toContain(variable);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('may be a misspelt variable, which is found', () => {
    const environment = { SVC_PROT: '1', SVC_PORT: '1', SVC_NAME: 'svc', ACME_X: '1', DATABASE_URL: 'a://b' };
    expect(misspelt(loadConfig({ environment }), environment)).toEqual(['SVC_PROT']);
    const wrong = { SVC_API_KEY: 'x', SVC_DATABASE_URL: 'a://b', SVC_NAME: 'acme', ACME_STOR: 'x', ACME_QQQQQQQQ: '' };
    expect(unreadVariables(loadConfig({ environment: wrong }), wrong)).toEqual([
      'ACME_QQQQQQQQ is set, and no setting reads it.',
      'ACME_STOR is set, and no setting reads it; did you mean ACME_STORE?',
      'SVC_API_KEY is set, and no setting reads it; did you mean SVC_API_KEYS?',
      'SVC_DATABASE_URL is set, and no setting reads it; did you mean DATABASE_URL?',
    ]);
  });
});

describe('the configuration for showing', () => {
  it('hides every secret and keeps the rest', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{32,40}$/), (secret) => {
        const environment: Record<string, string> = {
          DATABASE_URL: `postgres://user:${secret}@host/db?sslpassword=${secret}`,
          SVC_NEO4J_URI: `bolt://user:${secret}@host`,
        };
        for (const [key, { path }] of Object.entries(VARIABLES)) {
          if (SECRETS.includes(path)) environment[`SVC_${key}`] = secret;
        }
        const config = loadConfig({ environment });
        const shown = masked(config);
        expect(JSON.stringify(shown)).not.toContain(secret);
        expect(shown.store.database_url).toBe('postgres://user:***@host/db?sslpassword=***');
        for (const path of SECRETS) expect(valueAt(config, path)).not.toEqual(valueAt(shown, path));
        expect(shown.http).toEqual(config.http);
      }),
      { numRuns: 20 },
    );
  });
});
