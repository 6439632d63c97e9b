import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { differences } from './differences.js';
import { type EachEnvironment, type Environment, openService } from './harness.js';
import { drawHistory, type History, remaining, type Write } from './history.js';
import { post, startProcess } from './process.js';

/** A service that can be stopped and started again over what it holds. */
interface Host {
  url(): string;
  restart(): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface HistoriesOptions {
  readonly environment: EachEnvironment;
  readonly count: number;
  /** Services run as processes of their own and are killed in the middle of writes. */
  readonly kills?: boolean;
  readonly seed?: string;
}

/** Histories that one pair of services goes through, each in a domain of its own. */
const TOGETHER = 25;

/**
 * Random histories, each compared from outside with a service that got only what remains: documents, domains, rules,
 * and the answers' items, scores and reasons. Afterwards everything is forgotten, and nothing may be left.
 */
export function historiesSuite(
  name: string,
  { environment, count, kills = false, seed = 'h' }: HistoriesOptions,
): void {
  describe(`histories on ${name}`, () => {
    for (let from = 0; from < count; from += TOGETHER) {
      const to = Math.min(count, from + TOGETHER);
      it(`${from} to ${to - 1} of seed ${seed} end as if what was forgotten had never come`, async () => {
        const open = kills ? openProcess : openHost;
        const differing: string[] = [];
        // One after the other: engines outside the store may be shared.
        const given = await environmentOf(environment);
        const histories = Array.from({ length: to - from }, (_, i) =>
          drawHistory(seededRandom(`${seed} ${from + i}`), { domain: `d${from + i}`, kills }),
        );
        const outcomes = await withHost(open, given, (host) => each(histories, (one) => live(host, one)));
        const again = await environmentOf(environment);
        const expected = await withHost(open, again, (host) => each(histories, (one) => relive(host, one)));
        outcomes.forEach((outcome, i) => {
          const found = differences(outcome, expected[i]);
          if (found.length > 0) differing.push(`history ${from + i}:\n  ${found.slice(0, 6).join('\n  ')}`);
        });
        expect(differing).toEqual([]);
      }, 3_000_000);
    }
  });
}

const environmentOf = async (given: EachEnvironment): Promise<Environment> =>
  typeof given === 'function' ? given() : given;

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Goes through a history, looks, forgets everything and makes sure that nothing is left. */
async function live(host: Host, history: History) {
  for (const step of history.steps) {
    if (step.kind === 'write') await Promise.all(step.writes.map((write) => send(host, write)));
    else if (step.kind === 'again') await send(host, step.write);
    else if (step.kind === 'forget') await forget(host, history.domain, step.slot);
    else if (step.kind === 'forget message') await forgetMessage(host, history.domain, step);
    else if (step.kind === 'edit') await edit(host, step.body);
    else if (step.kind === 'undo') await undoEdits(host, history.domain);
    else if (step.kind === 'restart') await host.restart();
    else {
      const sent = send(host, step.write).catch(() => undefined);
      await new Promise((done) => setTimeout(done, 2 + (JSON.stringify(step.write).length % 30)));
      await host.kill();
      await sent;
      await send(host, step.write);
    }
  }
  await undoEdits(host, history.domain);
  return outcomeOf(host, history);
}

async function relive(host: Host, history: History) {
  for (const write of remaining(history.steps)) await send(host, write);
  return outcomeOf(host, history);
}

async function outcomeOf(host: Host, { domain, questions }: History) {
  const seen = await view(host, domain, questions);
  for (const document of await documentsOf(host, domain)) {
    await request(host, 'DELETE', `/v1/documents/${document.source_id}`);
  }
  const after = await view(host, domain, questions.slice(0, 1));
  return { ...seen, after };
}

async function view(host: Host, domain: string, questions: readonly string[]) {
  const documents = await documentsOf(host, domain);
  const { domains } = await request(host, 'GET', '/v1/domains');
  const rules = await request(host, 'POST', '/v1/rules', { domains: [domain], limit: 1000 });
  const answers: unknown[] = [];
  for (const context of questions) {
    for (const mode of ['graph', 'vec']) {
      const question = { context, domains: [domain], mode, top_k: 100 };
      const { query_id: _, ...answer } = await request(host, 'POST', '/v1/query', question);
      answers.push(answer);
    }
  }
  return {
    documents: documents.map(({ updated_at: _, ...document }) => document).sort(bySource),
    domain: (domains as Array<{ name: string }>).filter((one) => one.name === domain),
    rules,
    answers,
  };
}

interface Document {
  readonly source_id: string;
  readonly domain: string;
  readonly label: string;
  readonly updated_at?: string;
}

async function documentsOf(host: Host, domain: string): Promise<Document[]> {
  const { documents } = await request(host, 'GET', `/v1/documents?domain=${domain}&limit=1000`);
  return (documents ?? []) as Document[];
}

const bySource = (a: { readonly source_id: string }, b: { readonly source_id: string }): number =>
  a.source_id < b.source_id ? -1 : 1;

async function forget(host: Host, domain: string, slot: string): Promise<void> {
  const found = (await documentsOf(host, domain)).find((document) => document.label === `${domain} ${slot}`);
  if (found !== undefined) await request(host, 'DELETE', `/v1/documents/${found.source_id}`);
}

async function forgetMessage(host: Host, domain: string, { slot, message }: { slot: string; message: string }) {
  const session = encodeURIComponent(`${domain} ${slot}`);
  await request(host, 'DELETE', `/v1/sessions/${session}/messages?domain=${domain}&message_id=${message}`);
}

async function undoEdits(host: Host, domain: string): Promise<void> {
  const { edits } = await request(host, 'GET', `/v1/edits?domain=${domain}&undone=false&limit=1000`);
  for (const { edit_id } of (edits ?? []) as Array<{ edit_id: string }>) {
    await request(host, 'DELETE', `/v1/edits/${edit_id}`);
  }
}

/** What is not there is not changed, and a name of another concept is refused. */
async function edit(host: Host, body: object): Promise<void> {
  const answer = await post(host.url(), '/v1/edits', body);
  expect([200, 400, 404, 409]).toContain(answer?.status);
}

const send = (host: Host, { path, body }: Write) => request(host, 'POST', path, body);

async function request(host: Host, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(host.url() + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  // A domain that was removed is an answer too.
  if (!response.ok && answer.code !== 'domain_not_found') {
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  }
  return answer;
}

type Open = (environment: Environment, directory: string) => Promise<Host>;

async function withHost<T>(open: Open, environment: Environment, work: (host: Host) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'histories-'));
  const host = await open(environment, directory);
  try {
    return await work(host);
  } finally {
    await host.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function openHost(environment: Environment, directory: string): Promise<Host> {
  const start = () => openService({ ...environment, SVC_DATA_DIR: directory });
  let service = await start();
  const restart = async (): Promise<void> => {
    await service.close();
    service = await start();
  };
  return { url: () => service.url, restart, kill: restart, close: () => service.close() };
}

async function openProcess(environment: Environment, directory: string): Promise<Host> {
  const start = () => startProcess(directory, environment);
  let service = await start();
  return {
    url: () => service.url,
    restart: async () => {
      await service.stop();
      service = await start();
    },
    kill: async () => {
      await service.kill();
      service = await start();
    },
    close: async () => {
      await service.stop();
    },
  };
}
