import { bounded } from '../dates/dates.js';

const WHERE = bounded('where|woh?in|wo|où|d(?:ó|o)nde|onde|dove|waar', 'iu');

/** Words before a place, and of giving: what somebody was given is with that person. */
const PLACES: Readonly<Record<string, RegExp>> = {
  english: bounded(
    'in|into|inside|at|on|onto|to|under|below|above|behind|beside|by|near|next|between|with|here|there|gave|given',
    'iu',
  ),
  german: bounded(
    'in|ins|im|an|ans|am|auf|aufs|unter|unterm|(?:ü|ue)ber|hinter|vor|neben|zwischen|bei|beim|zu|zum|zur|nach|hier|dort|gegeben|gibt|gab',
    'iu',
  ),
  french: bounded(
    'dans|sur|sous|chez|(?:à|a)|aux?|en|devant|derri(?:è|e)re|entre|pr(?:è|e)s|ici|l(?:à|a)|donn(?:é|e)e?s?',
    'iu',
  ),
  spanish: bounded('en|al?|sobre|bajo|debajo|encima|detr(?:á|a)s|junto|entre|con|aqu(?:í|i)|all(?:í|i)|di|dado', 'iu'),
  italian: bounded(
    'in|nel\\p{L}*|su|sul\\p{L}*|sotto|dietro|accanto|tra|fra|da|dal\\p{L}*|ad?|all?\\p{L}?|qui|l(?:ì|i)|dato',
    'iu',
  ),
  portuguese: bounded(
    'em|n[oa]s?|num|numa|sobre|sob|debaixo|atr(?:á|a)s|entre|com|ao?s?|(?:à|a)s?|aqui|ali|l(?:á|a)|dei|dado',
    'iu',
  ),
  dutch: bounded('in|op|onder|boven|achter|naast|tussen|bij|naar|aan|hier|daar|gegeven|gaf', 'iu'),
};

const DIRECTIONS = new Map([
  ...'to into nach zum zur vers hacia hasta naar'.split(' ').map((word) => [word, 'to'] as const),
  ...'from aus von vom depuis desde uit'.split(' ').map((word) => [word, 'from'] as const),
]);

/** Returns whether a question asks where something is. */
export function asksWhere(question: string): boolean {
  return WHERE.test(question);
}

/** Returns whether a text may say where something is. `language`: as `languageOf` names it. */
export function saysWhere(text: string, language: string): boolean {
  return PLACES[language]?.test(text) ?? true;
}

/** Returns whether a word says that something leads to what follows, or from it; undefined where it says neither. */
export function directionOf(word: string): 'to' | 'from' | undefined {
  return DIRECTIONS.get(word);
}
