import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textManifest } from './manifests.js';

const extract = (text: string, format: 'text' | 'markdown' = 'markdown') => textManifest({ text, domain: 'd', format });
const edges = async (text: string) =>
  (await extract(text)).edges.map((edge) => `${edge.source} ${edge.relation} ${edge.target}`);
const rules = async (text: string) => (await extract(text)).rules.map((rule) => rule.text);

describe('typed edges of running text', () => {
  it.each([
    ['Beacon Server requires Granite Store.', ['Beacon Server REQUIRES Granite Store']],
    [
      'Beacon Server needs Granite Store and Tide Planner.',
      ['Beacon Server REQUIRES Granite Store', 'Beacon Server REQUIRES Tide Planner'],
    ],
    ['Granite Store is required by Beacon Server.', ['Beacon Server REQUIRES Granite Store']],
    ['The Granite Store is also part of the North Vault.', ['Granite Store PART_OF North Vault']],
    [
      'Beacon Server uses Skerry Cache and requires Granite Store.',
      ['Beacon Server USES Skerry Cache', 'Beacon Server REQUIRES Granite Store'],
    ],
    ['In winter, Kelp Router is an alternative to Tide Planner.', ['Kelp Router ALTERNATIVE_TO Tide Planner']],
    [
      'North Vault contains Granite Store, Quartz Archive and Salt Index.',
      ['North Vault CONTAINS Granite Store', 'North Vault CONTAINS Quartz Archive', 'North Vault CONTAINS Salt Index'],
    ],
    ['Tide Planner implements Route Contract.', ['Tide Planner IMPLEMENTS Route Contract']],
    ['Rule Seven contradicts Rule Nine.', ['Rule Seven CONTRADICTS Rule Nine']],
    ['Gull Feed belongs to Met Office.', ['Gull Feed BELONGS_TO Met Office']],
    [
      'A `comparator` is composed of an `operator` and a `version`.',
      ['comparator CONTAINS operator', 'comparator CONTAINS version'],
    ],
  ])('reads "%s"', async (text, expected) => {
    expect(await edges(text)).toEqual(expected);
  });

  it.each([
    'The son of Granite Store requires Beacon Server.',
    'Beacon Server uses Google Maps data.',
    'Does Beacon Server require Granite Store?',
    'Beacon Server does not require Granite Store.',
    'If Beacon Server requires Granite Store then wait.',
    'Beacon Server, which requires Granite Store, is old.',
    'Paris Hilton is an American actress.',
    'Supporters include Filipinos.',
  ])('reads nothing into "%s"', async (text) => {
    expect(await edges(text)).toEqual([]);
  });

  it('asserts the endpoints as concepts, with the sentence as evidence', async () => {
    const { concepts, edges: found } = await extract('Beacon Server requires Granite Store.');
    expect(concepts).toEqual([
      { name: 'Beacon Server', confidence: 0.6 },
      { name: 'Granite Store', confidence: 0.6 },
    ]);
    expect(found[0]).toMatchObject({
      confidence: 0.6,
      properties: { evidence: 'Beacon Server requires Granite Store.' },
    });
  });

  it('asserts no concept for names that are merely mentioned', async () => {
    expect((await extract('Ada Lovelace met Charles Babbage in London.')).concepts).toEqual([]);
  });
});

describe('rules of running text', () => {
  it.each([
    'Always use a hardware key.',
    'Never deploy on the day of a spring tide.',
    'Do not restart the cache while the ledger is down.',
    'Passwords must not be sent by mail.',
    'Every change must have an owner and a way back.',
    'Only the harbour team may sign in to the vault.',
    'If a change fails, roll it back first.',
    'Check the logs of the ledger daily.',
    'Order parts early in the year.',
    'Share documents with the auditors only.',
    'Return keys to the porter.',
    'Ring the office before seven on each day of absence.',
    'Ring the office on 01632 960114 before seven.',
    'Check pressure remains above the mark.',
    'Review staff needs each term.',
    'An incident is any event that keeps a customer from a parcel.',
  ])('takes "%s"', async (text) => {
    expect(await rules(text)).toEqual([text]);
  });

  it('takes items that start with a verb, without their mark', async () => {
    expect(await rules('- Check the queue.\n- The queue is long.\n2. [ ] Restart Ledger')).toEqual([
      'Check the queue.',
      'Restart Ledger',
    ]);
  });

  it.each([
    ['14.00 Visitors must leave the ward.', '14.00 Visitors must leave the ward.'],
    ['1.5 L of water must be added every day.', '1.5 L of water must be added every day.'],
    ['§ 12 must be observed by all tenants.', '§ 12 must be observed by all tenants.'],
    ['(a) and (b) must both be signed.', '(a) and (b) must both be signed.'],
    ['§ 573 BGB must be observed by all landlords.', '§ 573 BGB must be observed by all landlords.'],
    ['4.2.2 Nobody may leave the room in the last hour.', 'Nobody may leave the room in the last hour.'],
    ['4.1. Never open the gate at night.', 'Never open the gate at night.'],
    ['(2) Keys must not be copied.', 'Keys must not be copied.'],
    ['(b) Return keys to the porter.', 'Return keys to the porter.'],
    ['§ 3 (2) Jeder Mieter muss die Treppe reinigen.', 'Jeder Mieter muss die Treppe reinigen.'],
  ])('takes a numbered clause without its number: %s', async (text, rule) => {
    expect(await rules(text)).toEqual([rule]);
  });

  it('takes no number of a measure for that of a clause', async () => {
    expect(await rules('2.5 litres must be kept in the tank.')).toEqual(['2.5 litres must be kept in the tank.']);
  });

  it.each([
    'Never Say Never is a song by a Canadian singer.',
    'He should have been told about it.',
    'Critics said that the film must be seen.',
    'In 1914 the town was told that it must surrender.',
    'Should we restart the cache?',
    'Use of force was common in the town.',
    'Paris is a city in the north of France.',
    'The Beatles were an English band of the north.',
    'Set in London, the play follows two brothers.',
    'Pour le dessert, Mathilde apporte une tarte aux pommes.',
    'Pour douze crêpes : 250 g de farine et trois œufs.',
    'Plan B ist seit Montag fertig und liegt bei Frau Lutz.',
    'Post kommt heute erst gegen Mittag.',
    'Order forms lie in the drawer.',
    'Book clubs meet on Tuesdays in the hall.',
    'Share prices fell sharply in March.',
    'Return tickets cost twelve euros.',
    'Run time grew from 11 to 19 minutes.',
    'Share price fell by a tenth in spring.',
    'Set work goes to the office by eight.',
    'Dial codes changed last spring.',
    'Ring binder costs three pounds.',
    'Ring binders lie in the drawer.',
    'Phone numbers change in March.',
    'Ring und Kette liegen im Schrank.',
  ])('leaves "%s"', async (text) => {
    expect(await rules(text)).toEqual([]);
  });

  it.each([
    ['items of a list', '- [Always use HTTPS](https.md)\n- [Never mail passwords](mail.md)'],
    ['numbered items', '1. [Check the queue daily.](queue.md)\n2. [ ] [Restart the ledger](ledger.md)'],
    ['items of items', '- Security\n  - [Always use HTTPS](https.md)'],
    ['a line of links', '[Always use HTTPS](https.md) | [Never mail passwords](mail.md) · **[Check the queue](q.md)**'],
    ['lines of links', '[Always use HTTPS](https.md)\n[Never mail passwords](mail.md)'],
    ['links by label', '* [Always use HTTPS][tls]\n\n[tls]: https.md'],
    ['a sentence among others', 'There is more to read. [Always use HTTPS.](https.md) The rest is history.'],
    ['sentences in one link', '[Always use HTTPS. Never mail passwords.](security.md)'],
    ['tags of HTML', '<ul><li><a href="https.md">Always use HTTPS</a></li></ul>'],
    ['a tag among words', '- <a href="https.md">Always use HTTPS</a>'],
  ])('takes no words of links alone: %s', async (_name, text) => {
    expect(await rules(text)).toEqual([]);
  });

  it.each([
    ['- Always use [HTTPS](https.md) between services.', 'Always use HTTPS between services.'],
    ['- [Always use HTTPS](https.md) between services.', 'Always use HTTPS between services.'],
    ['<p>Always use <a href="https.md">HTTPS</a> between services.</p>', 'Always use HTTPS between services.'],
    ['<p><a id="tls">Always use HTTPS between services.</a></p>', 'Always use HTTPS between services.'],
  ])('takes a sentence that holds a link: %s', async (text, rule) => {
    expect(await rules(text)).toEqual([rule]);
  });

  it('takes no rule from what an option of a program does, nor from a heading of a manual page', async () => {
    const page =
      'NAME\n       tarn - save files and folders\n\nOPTIONS\n       -e, --exclude PATTERN\n              Leave out what matches PATTERN.\n\n' +
      '       --tag TAG\n              Attach TAG to the snapshot. Keep it short.\n\nAlways name the host.';
    expect((await extract(page, 'text')).rules.map(({ text }) => text)).toEqual(['Always name the host.']);
    const option =
      'OPTIONS\n\n  --force\n      Do not ask for it. You must stop the service first. Never use it in production.\n      Do not run tarn as root.';
    expect((await extract(option, 'text')).rules.map(({ text }) => text)).toEqual([
      'You must stop the service first.',
      'Never use it in production.',
      'Do not run tarn as root.',
    ]);
    expect(await rules('- Check the lock.\n\nUse `tarn`\n--force:\n\nKeep the key safe at all times.')).toContain(
      'Keep the key safe at all times.',
    );
  });

  it('takes a rule from the place that states it, whatever table of contents leads there', async () => {
    const contents = '[Always use HTTPS.](#tls)';
    for (const text of [
      `# Contents\n\n- ${contents}\n\n# Transport\n\n- Always use HTTPS.`,
      `# Transport\n\n- Always use HTTPS.\n\n# Contents\n\n- ${contents}`,
    ]) {
      const manifest = await extract(text);
      const stating = manifest.passages.find(({ title }) => title === 'Transport');
      expect(manifest.rules).toMatchObject([{ text: 'Always use HTTPS.', concepts: [stating?.id, 'HTTPS'] }]);
    }
  });

  it('is about single words too, which become no concepts by it', async () => {
    const manifest = await extract(
      'The port must never be open to `grafana` or Postgres. Never restart Envoy after midnight.',
    );
    expect(manifest.rules.map((rule) => rule.concepts?.slice(1))).toEqual([['grafana', 'Postgres'], ['Envoy']]);
    expect(manifest.concepts).toEqual([]);
  });

  it('links a rule to its passage and to the headings and names it names', async () => {
    const manifest = await extract(
      '# Guide\n\n## Ledger\n\nLedger is the record of every parcel. Never restart Ledger before Granite Store.',
    );
    expect(manifest.rules).toEqual([
      expect.objectContaining({
        category: 'general',
        confidence: 0.6,
        metadata: { form: 'definition' },
        concepts: [manifest.passages[0]?.id, 'Ledger'],
      }),
      expect.objectContaining({
        text: 'Never restart Ledger before Granite Store.',
        metadata: { form: 'imperative' },
        concepts: [manifest.passages[0]?.id, 'Ledger', 'Granite Store'],
      }),
    ]);
    expect(manifest.concepts).toContainEqual({
      name: 'Ledger',
      description: 'Ledger is the record of every parcel.',
      confidence: 0.6,
    });
  });
});

it('extraction never throws and asserts every name an edge has, for any text', async () => {
  const words = fc.constantFrom(
    'Beacon Server',
    'requires',
    'is part of',
    'and',
    ',',
    'must',
    'not',
    '`code`',
    'the',
    'Never',
    'restart',
    '.',
    '\n- ',
    '\n# ',
    '|',
    '"',
    '(',
    'is a',
    'Ledger',
    'If',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 50 }), async (parts) => {
      const { concepts, edges: found } = await extract(`x ${parts.join(' ')}`);
      const names = new Set(concepts.map((concept) => concept.name));
      for (const edge of found) expect(names.has(edge.source) && names.has(edge.target)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
