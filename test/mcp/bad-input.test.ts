import { beforeAll, describe, expect, it } from '@jest/globals';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { GOOD_CALLS, type Json, type Round } from './calls.js';
import { type CallResult, httpV1 } from './connections.js';
import { toolWorld } from './tool-world.js';
import { startWorld } from './world.js';

const tested = toolWorld();
let round: Round;
beforeAll(async () => {
  round = { world: tested.world, tag: 'bad' };
  for (const call of GOOD_CALLS) {
    const answer = await tested.client.call(`svc_${call.tool}`, call.input(round));
    if (answer.isError === true) throw new Error(`${call.tool}: ${answer.content[0]?.text}`);
    call.check?.(answer.structuredContent!, round);
  }
});

interface Schema {
  readonly type?: string;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly minItems?: number;
}

const HUGE = 'ä'.repeat(300_000);

/** What tools that remove one thing answer when it was removed before. */
const SECOND_REMOVAL: Readonly<Record<string, string>> = {
  source_disconnect: 'source_not_found',
  vector_delete_index: 'index_not_found',
};

/** Values that a member of this schema never accepts. */
function wrong(schema: Schema): Array<[string, unknown]> {
  const kinds: Record<string, unknown> = {
    string: 'text',
    integer: 7,
    number: 0.5,
    boolean: true,
    array: [['x']],
    object: { $unknown: { a: 1 } },
  };
  const accepted = schema.type === 'number' ? ['number', 'integer'] : [schema.type ?? 'string'];
  const others = Object.entries(kinds).filter(([type]) => !accepted.includes(type));
  const more: Array<[string, unknown]> = [];
  if (schema.type === 'integer') more.push(['a fraction', 1.5]);
  if (schema.type === 'array') more.push(['a list of nulls', [null]], ['a list of lists of lists', [[[{}]]]]);
  return [...others.map(([type, value]): [string, unknown] => [`a value of type ${type}`, value]), ...more];
}

/** One JSON text block; a failure has a code that says whose fault it was, never `internal`. */
function requireJson(answer: CallResult): Json {
  expect(answer.content).toHaveLength(1);
  const body = JSON.parse(answer.content[0]!.text!) as Json;
  if (answer.isError === true) {
    expect(body.code).not.toBe('internal');
    expect(typeof body.error).toBe('string');
    expect(String(body.error).length).toBeLessThan(2000);
    expect(answer.structuredContent).toBeUndefined();
  }
  return body;
}

describe.each(tools.filter((tool) => tool.parameters.length > 0).map((tool) => [tool.name, tool] as const))(
  '%s',
  (name, tool) => {
    const { properties, required = [] } = listing(tool, 'svc').inputSchema as unknown as {
      properties: Record<string, Schema>;
      required?: string[];
    };
    const good = () => GOOD_CALLS.find((call) => call.tool === name)!.input(round);
    const call = async (input: Json) => {
      const answer = await tested.client.call(`svc_${name}`, input);
      return { failed: answer.isError === true, body: requireJson(answer) };
    };

    // One test each, because jest refuses an empty table.
    for (const member of required)
      it(`says that ${member} is missing`, async () => {
        const { [member]: _, ...rest } = good();
        const missing = await call(rest);
        expect(missing).toMatchObject({ failed: true, body: { code: 'invalid_input' } });
        expect(missing.body.error).toContain(member);
        expect(await call({ ...good(), [member]: null })).toMatchObject({
          failed: true,
          body: { code: 'invalid_input' },
        });
      });

    for (const member of Object.keys(properties).filter((key) => !required.includes(key)))
      it(`takes null for ${member} as absent`, async () => {
        const { [member]: _, ...rest } = good();
        const [absent, nil] = [await call(rest), await call({ ...rest, [member]: null })];
        expect([nil.failed, nil.body.code]).toEqual([absent.failed, absent.body.code]);
      });

    it.each(Object.entries(properties))('refuses values of other types for %s', async (member, schema) => {
      for (const [what, value] of wrong(schema)) {
        const { failed, body } = await call({ ...good(), [member]: value });
        expect([what, failed, body.code]).toEqual([what, true, 'invalid_input']);
        expect([what, body.error]).toEqual([what, expect.stringContaining(member)]);
      }
    });

    it('answers JSON to huge and odd texts anywhere', async () => {
      const texts = Object.entries(properties).filter(([, schema]) => schema.type === 'string');
      for (const [member] of texts) {
        for (const text of [HUGE, '', '\u0000', '../../etc/passwd', "'; drop table x; --", '\u{1F600}'.repeat(50)]) {
          await call({ ...good(), [member]: text });
        }
      }
    });

    it('ignores members that it does not know', async () => {
      await call(good());
      const more = await call({ ...good(), surprise: { a: [1] } });
      expect([more.failed, more.body.code]).toEqual([SECOND_REMOVAL[name] !== undefined, SECOND_REMOVAL[name]]);
    });
  },
);

describe('the tool server', () => {
  it('answers a tool that does not exist with the protocol error -32602', async () => {
    await expect(tested.client.call('svc_nothing', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('svc_nothing'),
    });
  });

  it('answers JSON where the store is gone', async () => {
    const lost = await startWorld();
    const other = await httpV1(`${lost.a}/mcp`);
    await lost.service.store.close();
    const status = await other.call('svc_status', {});
    expect(status.isError).toBeFalsy();
    expect(status.structuredContent).toMatchObject({ status: 'degraded', problems: expect.any(Array) });
    expect((status.structuredContent!.health as Json).store).not.toBe('ok');
    // Names of vector indexes are known to the one process that has them; everything else is read.
    expect((await other.call('svc_vector_list_indexes', {})).structuredContent).toEqual({ indexes: [] });
    for (const name of ['domains', 'stats', 'source_list', 'rules']) {
      const answer = await other.call(`svc_${name}`, {});
      expect([name, answer.isError, answer.structuredContent]).toEqual([name, true, undefined]);
      expect([name, Object.keys(JSON.parse(answer.content[0]!.text!) as Json)]).toEqual([name, ['error', 'code']]);
    }
    await other.close();
    await lost.close().catch(() => undefined);
  });
});
