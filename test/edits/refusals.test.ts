import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { openService, type TestService } from '../service/harness.js';
import { DOMAIN, world } from './world.js';

let test: TestService;
const id = (name: string) => conceptId(DOMAIN, name);

beforeAll(async () => {
  test = await openService();
  await world(test);
});
afterAll(() => test.close());

const REFUSED: ReadonlyArray<readonly [object, number, string, string]> = [
  [{ type: 'rename' }, 400, 'type', 'must be one of add_concept'],
  [{ type: 'change_concept', name: 'X' }, 400, 'id', 'id is missing'],
  [{ type: 'change_concept', id: id('Pump') }, 400, 'name', 'send name or description'],
  [{ type: 'change_concept', id: id('Pump'), name: 'Pump' }, 400, 'name', 'has already'],
  [{ type: 'change_concept', id: id('Pump'), name: 'guild' }, 409, 'name', 'merge the two instead'],
  [
    { type: 'change_concept', id: id('Pump'), name: 'P', text: 'x' },
    400,
    'text',
    'does not belong to type change_concept',
  ],
  [{ type: 'change_concept', id: 'mines:none', name: 'X' }, 404, 'id', 'send its id'],
  [{ type: 'change_concept', id: id('Valve'), name: 'X' }, 400, 'id', 'add_concept'],
  [{ type: 'add_concept', name: 'Pump' }, 409, 'name', 'change_concept'],
  [
    { type: 'add_edge', source: 'Pump', relation: 'USES', target: 'Nobody' },
    404,
    'target',
    'no concept of domain mines',
  ],
  [{ type: 'add_edge', source: 'Guild', relation: 'keeps', target: 'Pump' }, 409, 'relation', 'change_edge'],
  [{ type: 'add_edge', source: 'Pump', relation: 'not valid', target: 'Helm' }, 400, 'relation', 'PART_OF'],
  [{ type: 'change_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump' }, 400, 'new_relation', 'confidence'],
  [{ type: 'remove_edge', source: 'Guild', relation: 'OWNS', target: 'Pump' }, 404, 'relation', 'there is KEEPS'],
  [{ type: 'add_rule', text: '  ' }, 400, 'text', 'white space'],
  [{ type: 'add_rule', text: 'X.', name: 'check' }, 409, 'name', 'change_rule'],
  [{ type: 'remove_rule', rule_id: 'rule:none' }, 404, 'rule_id', 'list the rules'],
  [{ type: 'remove_rule', rule_id: 'derived:a->b:USES:x' }, 400, 'rule_id', 'change or remove that edge'],
  [{ type: 'merge', from_id: id('Pump'), into_id: id('Pump') }, 400, 'into_id', 'another concept'],
  [{ type: 'remove_message', session_id: 'talk' }, 400, 'message_id', 'exactly one of message_id and node_id'],
  [{ type: 'remove_message', session_id: 'talk', message_id: 'none' }, 404, 'message_id', 'no message of session talk'],
  [{ type: 'remove_session', session_id: 'none' }, 404, 'session_id', 'no session of domain mines'],
];

describe('an edit that cannot be made', () => {
  it.each(REFUSED)('%j is refused with the member and the fix', async (edit, status, member, words) => {
    const answer = await test.post('/v1/edits', { domain: DOMAIN, ...edit });
    expect([answer.status, answer.body.details?.member]).toEqual([status, member]);
    expect(answer.body.error).toContain(words);
  });

  it('leaves nothing behind', async () => {
    expect((await test.get('/v1/edits')).body).toEqual({ edits: [], total: 0 });
    const { documents } = (await test.get('/v1/documents')).body;
    expect(documents.map((document: { kind: string }) => document.kind)).not.toContain('edits');
  });

  it('in an unknown domain, or an unknown one to undo, is not found', async () => {
    const edit = { domain: 'nowhere', type: 'add_concept', name: 'X' };
    expect((await test.post('/v1/edits', edit)).body).toMatchObject({ code: 'domain_not_found' });
    expect((await test.delete('/v1/edits/none')).body).toMatchObject({ code: 'not_found' });
    expect((await test.get('/v1/edits?domain=nowhere')).status).toBe(404);
  });
});

describe('the list of edits', () => {
  it('is paged, newest first, and leaves out undone ones on request; its source is undone, not forgotten', async () => {
    const made = [];
    for (const name of ['One', 'Two', 'Three']) {
      made.push((await test.post('/v1/edits', { domain: DOMAIN, type: 'add_concept', name })).body.edit_id);
    }
    await test.delete(`/v1/edits/${made[1]}`);
    const page = async (query: string) => {
      const { edits, total } = (await test.get(`/v1/edits?domain=${DOMAIN}&${query}`)).body;
      return [edits.map((edit: { edit_id: string }) => edit.edit_id), total];
    };
    expect(await page('limit=2')).toEqual([[made[2], made[1]], 3]);
    expect(await page('limit=2&offset=2')).toEqual([[made[0]], 3]);
    expect(await page('undone=false')).toEqual([[made[2], made[0]], 2]);
    const { documents } = (await test.get(`/v1/documents?domain=${DOMAIN}`)).body;
    const { source_id } = documents.find((document: { kind: string }) => document.kind === 'edits');
    expect((await test.delete(`/v1/documents/${source_id}`)).body).toMatchObject({ code: 'conflict' });
  });
});
