import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import type { Llm } from '../../src/index.js';
import * as program from './specified-names.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-library-'));
const before = { ...process.env };
beforeAll(() => {
  process.env.SVC_DATA_DIR = join(directory, 'data');
  process.env.XDG_CONFIG_HOME = join(directory, 'config');
});
afterAll(() => {
  process.env = before;
  rmSync(directory, { recursive: true, force: true });
});

describe('a program that uses each name that the specification documents', () => {
  it('compiles', () => {
    const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: object };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
    const file = resolve('test/clients/specified-names.ts');
    const compiled = ts.createProgram([file], { ...options, noEmit: true, incremental: false });
    const source = compiled.getSourceFile(file);
    expect(source).toBeDefined();
    const errors = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('keeps a graph', async () => {
    const rule = 'Never leave the kettle alone.';
    expect(await program.graphBackend()).toEqual({
      connected: true,
      edges: [1, 1],
      best: true,
      removed: null,
      domains: ['kitchen'],
      node: 'Kettle',
      found: 1,
      rules: expect.arrayContaining([rule]),
    });
  });

  it('makes the graph in Neo4j by address and by options', () => {
    const [byAddress, byOptions] = program.neo4jBackends();
    expect([byAddress!.kind, byOptions!.kind]).toEqual(['neo4j', 'neo4j']);
    expect([byAddress, byOptions].map((graph) => graph!.connection.database)).toEqual(['neo4j', 'neo4j']);
    expect(byAddress!.is_connected()).toBe(false);
  });

  it('learns, and finds its state again', async () => {
    const state = join(directory, 'state');
    const first = await program.learner(state);
    expect(first).toEqual({ selected: 1, top: 1, a: ['a'], pulls: 4, session: true, deleted: 1 });
    expect((await program.learner(state)).pulls).toBeGreaterThan(4);
  });

  it('asks in process', async () => {
    const file = join(directory, 'note.md');
    writeFileSync(file, '# Kettles\n\nA kettle boils water.\n');
    expect(await program.clients(file)).toEqual({
      nodes: 2,
      items: 2,
      node: true,
      absent: null,
      projection: 'rules',
      status: 'ok',
      domains: ['kitchen'],
    });
  });

  it('makes a client over HTTP', async () => {
    const client = program.httpClient('http://127.0.0.1:9');
    const error: unknown = await client.status().catch((reason: unknown) => reason);
    expect(program.kindOf(error)).toBe('connection');
    await client.close();
  });

  it('projects rules', async () => {
    const llm: Llm = {
      name: 'down',
      complete: () => Promise.reject(new Error('The model is down.')),
    } as unknown as Llm;
    const found = await program.projection(llm);
    expect(found).toMatchObject({ direct: true, persona: ['cook', 'cook'], same: true, errors: [] });
    expect(found.counts).toBe(1);
    expect(found.functions).toEqual(Array(3).fill('requires:imperative'));
    expect([found.unfiltered, found.projected]).toEqual([1, 1]);
    expect(String(found.text)).toContain('Kettle');
  });

  it('exchanges rule sets and events', async () => {
    expect(await program.interchange(join(directory, 'schemas'))).toEqual({
      schemas: 2,
      pending: true,
      processed: 0,
      failed: 0,
      name: 'cook_1970-01-01T00-00-00.yaml',
      signals: ['projection_complete'],
      invalid: true,
      written: 'string',
    });
  });
});
