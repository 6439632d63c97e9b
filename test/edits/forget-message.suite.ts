import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { takeTurn } from '../../src/backends/store/session-messages.js';
import { type EachEnvironment, openService, type TestService } from '../service/harness.js';

const SECRET = 'My password is blue-heron.';
const CAT = 'My cat is called Miso.';

/** A message that is forgotten is gone for good, and nothing else is. */
export function forgetMessageSuite(name: string, environment: EachEnvironment): void {
  describe(`a message that is forgotten, on ${name}`, () => {
    let test: TestService;
    beforeEach(async () => {
      test = await openService(environment);
      await say({ text: CAT, message_id: 'm0' });
      await say({ text: SECRET, message_id: 'm1' });
    });
    afterEach(() => test.close());

    const say = async (message: object) => {
      const sent = { domain: 'ana', session_id: 'talk', role: 'user', ...message };
      const { status, body } = await test.post('/v1/ingest/message', sent);
      expect([status, body.error]).toEqual([200, undefined]);
      return body;
    };
    const forget = async (query: string) => {
      const response = await fetch(`${test.url}/v1/sessions/talk/messages?domain=ana&${query}`, { method: 'DELETE' });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const messages = async () => (await test.get('/v1/sessions/talk/messages?domain=ana')).body;
    const said = async () => (await messages()).messages.map(({ text }: { text: string }) => text);
    const found = async () => {
      const { body } = await test.post('/v1/query', { context: 'What is my password?', domains: ['ana'] });
      return body.items.map(({ content }: { content: string }) => content);
    };
    /** Whether a word stands in any text that the store keeps of messages. */
    const kept = async () => {
      const rows = await test.service.store.db.selectFrom('removed_message').select('body').execute();
      return rows.some(({ body }) => body.includes('blue-heron'));
    };

    it('is neither listed, found nor kept', async () => {
      expect(await forget('message_id=m1')).toEqual({
        status: 200,
        body: { status: 'forgotten', messages: 1, removed: 1 },
      });
      expect([await said(), await found(), await kept()]).toEqual([[CAT], [CAT], false]);
      expect((await forget('message_id=m1')).body).toMatchObject({
        code: 'node_not_found',
        details: { member: 'message_id' },
      });
    });

    it('stays in a dry run, which refuses what the forgetting would refuse', async () => {
      const dry = { status: 200, body: { status: 'dry_run', messages: 1 } };
      expect(await forget('message_id=m1&dry_run=true')).toEqual(dry);
      const refused = { code: 'node_not_found', details: { member: 'message_id' } };
      expect((await forget('message_id=m9&dry_run=true')).body).toMatchObject(refused);
      expect(await said()).toEqual([CAT, SECRET]);
      await test.post('/v1/edits', { domain: 'ana', type: 'remove_message', session_id: 'talk', message_id: 'm1' });
      expect([await forget('message_id=m1&dry_run=true'), await kept()]).toEqual([dry, true]);
    });

    it('is named by its passage where it has no id', async () => {
      await say({ text: 'The gate is green.' });
      const { node_id } = (await messages()).messages[2];
      expect((await forget(`node_id=${encodeURIComponent(node_id)}`)).body).toEqual({
        status: 'forgotten',
        messages: 1,
        removed: 1,
      });
      expect(await said()).toEqual([CAT, SECRET]);
    });

    it('goes for good where an edit hides it, and its undo shows nothing', async () => {
      const edit = { domain: 'ana', type: 'remove_message', session_id: 'talk', message_id: 'm1' };
      const { edit_id } = (await test.post('/v1/edits', edit)).body;
      expect(await kept()).toBe(true);
      expect((await forget('message_id=m1')).body).toEqual({ status: 'forgotten', messages: 1, removed: 0 });
      expect(await kept()).toBe(false);
      await fetch(`${test.url}/v1/edits/${edit_id}`, { method: 'DELETE' });
      expect(await said()).toEqual([CAT]);
    });

    it('may be said again, as a new one', async () => {
      await forget('message_id=m0');
      await say({ text: CAT, message_id: 'm0' });
      expect(await said()).toEqual([SECRET, CAT]);
    });

    it('takes its session along where it is the last', async () => {
      await forget('message_id=m0');
      await forget('message_id=m1');
      expect(await messages()).toMatchObject({ code: 'session_not_found' });
      expect((await test.get('/v1/documents?domain=ana')).body.documents ?? []).toEqual([]);
      await say({ text: CAT, message_id: 'm0' });
      expect(await said()).toEqual([CAT]);
    });

    it('takes its session along where the only other one has its turn and failed', async () => {
      const { source_id } = (await test.get('/v1/documents?domain=ana')).body.documents[0];
      await test.service.store.write(({ db }) => takeTurn(db, { source_id, identity: 'id:failed' }));
      expect((await forget('message_id=failed')).body).toMatchObject({ code: 'node_not_found' });
      await forget('message_id=m0');
      expect(await said()).toEqual([SECRET]);
      await forget('message_id=m1');
      expect(await messages()).toMatchObject({ code: 'session_not_found' });
      expect((await test.get('/v1/documents?domain=ana')).body.documents ?? []).toEqual([]);
      await say({ text: CAT, message_id: 'm0' });
      expect((await messages()).messages).toMatchObject([{ message_id: 'm0', turn: 0 }]);
    });

    it('takes its session along where it is the last and an edit hides it', async () => {
      await forget('message_id=m0');
      await test.post('/v1/edits', { domain: 'ana', type: 'remove_message', session_id: 'talk', message_id: 'm1' });
      expect((await forget('message_id=m1')).body).toEqual({ status: 'forgotten', messages: 1, removed: 0 });
      expect(await messages()).toMatchObject({ code: 'session_not_found' });
      const { documents } = (await test.get('/v1/documents?domain=ana')).body;
      expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual(['edits']);
    });

    it('goes for good where an edit hides its whole session', async () => {
      const edit = { domain: 'ana', type: 'remove_session', session_id: 'talk' };
      const { edit_id } = (await test.post('/v1/edits', edit)).body;
      expect((await forget('message_id=m2')).body).toMatchObject({
        code: 'node_not_found',
        details: { member: 'message_id' },
      });
      expect((await forget('message_id=m1')).body).toEqual({ status: 'forgotten', messages: 1, removed: 0 });
      expect(await kept()).toBe(false);
      await fetch(`${test.url}/v1/edits/${edit_id}`, { method: 'DELETE' });
      expect(await said()).toEqual([CAT]);
    });

    it('is named: one without a name, or of another session, is refused', async () => {
      expect((await forget('')).body).toMatchObject({ code: 'invalid_input', details: { member: 'message_id' } });
      expect((await forget('message_id=m1&node_id=ana:x')).body).toMatchObject({ code: 'invalid_input' });
      expect((await forget('node_id=ana:x')).body).toMatchObject({
        code: 'node_not_found',
        details: { member: 'node_id' },
      });
      expect(await said()).toEqual([CAT, SECRET]);
    });
  });
}
