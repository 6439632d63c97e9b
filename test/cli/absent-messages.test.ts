import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { svc } from './captured.js';
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

it('says which messages of an earlier reading are not in the file any more, and how to forget them', async () => {
  const chat = join(documents, 'gate.json');
  const said = (text: string, minute: number) => {
    return { text, speaker: "Bob O'Neill", session_id: "o'gate", timestamp: `2026-02-02T09:0${minute}:00Z` };
  };
  const ingest = async (...messages: object[]) => {
    writeFileSync(chat, JSON.stringify(messages));
    return (await svc('ingest', chat, '--type', 'messages', '--domain', 'gate')).stdout;
  };
  const lunch = said('Lunch is at noon.', 5);
  const long = said('The gate is by the river. '.repeat(400), 6);
  expect(await ingest(lunch, long, said('The gate code is 1111.', 7))).not.toContain('note');
  // One that has grown holds all that it held.
  expect(await ingest(lunch, long, said('The gate code is 1111.', 7), said('Bye.', 8))).not.toContain('note');
  expect(await ingest(lunch, long, lunch, said('The gate code is 1111.', 7), said('Bye.', 8))).not.toContain('note');
  const changed = await ingest(lunch, long, said('The gate code is 2222.', 7), said('Bye.', 8));
  expect(changed).toContain("note 1 message of session o'gate is not in what was read now and is still known");
  expect(changed).toContain('"The gate code is 1111."');
  const [, input] = /forget_message --input '([^']*)'/u.exec(changed)!;
  expect((await svc('call', 'forget_message', '--input', input!)).code).toBe(0);
  expect(await ingest(lunch, long, said('The gate code is 2222.', 7), said('Bye.', 8))).not.toContain('note');
  const fewer = await ingest(said('The gate code is 2222.', 7));
  expect(fewer).toContain("note 3 messages of session o'gate are not in what was read now");
  const [, source] = /svc forget --source (\w+)/u.exec(fewer)!;
  expect((await svc('forget', '--source', source!)).code).toBe(0);
  expect(await ingest(said('The gate code is 2222.', 7))).toBe(`ingested  ${chat}  1 message of 1 session: 1 added\n`);
  expect((await svc('forget', '--domain', 'gate')).code).toBe(0);
});

it('advises to forget single messages, and says that those of another file go with their session', async () => {
  const said = async (name: string, ...texts: string[]) => {
    const chat = join(documents, name);
    writeFileSync(chat, JSON.stringify(texts.map((text) => ({ text, speaker: 'Ana', session_id: 'pier' }))));
    return (await svc('ingest', chat, '--type', 'messages', '--domain', 'pier')).stdout;
  };
  await said('first.json', 'The pier is closed.', 'The pier is wet.');
  const second = await said('second.json', 'The pier is open.');
  expect(second).toContain('note 2 messages of session pier are not in what was read now');
  expect(second).toMatch(
    /Keep them where another file brought them\. To forget them: svc call forget_message --input /,
  );
  expect(second).toMatch(/Only if nothing else .*svc forget --source \w+.* Messages of other files would be lost/);
  expect((await svc('forget', '--domain', 'pier')).code).toBe(0);
});
