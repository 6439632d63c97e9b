import { describe, expect, it } from '@jest/globals';
import { type EachEnvironment, snapshot, type TestService, withService } from './harness.js';

const DOMAIN = 'chat';
const SPEAKERS = ['Ada', 'Ben', 'Cleo'];

/** Sixty messages of four sessions; each third one has an id, and the others a time. */
const CHAT = Array.from({ length: 60 }, (_, i) => ({
  session_id: `week ${i % 4}`,
  role: 'user',
  speaker: SPEAKERS[i % 3]!,
  text: `The lantern number ${i} of Skarn Harbour was mended by ${SPEAKERS[(i + 1) % 3]}.`,
  ...(i % 3 === 0 ? { message_id: `m${i}` } : { timestamp: `2024-03-01T10:${String(i).padStart(2, '0')}:00Z` }),
}));

/** Many messages of a call end as they would one by one. */
export function messagesSuite(name: string, environment: EachEnvironment): void {
  describe(`messages of one call on ${name}`, () => {
    const send = async (test: TestService, messages: readonly object[]) => {
      const { status, body } = await test.post('/v1/ingest/messages', { messages, domain: DOMAIN });
      expect([status, body.error]).toEqual([200, undefined]);
      return body;
    };
    const told = async (test: TestService) => {
      const asked = { context: 'Who mended lantern number 17?', domains: [DOMAIN] };
      const { body } = await test.post('/v1/query', asked);
      return { graph: await snapshot(test, DOMAIN), items: body.items };
    };
    const turnsOf = async (test: TestService, session_id: string) => {
      const { body } = await test.get(`/v1/sessions/${session_id}/messages?domain=${DOMAIN}`);
      return body.messages.map(({ turn, text }: { turn: number; text: string }) => [turn, text]);
    };

    it('end in the graph and the answers that one call each ends in', async () => {
      const single = await withService(environment, async (test) => {
        for (const message of CHAT) await test.post('/v1/ingest/message', { ...message, domain: DOMAIN });
        return told(test);
      });
      const together = await withService(environment, async (test) => {
        const body = await send(test, CHAT);
        expect(body).toMatchObject({
          domain: DOMAIN,
          messages: 60,
          added: 60,
          unchanged: 0,
          hidden: 0,
          chunks: 60,
          warnings: [],
        });
        expect(body.sessions.map(({ session_id }: { session_id: string }) => session_id)).toHaveLength(4);
        expect(await send(test, CHAT)).toMatchObject({ messages: 60, unchanged: 60 });
        return told(test);
      });
      expect(together).toEqual(single);
    });

    it('replace what was there under the same id, also within the call, and keep their places', async () => {
      await withService(environment, async (test) => {
        const say = (message_id: string, text: string) => ({ session_id: 's', message_id, text });
        const long = Array.from({ length: 80 }, (_, i) => `Plank ${i} of the pier is made of oak.`).join(' ');
        await send(test, [say('a', 'One.'), say('b', long), say('c', 'Three.')]);
        const again = [say('b', 'Two.'), say('d', 'Four?'), say('d', 'Four.'), say('a', 'One.')];
        expect(await send(test, again)).toMatchObject({ messages: 4, added: 1, replaced: 2, unchanged: 1 });
        expect(await turnsOf(test, 's')).toEqual([
          [0, 'One.'],
          [1, 'Two.'],
          [2, 'Three.'],
          [3, 'Four.'],
        ]);
        expect(await test.service.text.count(DOMAIN)).toBe(4);
      });
    });

    it('count as changed with another speaker, or where only the end of a long text went', async () => {
      await withService(environment, async (test) => {
        const long = Array.from({ length: 80 }, (_, i) => `Plank ${i} of the pier is made of oak.`).join(' ');
        const say = (speaker: string, text: string) => ({ session_id: 's', message_id: speaker, speaker, text });
        await send(test, [say('Ada', 'One.'), say('Ben', long)]);
        const [{ source_id }] = (await test.get('/v1/documents')).body.documents;
        const [first] = (await test.service.graph.sourcePassages(source_id)).filter(({ text }) =>
          text.startsWith('Plank 0'),
        );
        const other = { ...say('Ada', 'One.'), speaker: 'Cleo' };
        expect(await send(test, [other, say('Ben', first!.text)])).toMatchObject({ replaced: 2, unchanged: 0 });
        expect(await send(test, [other, say('Ben', first!.text)])).toMatchObject({ messages: 2, unchanged: 2 });
        expect(await test.service.text.count(DOMAIN)).toBe(2);
      });
    });

    it('keep their order, each its own turn, beside calls that write to the same session', async () => {
      await withService(environment, async (test) => {
        const calls = Array.from({ length: 5 }, (_, call) =>
          Array.from({ length: 7 }, (_, i) => ({
            session_id: 's',
            message_id: `${call}.${i}`,
            text: `Call ${call} says ${i}.`,
          })),
        );
        await Promise.all(calls.map((messages) => send(test, messages)));
        const turns: Array<[number, string]> = await turnsOf(test, 's');
        expect(turns.map(([turn]) => turn)).toEqual(Array.from({ length: 35 }, (_, i) => i));
        for (const messages of calls) {
          const said = new Set(messages.map(({ text }) => text));
          expect(turns.map(([, text]) => text).filter((text) => said.has(text))).toEqual(
            messages.map(({ text }) => text),
          );
        }
      });
    });

    it('are kept and counted where an edit hides one', async () => {
      await withService(environment, async (test) => {
        const messages = ['a', 'b', 'c'].map((id) => ({ session_id: 's', message_id: id, text: `Message ${id}.` }));
        await send(test, messages);
        const edit = { domain: DOMAIN, type: 'remove_message', session_id: 's', message_id: 'b' };
        expect((await test.post('/v1/edits', edit)).status).toBe(200);
        const body = await send(test, [...messages, { session_id: 's', message_id: 'd', text: 'Message d.' }]);
        expect(body).toMatchObject({ messages: 4, added: 1, replaced: 0, unchanged: 2, hidden: 1 });
        expect(body.warnings[0]).toContain('hidden by edit');
        expect((await turnsOf(test, 's')).map(([turn]: [number]) => turn)).toEqual([0, 2, 3]);
      });
    });

    it('are refused as a whole where one is wrong, by its name', async () => {
      await withService(environment, async (test) => {
        const refused = async (wrong: object) => {
          const messages = [{ session_id: 's', text: 'Good.' }, wrong];
          const { status, body } = await test.post('/v1/ingest/messages', { messages, domain: DOMAIN });
          return [status, body.code, body.error];
        };
        expect(await refused({ session_id: 's', text: ' ' })).toEqual([
          400,
          'invalid_input',
          'messages.1.text must hold more than white space and control characters.',
        ]);
        expect(await refused({ session_id: 's', text: 'Late.', timestamp: 'yesterday' })).toEqual([
          400,
          'invalid_input',
          'messages.1.timestamp must be a date and time of ISO 8601 with its zone, as in 2026-03-01T12:30:00Z.',
        ]);
        expect(await test.service.graph.getDomain(DOMAIN)).toBeNull();
      });
    });
  });
}
