import { afterEach, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';

const FILLER = ['My cousin visits us at Easter with her dogs.', 'I watched a documentary about whales.'];

let world: World;
afterEach(() => world.close());

/** Says each text a month after the one before it, then asks. */
async function orderOf(said: readonly string[], question: string, role: (i: number) => string = () => 'user') {
  world = await openWorld('minilm');
  for (const [i, text] of said.entries()) {
    const timestamp = `2026-0${i + 1}-05T10:00:00Z`;
    await world.ingest.message({ domain: 'chat', session_id: `s${i}`, role: role(i), text, timestamp });
  }
  const { items } = await world.retrieval.query({ context: question, domains: ['chat'], top_k: 10 });
  return items.map(({ content }) => content.replace(/^[^:]*: /, ''));
}

describe('a fact that is said anew', () => {
  it.each([
    [
      'How many sessions do I have left?',
      'I have 10 sessions left with the trainer.',
      'I have 6 sessions left with the trainer.',
    ],
    ['What size does Lena wear?', 'Lena wears size 122.', 'Lena has grown, she wears size 128.'],
    ['Where is the passport?', 'The passport is in the desk drawer.', 'I put the passport into the safe.'],
    ['What is the name of my team?', 'My team is called Falcon.', 'After the merger my team is called Osprey.'],
    ['How many employees do we have?', 'We are eleven employees.', 'With Mila and Tom we are thirteen employees.'],
    ['How much rent do I pay?', 'I pay 940 euros rent for the flat.', 'The place on Church Lane is nice, rent 780.'],
    ['Wie viel Miete zahle ich?', 'Ich zahle 900 Euro Miete.', 'Die Miete wurde auf 960 Euro erhöht.'],
    ['¿Cuánto pago de alquiler?', 'Pago 700 euros de alquiler.', 'El alquiler subió a 750 euros.'],
    ['What is my phone number?', 'My phone number is 0664 123 4567.', 'New number for me: 0660 987 6543.'],
    [
      'When does the piano lesson take place?',
      'My piano lesson is on Mondays at 17:00.',
      'Piano lesson shifted to Wednesdays at 18:30.',
    ],
    [
      'Am I running the half marathon?',
      'I am running the half marathon in May.',
      'I hurt my knee, the half marathon is off.',
    ],
    ['Where do I work?', 'I work at the Lindenhof clinic.', 'Since August I have my own practice in Leibnitz.'],
    ['Am I single?', 'I am single.', 'Paula and I, we are a couple.'],
  ])('stands above what it was before: %s', async (question, before, after) => {
    expect((await orderOf([before, ...FILLER, after], question)).slice(0, 2)).toEqual([after, before]);
  });

  it.each([
    ['Where was the passport?', 'The passport is in the desk drawer.', 'I put the passport into the safe.'],
    ['Where is the passport?', 'The passport is in the desk drawer.', 'Where is the passport?'],
    [
      'How many sessions do I have left?',
      'I have 10 sessions left with the trainer.',
      'The sessions with the trainer left me tired.',
    ],
    ['What is the number of the plumber?', 'You can call the plumber at 314159.', 'I called the plumber again.'],
    ['Where is the passport of Mia?', 'The passport of Mia is in the desk.', 'The passport of Tom is in the safe.'],
    [
      'Which dentist am I not afraid of?',
      'My dentist is Dr Blum, I am not afraid of her.',
      'Dr Blum retired, my dentist is Dr Weiss.',
    ],
    ['Where is the passport?', 'The passport is in the desk drawer.', 'I took a photo of the passport.'],
    ['Where is the passport?', 'The passport is in the desk drawer.', 'I need the passport for the trip.'],
    ['Which flight goes to Rome?', 'The flight to Rome is OS 511.', 'The flight from Rome is OS 512.'],
    ['Wann fährt der Zug nach Wien?', 'Der Zug nach Wien fährt um 7:12.', 'Der Zug aus Wien fährt um 18:40.'],
    ['How much rent do I pay?', 'I pay 900 euros rent.', 'My brother pays 600 euros rent in Lyon.'],
    ['How much rent do I pay?', 'I pay 900 euros rent.', 'Tom told me that his rent is 1200 euros.'],
    ['Wie viel Miete zahle ich?', 'Ich zahle 900 Euro Miete.', 'Meine Schwester zahlt 600 Euro Miete.'],
    ['Who is my partner?', 'My partner is called Paula.', 'We are a couple of minutes late.'],
    ['Where do I work?', 'I work at the Lindenhof clinic.', 'I opened a business account at the bank.'],
    ['Where do I work?', 'I work at the Lindenhof clinic.', 'We are retired from the choir.'],
    [
      'What is the wifi password of the office?',
      'The wifi password of the office is kiwi-42.',
      'The office asked for the wifi password 3 times today.',
    ],
  ])('does not where something else is asked or said: %s %s %s', async (question, right, other) => {
    expect((await orderOf([right, ...FILLER, other], question))[0]).toBe(right);
  });

  it('does not where another speaker says it', async () => {
    const said = ['I drink four cups of coffee a day.', ...FILLER, 'I drink two cups of coffee a day.'];
    const order = await orderOf(said, 'How many cups of coffee do I drink?', (i) => (i === 3 ? 'assistant' : 'user'));
    expect(order[0]).toBe(said[0]);
  });
});
