import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { spelledAsFound, spellingsIn } from '../../src/retrieval/seed/spellings.js';

const STORES = `# Stores

## Left shelf

The pressure valve has the article number BX-442 and costs 14 euros.

## Right shelf

Gaskets of the pump are listed as QR7713 and come in packs of ten.

## Back room

The compressor is the model TK 88 and needs oil twice a year; 442 of them were built.

## Yard

The trailer takes 450 kg. Ask Benno for the BX key of the gate.

## Loans

The cargo bike is due on 2024-06-01; the rent is 64.8 euros.

The tandem is due on 2024-05-20, for 1 week, and costs 13 euros.

The folding bike was returned on 3 March 2024 and cost 7.50.

The sidecar is due on 1.07.2025.

The unicycle is due on 05.8.2025.

The scooter is due on 21/04/2026 and the trike on 4/21/2025.

The rickshaw is due on 02/05/2026.

The hand cart is due on 12/juil/2027, the barrow on 3 mrt 2027, the sledge on 4. Mrz 2027 and the skiff on 5 september 2027.

The float weighs 12,50 kg and the anchor 3,2 kg; boats 5 to 8, 60 and 61 are sold.

The pedicab is due on 12/Mar/2026, the trailer on 03.Mai.2026 and the wagon on 09-Sep-2026.
`;

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  await world.ingest.text({ domain: 'd', text: STORES, format: 'markdown', name: 'stores.md' });
});
afterAll(() => world.close());

describe('what a question may spell otherwise than the documents', () => {
  it.each([
    ['where is BX442?', ['BX442']],
    ['where are BX-442/7, QR 7713 and bx442?', ['QR 7713', 'BX-442/7', 'bx442']],
    ['who built it in 1958, and why?', []],
    ['what was due on 1 June 2024 for 64,80?', ['1 June 2024', '64,80']],
    ['what was returned in June 2024?', ['June 2024']],
    ['version 1.2.3 of 1,890 in 12.5.2024', ['12.5.2024']],
    ['Does Python 3.10 or section 4.20 say so?', []],
    ['the state-of-the-art pump', []],
    [`sum ${'a1'.repeat(30)}`, []],
  ])('are dates, decimals, and codes of letters and digits: %j', (text, codes) => {
    expect(spellingsIn(text).map(({ written }) => written)).toEqual(codes);
  });

  it.each([
    ['What does BX442 cost?', 'BX-442'],
    ['what does bx442 cost?', 'BX-442'],
    ['How are QR-7713 packed?', 'QR7713'],
    ['How are QR 7713 packed?', 'QR7713'],
    ['Does the TK88 need oil?', 'TK 88'],
    ['What weighs 450kg?', '450 kg'],
    ['Which bike was due on 1 June 2024?', '2024-06-01'],
    ['Which bike was due on June 1st, 2024?', '2024-06-01'],
    ['Was war am 1. Juni 2024 fällig und was nicht?', '2024-06-01'],
    ['What was due on 1.6.2024?', '2024-06-01'],
    ['Whose rent was 64.80?', '64.8'],
    ['Whose rent was 64,80 euros?', '64.8'],
    ['What was 13.00 euros?', '13 euros'],
    ['What came back on 2024-03-03?', '3 March 2024'],
    ['What came back for 7.5?', '7.50'],
    ['What weighs 12.5 kg?', '12,50'],
    ['What weighs 12,5 kg?', '12,50'],
    ['What weighs 3.20 kg?', '3,2'],
  ])('find what is spelled otherwise: %j', async (context, code) => {
    for (const domains of [['d'], undefined]) {
      const { items } = await world.retrieval.query({ context, top_k: 10, ...(domains && { domains }) });
      expect(items[0]?.content).toContain(code);
      expect((items[0]!.metadata.why as { terms?: string[] }).terms?.join(' ')).toMatch(/\d/);
    }
  });

  it('are replaced where they stand alone', async () => {
    const spelled = (text: string) => spelledAsFound(world.parts, text, ['d']);
    expect(await spelled('Which is 7.5, and which 17.55 or 7.5?')).toBe('Which is 7.50, and which 17.55 or 7.50?');
    expect(await spelled('What is due on 1 July 2025?')).toBe('What is due on 1.07.2025?');
    expect(await spelled('What is due on 2025-08-05?')).toBe('What is due on 05.8.2025?');
    expect(await spelled('What is due on 21 April 2026?')).toBe('What is due on 21/04/2026?');
    expect(await spelled('What is due on April 21, 2025?')).toBe('What is due on 4/21/2025?');
    expect(await spelled('¿Qué vence el 2 de mayo de 2026?')).toBe('¿Qué vence el 02/05/2026?');
    expect(await spelled('What is due on 12 March 2026?')).toBe('What is due on 12/Mar/2026?');
    expect(await spelled('What is due on 2026-03-12?')).toBe('What is due on 12/Mar/2026?');
    expect(await spelled('Was war am 3. Mai 2026 fällig und was nicht?')).toBe(
      'Was war am 03/mai/2026 fällig und was nicht?',
    );
    expect(await spelled('What is due on September 9, 2026?')).toBe('What is due on 09/Sep/2026?');
    expect(await spelled('Qui est venu le 12 juillet 2027 et pour quoi ?')).toBe(
      'Qui est venu le 12/juil/2027 et pour quoi ?',
    );
    expect(await spelled('Wat is er op 3 maart 2027 gebeurd en waarom?')).toBe(
      'Wat is er op 3/mrt/2027 gebeurd en waarom?',
    );
    expect(await spelled('Wat is er op 5 sept. 2027 gebeurd en waarom?')).toBe(
      'Wat is er op 5 september 2027 gebeurd en waarom?',
    );
    expect(await spelled('Was war am 4. März 2027 fällig und was nicht?')).toBe(
      'Was war am 4/mrz/2027 fällig und was nicht?',
    );
    // Whether it is a day of May or of February nothing tells.
    expect(await spelled('What is due on 2 May 2026?')).toBe('What is due on 2 May 2026?');
    expect(await spelled('BX442 or ABX442?')).toBe('BX-442 or ABX442?');
  });

  it.each([
    'What does BX-442 cost?',
    'Is there a ZZ-999 or a ZZ999?',
    'Where is QR7713?',
    'Which has 442BX7?',
    'Was it 3 March 2024 or 99.90?',
    // Boats 8 and 60 are no 8,60.
    'What weighs 8.6 kg?',
  ])('stay where they are found, or nowhere: %j', async (text) => {
    expect(await spelledAsFound(world.parts, text, ['d'])).toBe(text);
  });
});
