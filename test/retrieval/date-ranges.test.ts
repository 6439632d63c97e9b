import { describe, expect, test } from '@jest/globals';
import { dateIn, dayOf } from '../../src/retrieval/dates/dates.js';

const today = dayOf('2026-03-16T10:00:00Z')!;

/** Returns the days that a question speaks of: the first and the last. */
function days(question: string, language?: string): readonly [string, string] | undefined {
  const range = dateIn(question, today, language);
  if (range === undefined) return undefined;
  const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  return [iso(range.from), iso(range.to)];
}

describe('a part of a month', () => {
  test.each([
    ['english', 'What was said in the last week of February?', '2026-02-22', '2026-02-28'],
    ['english', 'What was said in the first week of March?', '2026-03-01', '2026-03-07'],
    ['english', 'And in the third week of March 2025?', '2025-03-15', '2025-03-21'],
    ['english', 'What happened in the second half of May?', '2025-05-16', '2025-05-31'],
    ['english', 'What did we decide in early March?', '2026-03-01', '2026-03-10'],
    ['english', 'What did we decide in mid-March?', '2026-03-11', '2026-03-20'],
    ['english', 'What did we decide late in March 2025?', '2025-03-21', '2025-03-31'],
    ['english', 'Who left at the end of February?', '2026-02-21', '2026-02-28'],
    ['german', 'Was war in der letzten Woche des Februar?', '2026-02-22', '2026-02-28'],
    ['german', 'Was war in der letzten Februarwoche?', '2026-02-22', '2026-02-28'],
    ['german', 'Was war in der zweiten Maihälfte?', '2025-05-16', '2025-05-31'],
    ['german', 'Was war in der ersten Woche im März?', '2026-03-01', '2026-03-07'],
    ['german', 'Was war Anfang März?', '2026-03-01', '2026-03-10'],
    ['german', 'Was war Mitte März?', '2026-03-11', '2026-03-20'],
    ['german', 'Was war Ende März 2025?', '2025-03-21', '2025-03-31'],
    ['french', 'Que disait-elle la dernière semaine de février ?', '2026-02-22', '2026-02-28'],
    ['french', 'Que disait-elle à la mi-mars ?', '2026-03-11', '2026-03-20'],
    ['spanish', '¿Qué dijo en la segunda mitad de mayo?', '2025-05-16', '2025-05-31'],
    ['spanish', '¿Qué dijo a finales de febrero?', '2026-02-21', '2026-02-28'],
    ['italian', "Cosa disse l'ultima settimana di febbraio?", '2026-02-22', '2026-02-28'],
    ['portuguese', 'O que disse na primeira semana de março?', '2026-03-01', '2026-03-07'],
    ['dutch', 'Wat zei ze begin maart?', '2026-03-01', '2026-03-10'],
  ])('is read in %s: %s', (language, question, from, to) => {
    expect(days(question, language)).toEqual([from, to]);
  });

  test('is none where the month is the last for something, or is none', () => {
    expect(days('What must be done by the end of March?')).toEqual(['2026-03-01', '2026-03-31']);
    expect(days('Was muss bis Ende März fertig sein?', 'german')).toEqual(['2026-03-01', '2026-03-31']);
    expect(days('How late may I come?')).toBeUndefined();
    expect(days('What did we do last week?')).toEqual(['2026-03-09', '2026-03-15']);
  });
});

describe('the days from one to another', () => {
  test.each([
    ['english', 'What did Ines say between 20 and 28 February?', '2026-02-20', '2026-02-28'],
    ['english', 'What was said between the 20th and the 28th of February 2025?', '2025-02-20', '2025-02-28'],
    ['english', 'What was said from 20 to 28 February?', '2026-02-20', '2026-02-28'],
    ['english', 'What was said 20–28 February 2025?', '2025-02-20', '2025-02-28'],
    ['english', 'What was said from February 20 to 28, 2025?', '2025-02-20', '2025-02-28'],
    ['english', 'What was said from 20 December to 3 January?', '2025-12-20', '2026-01-03'],
    ['english', 'What was said between 2026-02-20 and 2026-02-28?', '2026-02-20', '2026-02-28'],
    ['english', 'What was decided between January and March?', '2026-01-01', '2026-03-31'],
    ['german', 'Was war zwischen dem 20. und 28. Februar?', '2026-02-20', '2026-02-28'],
    ['german', 'Was war zwischen dem 20. und dem 28. Februar 2025?', '2025-02-20', '2025-02-28'],
    ['german', 'Was war vom 3. bis 7. März?', '2026-03-03', '2026-03-07'],
    ['german', 'Was war vom 3. Februar bis zum 7. März?', '2026-02-03', '2026-03-07'],
    ['german', 'Was war vom 3.2. bis 7.3.2025?', '2025-02-03', '2025-03-07'],
    ['french', 'Que disait-elle du 3 au 7 mars ?', '2026-03-03', '2026-03-07'],
    ['spanish', '¿Qué dijo entre el 20 y el 28 de febrero?', '2026-02-20', '2026-02-28'],
    ['italian', 'Cosa disse dal 3 al 7 marzo?', '2026-03-03', '2026-03-07'],
    ['portuguese', 'O que disse de 3 a 7 de março?', '2026-03-03', '2026-03-07'],
    ['dutch', 'Wat zei ze tussen 20 en 28 februari?', '2026-02-20', '2026-02-28'],
  ])('are read in %s: %s', (language, question, from, to) => {
    expect(days(question, language)).toEqual([from, to]);
  });

  test('are none where the words say something else', () => {
    expect(days('Who came on 12-Mar-2026?')).toEqual(['2026-03-12', '2026-03-12']);
    expect(days('What did Ines and Ada say on 3 March?')).toEqual(['2026-03-03', '2026-03-03']);
    expect(days('Who moved from room 4 to 5?')).toBeUndefined();
    expect(days('From 28 February 2026 to 20 February 2026?')).toEqual(['2026-02-28', '2026-02-28']);
  });
});
