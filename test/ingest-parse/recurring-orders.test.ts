import { expect, it } from '@jest/globals';
import { sentenceRule } from '../../src/ingest/extract/rules.js';

const formOf = (sentence: string): string | undefined =>
  sentenceRule(sentence, { item: false, terms: [], sections: new Set(), language: undefined })?.form;

it.each([
  'Calibrate the OPUS probes every 14 days.',
  'Calibrate the OPUS probes every 14 days',
  'Grease the chain of the winch every 300 km.',
  'Deworm the goats every three months.',
  'Bleed all radiators once a year.',
  'Descale the kettle weekly.',
  'Dust the lamps at least twice a month.',
  'Allergic to penicillin: use doxycycline instead.',
  'Allergic to penicillin: use macrolides instead.',
  'In case of fire: leave the building by the east door.',
  'If the pump is silent: call the engineer on duty.',
  'Flush the OPUS loop every week.',
  'Oil the Suzuki motor every 100 operating hours.',
  'Descale all Jura machines monthly.',
  'No parking near the school.',
  'No parking near the school sports hall.',
  'No fishing during summer months anywhere.',
  'No running in the corridors.',
  'No smoking in the boats and sheds.',
  'No swimming after dark without the lifeguards.',
  'No parking near the school gates and the bus stop.',
  'No diving in the shallows or the harbour.',
])('an instruction at intervals or under a condition is a rule: %s', (sentence) => {
  expect(formOf(sentence)).toBe('imperative');
});

it.each([
  'Trains run every ten minutes.',
  'Today the trains run every ten minutes.',
  'Outside the town the bus leaves every hour.',
  'Milk trucks arrive every two hours.',
  'Fed the cat every eight hours.',
  'Ran the tests every 14 days.',
  'Watered the plants every week.',
  'Watering the plants every week.',
  'Usually the probes drift every 14 days.',
  'Tides the size of this come every 14 days.',
  'Imagine the probes are calibrated every 14 days.',
  'Half the crew meets every week.',
  'Monday the crew meets, as it does every week.',
  'Allergic to penicillin: the patient in room 4.',
  'Agenda: review budget, plan party.',
  'The patient is allergic to penicillin: use of it was stopped.',
  'Rain the whole day every autumn.',
  'Love the show every week!',
  'Imagine the noise every morning.',
  'Win a prize every week.',
  'Enjoy a free coffee every Friday.',
  'Peter the Great each year.',
  'Peter the Great visits each year.',
  'No parking near the school helps children.',
  'No swimming after dark changes the fact.',
  'No smoking in the boathouse keeps the air clean.',
])('what only tells something is none: %s', (sentence) => {
  expect(formOf(sentence)).toBeUndefined();
});
