import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../mcp/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

const start = (url: string, accept: string) =>
  fetch(`${url}/`, { redirect: 'manual', headers: { Accept: accept } }).then((answer) => ({
    status: answer.status,
    type: answer.headers.get('content-type'),
    location: answer.headers.get('location'),
    vary: answer.headers.get('vary'),
  }));

it('shows a browser the console on variant A, and the documentation on variant B', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = await start(world.a, browser);
  // What the built page shows is tested in test/console.
  expect(page.location).toBeNull();
  expect(page.vary).toContain('Accept');
  expect(await start(world.b, browser)).toMatchObject({ status: 302, location: 'docs' });
});

it('leads who does not ask for HTML to the documentation', async () => {
  expect(await start(world.a, '*/*')).toMatchObject({ status: 302, location: 'docs' });
  expect(await start(world.a, 'application/json')).toMatchObject({ status: 302, location: 'v1/openapi.json' });
  expect(await start(world.b, '*/*')).toMatchObject({ status: 302, location: 'docs' });
  const followed = await fetch(`${world.a}/`, { headers: { Accept: 'application/json' } });
  expect(((await followed.json()) as { openapi: string }).openapi).toMatch(/^3\./);
});
