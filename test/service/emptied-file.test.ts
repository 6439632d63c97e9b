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
});
