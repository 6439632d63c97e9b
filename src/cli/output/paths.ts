import { relative } from 'node:path';

export const PATH_WIDTH = 60;

/** Shows a path from here; of a long one its end, which names the file. */
export function endOf(path: string): string {
  const text = relative('.', path) || path;
  return text.length <= PATH_WIDTH ? text : `…${text.slice(-(PATH_WIDTH - 1))}`;
}

/** Returns a word as it is typed on a command line: quoted where a shell would read more than one word, or a command, in it. */
export function typedWord(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
