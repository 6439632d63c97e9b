import { describe, expect, it } from '@jest/globals';
import { askedDays } from '../../src/retrieval/dates/asked-days.js';
import { dateIn, dayOf, isoDays, temporalExpressions } from '../../src/retrieval/dates/dates.js';
import { languageOfDay } from '../../src/retrieval/dates/weekdays.js';

const today = dayOf('2026-11-18')!;
const asked = (question: string, language: string) =>
  askedDays(question, { language, today })?.ranges.map(isoDays) ?? [];

const IN_THREE = '2026-11-21';
/** The same day of the next week first, then any day around it. */
const IN_A_WEEK = ['2026-11-25', '2026-11-22/2026-11-28'];

describe('days that are counted from today', () => {
  it.each([
    ['english', 'Who works in three days?', [IN_THREE]],
    ['english', "Who works in 3 days' time?", [IN_THREE]],
    ['english', 'Who works three days from now?', [IN_THREE]],
    ['english', 'Who works a week from today?', IN_A_WEEK],
    ['english', 'Who works in a week?', IN_A_WEEK],
    ['english', 'Who works in 14 days?', ['2026-12-02']],
    ['english', 'What is due in two months?', ['2027-01-01/2027-01-31']],
    ['english', 'What is on in the next three days?', ['2026-11-18/2026-11-21']],
    ['english', 'What is on within two weeks?', ['2026-11-18/2026-12-02']],
    ['english', 'Who worked eleven days ago?', ['2026-11-07']],
    ['english', 'What was decided in the last three days?', ['2026-11-15/2026-11-18']],
    ['german', 'Wer hat in drei Tagen Dienst?', [IN_THREE]],
    ['german', 'Wer hat in einer Woche Dienst?', IN_A_WEEK],
    ['german', 'Wer hatte vor zwölf Tagen Dienst?', ['2026-11-06']],
    ['german', 'Was ist in den nächsten drei Tagen los?', ['2026-11-18/2026-11-21']],
    ['german', 'Was war in den letzten zwei Wochen?', ['2026-11-04/2026-11-18']],
    ['french', 'Qui vient dans trois jours ?', [IN_THREE]],
    ['french', 'Qui vient dans une semaine ?', IN_A_WEEK],
    ['french', 'Qui vient dans quinze jours ?', ['2026-12-02/2026-12-03']],
    ['french', 'Qui est venu il y a trois jours ?', ['2026-11-15']],
    ['french', 'Qui est venu les trois derniers jours ?', ['2026-11-15/2026-11-18']],
    ['french', 'Qui vient les deux prochaines semaines ?', ['2026-11-18/2026-12-02']],
    ['spanish', '¿Quién viene dentro de tres días?', [IN_THREE]],
    ['spanish', 'quien viene en 3 dias', [IN_THREE]],
    ['spanish', '¿Qué hay en los próximos tres días?', ['2026-11-18/2026-11-21']],
    ['italian', 'Chi viene tra tre giorni?', [IN_THREE]],
    ['italian', 'Chi viene fra una settimana?', IN_A_WEEK],
    ['italian', 'Chi è venuto negli ultimi tre giorni?', ['2026-11-15/2026-11-18']],
    ['portuguese', 'Quem vem em três dias?', [IN_THREE]],
    ['portuguese', 'Quem vem daqui a três dias?', [IN_THREE]],
    ['portuguese', 'Quem veio três dias atrás?', ['2026-11-15']],
    ['portuguese', 'O que há nas próximas duas semanas?', ['2026-11-18/2026-12-02']],
    ['dutch', 'Wie komt over drie dagen?', [IN_THREE]],
    ['dutch', 'Wie komt over een week?', IN_A_WEEK],
    ['dutch', 'Wie kwam de afgelopen drie dagen?', ['2026-11-15/2026-11-18']],
  ])('are read from a question: %s, %s', (language, question, days) => expect(asked(question, language)).toEqual(days));

  it.each([
    ['english', 'How was the shed built in three days?'],
    ['english', 'Who is in the three days team?'],
    ['english', 'Which bus comes in every day?'],
    ['english', 'Who has the last day off?'],
    ['english', 'Who leaves in 99999 days?'],
    ['german', 'Wie war es in drei Tagen fertig?'],
    ['italian', 'Chi viene tra i giorni di festa?'],
    ['dutch', 'Wat schreef hij over de dagen?'],
    ['spanish', '¿Qué hay en un día normal?'],
  ])('are none of another sentence: %s, %s', (language, question) => expect(asked(question, language)).toEqual([]));

  it.each([
    ['theke in drei Tagen', [IN_THREE]],
    ['dans trois jours', [IN_THREE]],
    ['fra tre giorni', [IN_THREE]],
    ['over drie dagen', [IN_THREE]],
    ['dentro de tres días', [IN_THREE]],
  ])('are read in their language where the words are too few to tell it: %s', (question, days) =>
    expect(asked(question, languageOfDay(question)!)).toEqual(days),
  );

  it.each([
    ['german', 'Ich komme in einer Woche.'],
    ['french', 'Je reviens dans une semaine.'],
    ['italian', 'Torno fra una settimana.'],
    ['portuguese', 'Volto em uma semana.'],
    ['spanish', 'vuelvo en una semana'],
  ])('say when in a message: %s, %s', (language, text) => expect(temporalExpressions(text, language)).toBe(1));

  it('count from the last message for what was said', () => {
    expect(isoDays(dateIn('What did we say in the last three days?', today, 'english')!)).toBe('2026-11-15/2026-11-18');
    expect(isoDays(dateIn('Was haben wir vor elf Tagen gesagt?', today, 'german')!)).toBe('2026-11-07');
    expect(dateIn('Who works in three days?', today, 'english')).toBeUndefined();
  });
});

describe('a day that ends or begins a time', () => {
  it.each([
    ['italian', 'Chi arriva dopo il 20 dicembre?'],
    ['italian', "Chi arriva dopo l'8 maggio?"],
    ['italian', 'Chi arriva prima del 3 maggio?'],
    ['italian', 'Chi arriva a partire dal 3 maggio?'],
    ['italian', "Chi arriva prima dell'8 maggio?"],
    ['french', 'Qui arrive après le 20 décembre ?'],
    ['french', 'Qui arrive à partir du 20 décembre ?'],
    ['french', 'Qui arrive avant le 3 mai ?'],
    ['spanish', '¿Quién llega después del 20 de diciembre?'],
    ['spanish', '¿Quién llega a partir del 3 de mayo?'],
    ['spanish', 'quien llega despues del 20 de diciembre'],
    ['portuguese', 'Quem chega depois do dia 20 de dezembro?'],
    ['portuguese', 'Quem chega a partir de 3 de maio?'],
    ['dutch', 'Wie komt na 20 december?'],
    ['dutch', 'Wie komt vanaf 3 mei?'],
    ['english', 'Who arrives no later than 3 May?'],
    ['english', 'Who arrives from 3 May onwards?'],
    ['german', 'Wer kommt spätestens am 3. Mai?'],
    ['german', 'Wer kommt frühestens am 3. Mai?'],
  ])('is told: %s, %s', (language, question) =>
    expect(askedDays(question, { language, today })).toMatchObject({ isLimit: true }),
  );

  it('is none where the day alone is asked for', () => {
    for (const [language, question] of [
      ['italian', "Chi arriva l'8 maggio?"],
      ['french', 'Qui est parti le 3 mai ?'],
      ['english', 'Who is away from 3 May?'],
      ['dutch', 'Wie komt op 20 december?'],
    ] as const)
      expect(askedDays(question, { language, today })).not.toHaveProperty('isLimit');
  });
});
