import { expect, it } from '@jest/globals';
import { namesIn } from '../../src/core/text/mentions.js';

const namesOf = (text: string, textLanguage = 'german') =>
  namesIn(text, { textLanguage })
    .mentions(() => false)
    .map(({ name }) => name);

it.each([
  ['Bei Gewitter und ab Windstärke 6 darf nicht gerudert werden.', ['Gewitter', 'Windstärke 6']],
  [
    'Die Rennboote Kranich und Eisvogel dürfen nur von Gästen benutzt werden.',
    ['Rennboote Kranich', 'Eisvogel', 'Gästen'],
  ],
  ['Ab Montag und zum Treffen kommen alle.', ['Treffen']],
])('no name is the beginning of a German sentence with its preposition or article: %s', (text, expected) => {
  expect(namesOf(text)).toEqual(expected);
});

it.each([
  ['Wir fahren nach Frankfurt am Main.', 'german', 'Frankfurt am Main'],
  ['Das Haus der Geschichte liegt in Bonn.', 'german', 'Bonn'],
  ['Die Welle und der Strand', 'english', 'Die Welle und der Strand'],
])('other names stay whole: %s', (text, language, expected) => {
  expect(namesOf(text, language)).toContain(expected);
});
