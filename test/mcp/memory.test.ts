import { expect, it } from '@jest/globals';
import { toolWorld } from './tool-world.js';

const tested = toolWorld({ SVC_TOOLS: 'all' });

it('lists and forgets one message by the ids that a query answers', async () => {
  const say = (message_id: string, text: string) =>
    tested.client.call('svc_ingest_message', { domain: 'ana', session_id: 'talk', message_id, text });
  await say('m1', 'My cat is called Miso.');
  await say('m2', 'My library card has the number 4471.');
  const asked = { context: 'Which number has my library card?', domains: ['ana'] };
  const { items } = (await tested.client.call('svc_query', asked)).structuredContent as {
    items: Array<{ metadata: { message: Record<string, string> } }>;
  };
  const { session_id = '', message_id = '' } = items[0]!.metadata.message;
  expect(message_id).toBe('m2');
  const named = { domain: 'ana', session_id, message_id };
  const forget = async (input: Record<string, string | boolean>) =>
    (await tested.client.call('svc_forget_message', input)).structuredContent;
  expect(await forget({ ...named, dry_run: true })).toEqual({ status: 'dry_run', messages: 1 });
  expect(await forget(named)).toEqual({ status: 'forgotten', messages: 1, removed: 1 });
  const left = await tested.client.call('svc_session_messages', { domain: 'ana', session_id });
  expect(left.structuredContent).toMatchObject({ total: 1, messages: [{ text: 'My cat is called Miso.' }] });
});

it('says of properties that questions do not find them', async () => {
  const { inputSchema } = (await tested.client.list()).find(({ name }) => name === 'svc_ingest_structured')!;
  const { concepts } = inputSchema.properties as Record<string, unknown>;
  expect(JSON.stringify(concepts)).toContain('what questions should find goes into the description');
});
