import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const ingest = (source_path: string) => service.post('/v1/ingest', { source_path, domain: 'd' });
const answers = async () =>
  (await service.post('/v1/query', { context: 'Which port does Alpha listen on?', domains: ['d'] })).body.items.length;

describe('a file that was emptied', () => {
  it.each(['', ' \n\n'])('says nothing any more: %j', async (nothing) => {
    const path = service.file('alpha.md', '# Alpha\n\nAlpha listens on port 5151.\n');
    service.file('beta.md', '# Beta\n\nBeta is a lamp.\n');
    expect((await ingest(path)).body).toMatchObject({ passages: 1 });
    expect(await answers()).toBe(1);
    service.file('alpha.md', nothing);
    const emptied = await ingest(path);
    expect([emptied.status, emptied.body]).toEqual([
      200,
      expect.objectContaining({ passages: 0, warnings: ['alpha.md is empty now; what it said before is forgotten.'] }),
    ]);
    expect((await service.get('/v1/documents?domain=d')).body).not.toMatchObject({
      documents: [{ label: 'alpha.md' }],
    });
    // An empty file that said nothing before is a mistake.
    expect((await ingest(path)).status).toBe(400);
  });

  const note = (isTrashed: boolean) =>
    JSON.stringify({ title: 'Alpha', isTrashed, textContent: 'Port 5151.', userEditedTimestampUsec: 1788077472000000 });
  it.each([
    ['alpha.json', '{"port": 5151}', '{}'],
    ['alpha.json', '[{"name": "Alpha", "port": "5151"}]', '[]'],
  ])('says nothing any more: %s of %s', async (name, text, nothing) => {
    const path = service.file(name, text);
    expect((await ingest(path)).body).toMatchObject({ passages: 1 });
    service.file(name, nothing);
    expect((await ingest(path)).body).toMatchObject({ passages: 0 });
  });

  it('as a note in the trash says nothing any more', async () => {
    const path = service.file('bike.json', note(false));
    expect((await ingest(path)).body).toMatchObject({ passages: 1 });
    service.file('bike.json', note(true));
    expect((await ingest(path)).body).toMatchObject({
      warnings: [expect.stringMatching(/^bike\.json is a note in the trash; .* What it said before is forgotten\.$/)],
    });
  });

  it('as the page of a note that is read leaves its place to the note', async () => {
    const page = '<html><title>Alpha</title><div class="note">Port 5151.</div></html>';
    const path = service.file('lamp.html', page);
    expect((await ingest(path)).body).toMatchObject({ passages: 1 });
    service.file('lamp.json', '{"a": "settings of a program"}');
    expect((await ingest(path)).body).toMatchObject({ unchanged: true });
    service.file('lamp.json', note(true));
    expect((await ingest(path)).body).toMatchObject({
      warnings: [
        'lamp.html is the page of the note lamp.json; ingest that note instead. What it said before is forgotten.',
      ],
    });
    expect(await ingest(path)).toMatchObject({ status: 415 });
  });
});
