import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withinDomains } from '../../src/cli/commands/ask/explore.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  const ingest = (input: object) => svcJson('call', 'ingest_structured', '--input', JSON.stringify(input));
  await ingest({
    domain: 'shop',
    concepts: [
      { id: 'kettle', name: 'Kettle' },
      { id: 'pot', name: 'pot' },
    ],
  });
  await ingest({
    domain: 'kitchen',
    concepts: [
      { id: 'tea', name: 'Tea' },
      { id: 'pot', name: 'Pot' },
    ],
    edges: [{ source: 'tea', target: 'pot', relation_type: 'REQUIRES' }],
  });
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

it('explores within the domains that are named', async () => {
  const everywhere = await svcJson('explore', 'kitchen:tea');
  expect(everywhere.edges).toHaveLength(1);
  expect(await svcJson('explore', 'kitchen:tea', '--domain', 'kitchen', '--domain', 'shop')).toEqual(everywhere);
});

it('leaves out what is of another domain, as rows of databases may refer to', () => {
  const node = (domain: string, name: string) => ({
    id: `${domain}:${name}`,
    name,
    description: '',
    domain,
    confidence: 1,
    properties: {},
  });
  const edge = (target_id: string) => ({
    source_id: 'kitchen:tea',
    target_id,
    relation_type: 'USES',
    confidence: 1,
    properties: {},
  });
  const found = (...domains: string[]) => ({
    node: node('kitchen', 'tea'),
    edges: domains.map((domain) => edge(`${domain}:pot`)),
    neighbors: domains.map((domain) => node(domain, 'pot')),
    rules: [],
  });
  expect(withinDomains(found('shop', 'kitchen', 'shed'), ['kitchen', 'shed'])).toEqual(found('kitchen', 'shed'));
});

it('names the domain of a node that is of none of them', async () => {
  const { code, stderr } = await svc('explore', 'kitchen:tea', '--domain', 'shop', '--json');
  expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: 'node_not_found' }]);
  expect(stderr).toContain('is of domain kitchen; give --domain kitchen');
});

it('takes a name where no node has the id', async () => {
  const byId = await svcJson('explore', 'kitchen:tea');
  expect(await svcJson('explore', 'Tea')).toEqual(byId);
  expect(await svcJson('explore', ' tea ', '--domain', 'kitchen')).toEqual(byId);
  expect((await svcJson('explore', 'POT', '--domain', 'kitchen')).node.id).toBe('kitchen:pot');
});

it('lists the nodes of a name with their ids where there are several', async () => {
  const { code, stderr } = await svc('explore', 'Pot', '--json');
  expect(code).toBe(2);
  const { error } = JSON.parse(stderr);
  expect(error).toContain('"Pot" names 2 nodes; give the id of one: ');
  for (const id of ['shop:pot (pot, concept in shop)', 'kitchen:pot (Pot, concept in kitchen)'])
    expect(error).toContain(id);
});

it('says the nearest names where no node has the name', async () => {
  const refused = async (...names: string[]) => JSON.parse((await svc('explore', ...names, '--json')).stderr);
  const kettle = {
    code: 'node_not_found',
    error: expect.stringContaining('those of shop:kettle (Kettle, concept in shop).'),
  };
  expect(await refused('Ketle')).toMatchObject(kettle);
  expect(await refused('kett')).toMatchObject(kettle);
  expect((await refused('Ketle', '--domain', 'kitchen')).error).not.toContain('Kettle');
  expect((await refused('%')).error).toBe(
    'No node has the id or name "%"; give the id that `svc query` shows below an item.',
  );
  expect(await refused('Kettle', '--domain', 'shed')).toMatchObject({ code: 'domain_not_found' });
});

it('lists the option in its help', async () => {
  expect((await svc('explore', '--help')).stdout).toContain('--domain <name>');
});
