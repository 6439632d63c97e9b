import { describe, expect, it } from '@jest/globals';
import { chosenTools, moreTools } from '../../src/mcp/profile.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { parametersOf, SPECIFIED } from './specification.js';

interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [other: string]: unknown;
}

const listed = tools.map((tool) => ({ tool, shown: listing(tool, 'svc') }));
/** Ours, offered with `SVC_TOOLS=all`. */
const extra = moreTools.map((tool) => ({ tool, shown: listing(tool, 'svc') }));

/** The specification's word for a schema. */
function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return typeOf(schema.anyOf[0]!);
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'array':
      return `list[${typeOf(schema.items!)}]`;
    default:
      return 'dict';
  }
}

describe('the tools', () => {
  it('are the 34 of the specification, in its order', () => {
    expect(tools.map((tool) => tool.name)).toEqual(SPECIFIED.map(([name]) => name));
    expect(tools).toHaveLength(34);
  });

  it.each(listed.map(({ tool, shown }, i) => [tool.name, shown, SPECIFIED[i]![1]] as const))(
    '%s takes exactly its parameters, with their types, defaults and stars',
    (name, shown, text) => {
      const schema = shown.inputSchema as Schema;
      const wanted = parametersOf(text);
      // Beyond the specification: a long list is read page by page.
      const paging = name === 'rules' ? ['limit', 'offset'] : [];
      expect(Object.keys(schema.properties ?? {})).toEqual([...wanted.map((one) => one.name), ...paging]);
      for (const [member, { description }] of Object.entries(schema.properties ?? {}))
        expect([member, description]).toEqual([member, expect.stringMatching(/\w{3}/)]);
      expect(schema.required ?? []).toEqual(wanted.filter((one) => one.required).map((one) => one.name));
      for (const one of wanted) {
        const member = schema.properties![one.name]!;
        expect([one.name, typeOf(member)]).toEqual([one.name, one.type.replace(/^dict.*/, 'dict')]);
        const value = one.default === 'all' && member.default !== undefined ? [] : one.default;
        expect([one.name, member.default]).toEqual([one.name, value === 'all' ? undefined : value]);
      }
    },
  );

  it.each([...listed, ...extra].map(({ tool, shown }) => [tool.name, shown] as const))(
    '%s is described for a model',
    (_name, shown) => {
      const sentences = shown.description.split(/(?<=\.)\s+/);
      expect(sentences.length).toBeLessThanOrEqual(2);
      expect(shown.description).toMatch(/\.$/);
      expect(shown.description).toMatch(/\b(use|after|before|when|follow|report)\b/i);
      expect(shown.inputSchema.type).toBe('object');
      expect(shown.outputSchema.type).toBe('object');
      for (const schema of [shown.inputSchema, shown.outputSchema] as Schema[]) {
        for (const word of ['oneOf', 'anyOf', 'allOf', 'not', '$ref']) expect(schema).not.toHaveProperty([word]);
      }
      expect(Object.keys(shown.annotations)).toEqual([
        'title',
        'readOnlyHint',
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
      ]);
    },
  );

  it('that delete say so, and those that read say so', () => {
    const named = (hint: 'readOnlyHint' | 'destructiveHint' | 'openWorldHint') =>
      listed.filter(({ shown }) => shown.annotations[hint]).map(({ tool }) => tool.name);
    expect(named('destructiveHint')).toEqual([
      'source_disconnect',
      'vector_delete_index',
      'vector_delete',
      'vector_delete_many',
      'learning_reset',
    ]);
    expect(named('readOnlyHint')).toEqual([
      'domains',
      'status',
      'explore',
      'rules',
      'compare',
      'stats',
      'source_discover',
      'source_list',
      'source_inspect_schema',
      'vector_list_indexes',
      'vector_describe_index',
      'vector_query',
      'learning_posteriors',
      'learning_metrics',
    ]);
    expect(named('openWorldHint')).toEqual([
      'source_connect',
      'source_discover',
      'source_sync',
      'source_inspect_schema',
      'source_ingest_graph',
    ]);
  });
});

describe('the profile', () => {
  const names = (...profile: string[]) => chosenTools(profile, 'svc').map((tool) => tool.name);
  it('offers the 34 by default, 11 as core, ours too with all', () => {
    expect(names('default')).toEqual(tools.map((tool) => tool.name));
    expect(names('core')).toEqual(SPECIFIED.slice(0, 11).map(([name]) => name));
    expect(names('all')).toHaveLength(34 + moreTools.length);
  });

  it('refuses a name that is no tool', () => {
    expect(() => names('core', 'svc_qeury')).toThrow(/SVC_TOOLS names qeury, which is no tool/);
  });

  it('describes only parameters that the operation has', () => {
    for (const { tool, shown } of [...listed, ...extra])
      expect([tool.name, Object.keys((shown.inputSchema as Schema).properties ?? {})]).toEqual([
        tool.name,
        tool.parameters,
      ]);
  });

  it('takes names with and without prefix, in the order of the table', () => {
    expect(names('svc_vector_query', 'feedback')).toEqual(['feedback', 'vector_query']);
    expect(names('core', 'learning_select')).toHaveLength(12);
  });
});
