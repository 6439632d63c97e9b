import { readFileSync } from 'node:fs';
import type { DevelopmentSet } from './data.js';

/** The sample that comes with the project, as a set: small, and there without the development data. */
export function sampleSet(folder = 'samples'): DevelopmentSet {
  const sections = readFileSync(`${folder}/encyclopedia.md`, 'utf8').split(/^# /m).slice(1);
  const passages = sections.map((section) => {
    const [title = '', ...rest] = section.split('\n');
    return { title: title.trim(), text: rest.join('\n').trim() };
  });
  const places = new Map(passages.map((passage, place) => [passage.title, place]));
  const entries = JSON.parse(readFileSync(`${folder}/questions.json`, 'utf8')) as ReadonlyArray<{
    readonly question: string;
    readonly type: string;
    readonly titles: readonly string[];
  }>;
  const questions = entries
    .map(({ question, type, titles }) => ({
      question,
      kind: type,
      gold: titles.flatMap((title) => places.get(title) ?? []),
    }))
    .filter(({ gold }) => gold.length > 0);
  return { name: 'Sample', passages, questions };
}
