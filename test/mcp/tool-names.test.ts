import { describe, expect, it } from '@jest/globals';
import { moreTools } from '../../src/mcp/profile.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { toolWorld } from './tool-world.js';

const all = [...tools, ...moreTools];
const callable = new Set(all.map(({ name }) => `acme_${name}`));
const bare = all.map(({ name }) => name).filter((name) => name.includes('_'));

describe('the description of a tool', () => {
  it('names other tools as they are called, with the prefix of the service', () => {
    const shown = new Map(all.map((tool) => [tool.name, listing(tool, 'acme').description]));
    expect(shown.get('source_connect')).toMatch(/Follow it with acme_source_sync or acme_source_ingest_graph\.$/u);
    expect(shown.get('vector_query')).toMatch(/for a question in words use acme_query\.$/u);
    for (const [name, description] of shown) {
      const words = description.match(/\w+/gu) ?? [];
      expect([name, words.filter((word) => bare.includes(word))]).toEqual([name, []]);
      expect([name, words.filter((word) => word.startsWith('acme_') && !callable.has(word))]).toEqual([name, []]);
    }
  });
});

describe('a tool that is not there', () => {
  const tested = toolWorld();

  it.each([
    ['query', 'There is no tool query; did you mean svc_query?'],
    ['svc_qeury', 'There is no tool svc_qeury; did you mean svc_query?'],
    ['svc_web_search', 'There is no tool svc_web_search; list the tools.'],
  ])('%s is refused with the nearest name, where one is near', async (name, message) => {
    await expect(tested.client.call(name, { context: 'tea' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});
