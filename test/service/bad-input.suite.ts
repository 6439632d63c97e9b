import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTS, type EachEnvironment, openService, snapshot, type TestService } from './harness.js';

type Case = [what: string, path: string, body: unknown, status: number, member?: string];

const CASES: readonly Case[] = [
  ['no context', '/v1/query', {}, 400, 'context'],
  ['empty context', '/v1/query', { context: '' }, 400, 'context'],
  ['null context', '/v1/query', { context: null }, 400, 'context'],
  ['number as context', '/v1/query', { context: 7 }, 400, 'context'],
  ['top_k 0', '/v1/query', { context: 'x', top_k: 0 }, 400, 'top_k'],
  ['top_k 5,000', '/v1/query', { context: 'x', top_k: 5000 }, 400, 'top_k'],
  ['top_k as text', '/v1/query', { context: 'x', top_k: '5' }, 400, 'top_k'],
  ['unknown mode', '/v1/query', { context: 'x', mode: 'magic' }, 400, 'mode'],
  ['domains as text', '/v1/query', { context: 'x', domains: 'reach' }, 400, 'domains'],
  ['unknown domain', '/v1/query', { context: 'x', domains: ['nowhere'] }, 404],
  ['min_confidence 2', '/v1/query', { context: 'x', min_confidence: 2 }, 400, 'min_confidence'],
  ['no query_id', '/v1/feedback', { outcomes: {} }, 400, 'query_id'],
  ['outcomes as list', '/v1/feedback', { query_id: 'q', outcomes: [] }, 400, 'outcomes'],
  ['no text', '/v1/ingest/text', { domain: 'd' }, 400, 'text'],
  ['empty text', '/v1/ingest/text', { text: '', domain: 'd' }, 400, 'text'],
  ['blank text', '/v1/ingest/text', { text: ' \n ', domain: 'd' }, 400],
  ['RTF as text', '/v1/ingest/text', { text: ' {\\rtf1\\ansi Rinse.}', domain: 'd' }, 400, 'text'],
  ['PDF as text', '/v1/ingest/text', { text: '%PDF-1.4\n1 0 obj\n<<>>', domain: 'd' }, 400, 'text'],
  ['PostScript as text', '/v1/ingest/text', { text: '%!PS-Adobe-3.0\n%%Title: a', domain: 'd' }, 400, 'text'],
  ['bad domain name', '/v1/ingest/text', { text: 'x', domain: '../x' }, 400, 'domain'],
  ['unknown format', '/v1/ingest/text', { text: 'x', domain: 'd', format: 'pdf' }, 400, 'format'],
  ['no concepts', '/v1/ingest/structured', { domain: 'd' }, 400, 'concepts'],
  ['concept without name', '/v1/ingest/structured', { domain: 'd', concepts: [{}] }, 400, 'concepts.0.name'],
  ['concept that is null', '/v1/ingest/structured', { domain: 'd', concepts: [null] }, 400, 'concepts.0'],
  [
    'edge without relation',
    '/v1/ingest/structured',
    { domain: 'd', concepts: [], edges: [{ source: 'a', target: 'b' }] },
    400,
    'edges.0.relation',
  ],
  [
    'relation with a space',
    '/v1/ingest/structured',
    { domain: 'd', concepts: [], edges: [{ source: 'a', target: 'b', relation: 'x y' }] },
    400,
    'edges.0.relation',
  ],
  ['rule without text', '/v1/ingest/structured', { domain: 'd', concepts: [], rules: [{}] }, 400, 'rules.0.text'],
  ['message without session', '/v1/ingest/message', { text: 'x', domain: 'd' }, 400, 'session_id'],
  [
    'message with a bad date',
    '/v1/ingest/message',
    { text: 'x', domain: 'd', session_id: 's', timestamp: 'noon' },
    400,
    'timestamp',
  ],
  ['no path', '/v1/ingest', { domain: 'd' }, 400, 'source_path'],
  ['path outside the roots', '/v1/ingest', { source_path: '/etc/passwd', domain: 'd' }, 403],
  ['path that climbs', '/v1/ingest', { source_path: '../../etc/passwd', domain: 'd' }, 403],
  ['no node_id', '/v1/explore', {}, 400, 'node_id'],
  ['depth as text', '/v1/explore', { node_id: 'x', depth: 'deep' }, 400, 'depth'],
  ['rules of an unknown domain', '/v1/rules', { domains: ['nowhere'] }, 404],
  ['compare without context', '/v1/compare', {}, 400, 'context'],
];

/** Bad input on every route: a JSON error with a code and the member's name, and nothing written. */
export function badInputSuite(name: string, environment: EachEnvironment): void {
  describe(`bad input on ${name}`, () => {
    let test: TestService;
    let before: unknown;
    beforeAll(async () => {
      test = await openService(environment);
      await test.post('/v1/ingest/text', { text: DOCUMENTS.tower, domain: 'reach', format: 'markdown', name: 'tower' });
      before = await snapshot(test, 'reach');
    });
    afterAll(async () => {
      // Whatever was refused above left nothing behind.
      expect(await snapshot(test, 'reach')).toEqual(before);
      const domains = (await test.get('/v1/domains')).body.domains.map((domain: { name: string }) => domain.name);
      expect(domains).toEqual(['reach']);
      await test.close();
    });

    it.each(CASES)('refuses %s on %s', async (...given: Case) => {
      const [, path, body, status, member] = given;
      const answer = await test.post(path, body);
      expect(answer.status).toBe(status);
      expect(typeof answer.body.error).toBe('string');
      expect(typeof answer.body.code).toBe('string');
      if (member !== undefined) expect(`${answer.body.error} ${answer.body.details?.member ?? ''}`).toContain(member);
      expect(answer.body.error).not.toMatch(/\n\s+at /);
    });

    const json = { 'content-type': 'application/json' };
    const big = JSON.stringify({ text: 'x'.repeat(11 * 1024 * 1024), domain: 'd' });
    const raw: ReadonlyArray<readonly [string, RequestInit, number]> = [
      ['an empty body', { method: 'POST', headers: json, body: '' }, 400],
      ['an array as body', { method: 'POST', headers: json, body: '[]' }, 400],
      ['malformed JSON', { method: 'POST', headers: json, body: '{"text":' }, 400],
      ['a body of another type', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
      ['a body of 11 MB', { method: 'POST', headers: json, body: big }, 413],
      ['a wrong method', { method: 'PUT', headers: json, body: '{}' }, 405],
    ];
    it.each(raw)('refuses %s', async (_what, init, status) => {
      const answer = await test.send('/v1/ingest/text', init);
      expect(answer.status).toBe(status);
      expect(typeof answer.body.code).toBe('string');
      if (status === 405) expect(answer.headers.get('allow')).toContain('POST');
    });

    it('answers an unknown path with JSON', async () => {
      expect(await test.get('/v1/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    it('refuses files that are no documents', async () => {
      const outside = join(tmpdir(), `outside-${process.pid}.md`);
      writeFileSync(outside, '# Outside\n\nNot yours.');
      symlinkSync(outside, join(test.files, 'link.md'));
      const files: ReadonlyArray<readonly [string, string | Uint8Array | null, number]> = [
        ['link.md', null, 403],
        ['.', null, 400],
        ['missing.md', null, 404],
        ['binary.txt', new Uint8Array([0, 1, 2, 255, 0, 9, 8, 0]), 415],
        ['empty.md', '', 400],
        ['program.exe', 'MZ', 415],
        ['latin1.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x20, 0x62, 0x61, 0x72]), 400],
        ['blank.pdf', emptyPdf(), 400],
      ];
      for (const [file, content, status] of files) {
        if (content !== null) test.file(file, content);
        const answer = await test.post('/v1/ingest', { source_path: join(test.files, file), domain: 'files' });
        expect([file, answer.status]).toEqual([file, status]);
        expect(typeof answer.body.error).toBe('string');
      }
    });
  });
}

/** A valid PDF with one page and no text. */
function emptyPdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
