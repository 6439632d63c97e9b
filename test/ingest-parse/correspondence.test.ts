import { describe, expect, it } from '@jest/globals';
import { documentManifest, fileDocument } from '../../src/ingest/document.js';
import { fileSource } from '../../src/ingest/sources.js';

async function rulesOf(name: string, text: string): Promise<string[]> {
  const type = name.endsWith('.md') ? ('markdown' as const) : ('text' as const);
  const file = { path: `/${name}`, name, type, bytes: Buffer.from(text), hash: name };
  const { rules } = await documentManifest(fileDocument(file, fileSource('d', file)));
  return rules.map((rule) => rule.text);
}

const REQUEST = 'Please send them or credit us.';
const BODY = `Two kettles of our last order are missing. ${REQUEST} Please never leave parcels at the gate.`;
const GENERAL = 'Please never leave parcels at the gate.';
const HEAD =
  'From: Ada Crane <ada@example.org>\nTo: Tom <tom@example.org>\nSubject: Order 17\nDate: Mon, 2 Mar 2026 10:00:00 +0000';

describe('what a letter, a mail or a chat asks its reader for', () => {
  it.each([
    ['a letter', 'letter.txt', `Crane & Sons\n4 Mill Lane\n\nDear Mr Osman,\n\n${BODY}\n\nKind regards,\nAda Crane\n`],
    ['a note', 'note.txt', `Hi Tom,\n${BODY}\n`],
    ['a letter in Markdown', 'letter.md', `# Order 17\n\nDear Mr Osman,\n\n${BODY}\n`],
    ['a mail', 'order.eml', `${HEAD}\n\n${BODY}\n`],
    ['a mail saved as a text', 'order.txt', `${HEAD}\n\n${BODY}\n`],
    ['mails in a box', 'all.mbox', `From ada@example.org Mon Mar  2 10:00:00 2026\n${HEAD}\n\n${BODY}\n\n`],
    [
      'a mail below the closing of which another one stands',
      'answer.eml',
      `${HEAD}\n\nHello Ada,\n\nThey are on their way.\n\nBest regards\nTom\n\nTwo kettles are missing.\n\n${BODY}\n`,
    ],
    [
      'a chat',
      'chat.txt',
      `${['Hi!', 'The kettles.', BODY].map((said) => `[12.03.24, 14:05:33] Anna: ${said}`).join('\n')}\n`,
    ],
  ])('is no rule, but for what it asks for in general: %s', async (_, name, text) => {
    expect(await rulesOf(name, text)).toEqual([GENERAL]);
  });

  it.each([
    ['German', 'Sehr geehrte Frau Kranich,\n\nzwei Kessel fehlen in der Lieferung. Bitte die Kessel an uns senden.\n'],
    ['French', 'Madame, Monsieur,\n\nDeux bouilloires manquent dans la livraison. Veuillez envoyer les bouilloires.\n'],
  ])('is no rule in %s', async (_, text) => {
    expect(await rulesOf('letter.txt', text)).toEqual([]);
  });

  it.each([
    ['a handbook', 'handbook.md', '# Doors\n\nPlease lock the door. The key hangs at the till.\n'],
    ['a notice', 'notice.txt', 'The shop closes at six.\n\nPlease lock the door.\n'],
    [
      'a handbook, in a section after that of a sample letter',
      'handbook.md',
      `# Letters\n\nDear customer,\n\n${REQUEST}\n\n# Doors\n\nPlease lock the door.\n`,
    ],
    [
      'what is attached below the closing of a letter',
      'letter.txt',
      `Dear tenants,\n\n${REQUEST}\n\nYours faithfully\n\nHouse rules of the shop\n\nPlease lock the door.\n`,
    ],
    ['care instructions', 'sweater.md', '# Sweater\n\nCare instructions:\n\nPlease lock the door.\n'],
    ['opening hours', 'notice.txt', 'From: 3 pm\nTo: 10 am\n\nPlease lock the door.\n'],
    [
      'a welcome that is a sentence',
      'house.md',
      '# House\n\nDear guests, welcome to our flat!\n\n## Doors\n\nPlease lock the door.\n',
    ],
    [
      'a handbook that greets its readers, in its sections',
      'house.md',
      '# House\n\nDear guests,\n\nwe are glad that you came.\n\n## Doors\n\nPlease lock the door.\n',
    ],
    [
      'a handbook that greets its readers above its headings',
      'house.md',
      'Dear guests,\n\nwe are glad that you came.\n\n## Doors\n\nPlease lock the door.\n',
    ],
    ['a list of contacts', 'handbook.md', '# Order\n\nTo: the till.\n\nPlease lock the door.\n'],
  ])('is a rule in a text for everybody: %s', async (_, name, text) => {
    expect(await rulesOf(name, text)).toEqual(['Please lock the door.']);
  });
});
