import { expect } from '@jest/globals';
import { inBrowser } from '../support/browser.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 120_000;

const open = consolesOfEachTest();
let world: ConsoleWorld;

/** Directive → what it allows. */
function directives(policy: string): Map<string, string[]> {
  return new Map(
    policy.split('; ').map((line) => {
      const [name = '', ...allowed] = line.split(' ');
      return [name, allowed] as const;
    }),
  );
}

inBrowser(
  'the page is open and data are not; its policy allows what carries the nonce of this answer, and nothing inline else',
  async () => {
    world = await open({
      environment: { SVC_API_KEYS: 'the-key' },
      expected: /Content Security Policy/,
    });
    const { test, page, problems } = world;
    const load = () => fetch(`${test.url}/`, { headers: { accept: 'text/html' } });
    const [first, second] = await Promise.all([load(), load()]);
    expect(first.status).toBe(200);
    for (const path of [
      '/v1/domains',
      '/v1/stats',
      '/v1/documents',
      '/v1/queries',
      '/v1/edits',
      '/v1/jobs',
      '/v1/sources',
    ]) {
      expect([path, (await fetch(test.url + path)).status]).toEqual([path, 401]);
    }
    const policy = first.headers.get('content-security-policy')!;
    expect(policy).not.toMatch(/unsafe-|\*|https?:/);
    const allowed = directives(policy);
    for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect([name, allowed.get(name)]).toEqual([name, ["'none'"]]);
    }
    expect(allowed.get('connect-src')).toEqual(["'self'"]);
    const nonce = /^'nonce-([A-Za-z0-9+/]{22,}=*)'$/.exec(allowed.get('script-src')!.join(' '))![1]!;
    expect(allowed.get('style-src')).toEqual([`'nonce-${nonce}'`]);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    expect(first.headers.get('cache-control')).toBe('no-store');
    // Whatever the page runs stands in it: it loads nothing, not even from the service.
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(loaded.filter((url) => !url.startsWith(`${test.url}/v1/`) && !url.startsWith('data:'))).toEqual([]);

    const ran = await page.evaluate(async () => {
      const page = globalThis as never as {
        hacked?: number;
        document: { body: { append(node: unknown): void }; createElement(name: string): Record<string, unknown> };
      };
      const script = page.document.createElement('script');
      script.textContent = 'window.hacked = 1';
      const image = page.document.createElement('div');
      image.innerHTML = '<img src="data:," onerror="window.hacked = 2">';
      page.document.body.append(script);
      page.document.body.append(image);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return page.hacked ?? 'nothing';
    });
    expect(ran).toBe('nothing');
    expect(problems).toEqual([]);
  },
  SLOW,
);
