import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeAll(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  documents = temporaryDirectory();
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('the command line', () => {
  it('ingests what WhatsApp and Slack export, and a longer export again only with what is new', async () => {
    const folder = join(documents, 'legal');
    mkdirSync(folder);
    const [whatsapp, slack] = [join(documents, 'Chat with Anna.txt'), join(folder, '2024-03-12.json')];
    const first = '[12.03.24, 14:05:33] Anna: The deposit is 1,200 euros.';
    writeFileSync(whatsapp, first);
    writeFileSync(join(documents, 'users.json'), JSON.stringify([{ id: 'U1', real_name: 'Ben Okafor' }]));
    const said = { type: 'message', user: 'U1', text: 'The lease ends in May.', ts: '1710252333.000100' };
    writeFileSync(slack, JSON.stringify([said], null, 2));
    const ingest = () => svc('ingest', whatsapp, slack, '--type', 'messages', '--domain', 'office');
    expect((await ingest()).stdout).toBe(
      `ingested  ${whatsapp}  1 message of 1 session: 1 added\ningested  ${slack}  1 message of 1 session: 1 added\n`,
    );
    writeFileSync(whatsapp, `${first}\n[13.03.24, 08:00:00] Jon: It is paid.`);
    expect((await ingest()).stdout).toContain('2 messages of 2 sessions: 1 added, 1 unchanged\n');
    // Who begins in small letters left nothing out.
    writeFileSync(whatsapp, `${first}\n[13.03.24, 08:00:00] Jon: it is paid since noon.`);
    await ingest();
    expect((await svc('query', 'Since when is it paid?', '--domain', 'office')).stdout).toContain(
      ': it is paid since noon.',
    );
    // Another encoding is no text with holes.
    const western = join(documents, 'western.txt');
    writeFileSync(western, Buffer.from('12.03.24, 09:01 - Anna: Grüße\n', 'latin1'));
    expect(await svc('ingest', western, '--type', 'messages', '--domain', 'office')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/western\.txt: .*UTF-8/),
    });
    // As a text it says so.
    expect((await svc('ingest', whatsapp, '--domain', 'texts')).stdout).toContain('svc ingest --type messages');
    const answered = async (question: string) =>
      (await svcJson('query', question, '--domain', 'office')).items[0].content;
    expect(await answered('How high is the deposit?')).toBe('Anna, 12 March 2024: The deposit is 1,200 euros.');
    expect(await answered('When does the lease end?')).toBe('Ben Okafor, 12 March 2024: The lease ends in May.');
  });

  it('ingests what an assistant exported, a session for each conversation, and again only with what is new', async () => {
    const file = join(documents, 'conversations.json');
    const said = (uuid: string, sender: string, text: string) => ({
      uuid,
      sender,
      text,
      created_at: '2026-02-01T10:00:00Z',
    });
    const chat = {
      uuid: 'c1',
      name: 'Deposit of the shop',
      created_at: '2026-02-01T10:00:00Z',
      chat_messages: [said('m1', 'human', 'We paid 1,200 euros as the deposit.')],
    };
    const ingested = async () => {
      writeFileSync(file, JSON.stringify([chat]));
      return (await svc('ingest', file, '--type', 'messages', '--domain', 'assistants')).stdout;
    };
    expect(await ingested()).toBe(`ingested  ${file}  1 message of 1 session: 1 added\n`);
    chat.chat_messages.push(said('m2', 'assistant', 'Ask for a receipt of the landlord.'));
    expect(await ingested()).toContain('2 messages of 1 session: 1 added, 1 unchanged');
    const [item] = (await svcJson('query', 'Whom do I ask for a receipt?', '--domain', 'assistants')).items;
    expect(item.content).toBe('Claude, 1 February 2026: Ask for a receipt of the landlord.');
    expect(item.metadata.source).toBe('Deposit of the shop 2026-02-01 10:00');
    rmSync(file);
  });

  it('takes what cannot be stored out of messages', async () => {
    const file = join(documents, 'nul.jsonl');
    writeFileSync(file, `${JSON.stringify({ text: 'The pump\u0000 is back.', session_id: 'pump' })}\n`);
    const { stdout } = await svc('ingest', file, '--type', 'messages', '--domain', 'pumps');
    expect(stdout).toBe(`ingested  ${file}  1 message of 1 session: 1 added\n`);
    rmSync(file);
  });
});
