import { describe, expect, it } from '@jest/globals';
import { nameForms } from '../../src/ingest/entities/name-forms.js';

describe('the forms of a name', () => {
  it('are those of its words, without articles, titles and legal forms', () => {
    expect(nameForms('The European Union (EU)')).toMatchObject({
      words: ['european', 'union'],
      joined: 'europeanunion',
      acronym: 'eu',
      qualifier: '',
    });
    expect(nameForms('Acme Inc.').words).toEqual(['acme']);
    expect(nameForms('Part II of 2009–10')).toMatchObject({ numbers: 'II 2009 2010' });
  });

  it('are one word for a text of very many, which still tells apart what its end and parentheses say', () => {
    const text = 'Word '.repeat(40);
    const [first, second, other] = [
      `${text} one (Paris)`,
      `${text.toUpperCase()} one (Paris)`,
      `${text} one (Rome)`,
    ].map(nameForms);
    expect(first!.words).toEqual([first!.joined]);
    expect(first!.initials).toEqual([]);
    expect(second).toEqual(first);
    expect(other!.joined).not.toBe(first!.joined);
  });
});
