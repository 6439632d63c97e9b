import { expect, it } from '@jest/globals';
import { documentOf } from '../../src/cli/commands/knowledge/named-documents.js';
import type { Connection } from '../../src/cli/connection.js';
import { sourceId } from '../../src/core/ids.js';
import { uploadSource } from '../../src/ingest/sources.js';

const ROOF = 'Roof 9c8b7a6d5e4f43219876543210fedcba.md';
const OTHER = 'Roof 0f1e2d3c4b5a46978877665544332211.md';

it('an uploaded page of Notion is found by the name that it was uploaded under, and by no other', async () => {
  const source = uploadSource('d', ROOF);
  const listed = { ...source, source_id: sourceId(source) };
  const connection = { call: async () => ({ documents: [listed], next: null }) } as unknown as Connection;
  expect(await documentOf(connection, ROOF, 'd')).toMatchObject({ label: 'Roof.md', source_id: listed.source_id });
  expect(await documentOf(connection, 'Roof.md', 'd')).toMatchObject({ source_id: listed.source_id });
  await expect(documentOf(connection, OTHER, 'd')).rejects.toThrow('There is Roof.md.');
});
