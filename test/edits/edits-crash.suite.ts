import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { seededRandom } from '../../src/core/random.js';
import {
  type Answer,
  type Environment,
  openService,
  snapshot,
  type TestService,
  withService,
} from '../service/harness.js';
import { post, startProcess } from '../service/process.js';
import { DOMAIN, world } from './world.js';

const id = (name: string) => conceptId(DOMAIN, name);
const KINDS: readonly object[] = [
  { type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' },
  { type: 'change_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump', confidence: 0.25 },
  { type: 'change_rule', rule_id: 'rule:check', text: 'The Guild must check each Pump twice.' },
  { type: 'merge', from_id: id('Guild'), into_id: id('Helm') },
  { type: 'remove_message', session_id: 'talk', message_id: 'm1' },
  { type: 'remove_session', session_id: 'talk' },
];
/** Milliseconds until the service is killed, at most: an edit takes about a tenth. */
const WINDOW = 120;

interface Listed {
  readonly edit_id: string;
  readonly type: string;
  readonly state: string;
}

/** Edits that were answered survive kill -9, and none is left half made: undone, all is as if none had been made. */
export function editsCrashSuite(name: string, environment: () => Promise<Environment>): void {
  describe(`edits on ${name} whose service is killed`, () => {
    it('are there where they were answered, and are undone exactly', async () => {
      const random = seededRandom('kill points of edits');
      const directory = mkdtempSync(join(tmpdir(), 'edits-crash-'));
      try {
        // First: on a shared engine it would take the place of what is tested.
        const never = await withService(await environment(), async (twin) => {
          await world(twin);
          return snapshot(twin, DOMAIN);
        });
        const given = await environment();
        const answered: string[] = [];
        for (const [round, edit] of KINDS.entries()) {
          const server = await startProcess(directory, given);
          try {
            if (round === 0) await world(over(server.url));
            const sent = post(server.url, '/v1/edits', { domain: DOMAIN, ...edit });
            const deadline = new Promise<null>((done) => setTimeout(() => done(null), random() * WINDOW));
            await Promise.race([sent, deadline]);
            await server.kill();
            const answer = await sent;
            if (answer?.status === 200) answered.push(String(answer.body.edit_id));
          } finally {
            await server.kill();
          }
        }
        const after = await openService({ ...given, SVC_DATA_DIR: directory });
        try {
          const listed = async (): Promise<Listed[]> => (await after.get(`/v1/edits?domain=${DOMAIN}`)).body.edits;
          expect((await listed()).map(({ edit_id }) => edit_id)).toEqual(expect.arrayContaining(answered));
          for (const { edit_id } of (await listed()).filter(({ state }) => state !== 'undone')) {
            expect((await after.delete(`/v1/edits/${edit_id}`)).status).toBe(200);
          }
          expect(await snapshot(after, DOMAIN)).toEqual(never);
        } finally {
          await after.close();
        }
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    }, 400_000);
  });
}

/** What `world` needs of a service that is a process of its own. */
function over(url: string): TestService {
  const send = async (path: string, body: unknown): Promise<Answer> => {
    const answer = await post(url, path, body);
    if (answer === null) throw new Error(`${path} was not answered.`);
    return { ...answer, headers: new Headers() };
  };
  return { post: send } as TestService;
}
