import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { packageRoot } from '../../core/package-root.js';
import { WordPiece } from './wordpiece/wordpiece.js';

const VOCABULARY_SIZE = 30_522;

/** Returns the directory of the built-in models: `models/` of the package. */
export function modelsDirectory(): string {
  return join(packageRoot(), 'models');
}

/** Returns the bytes of a model file, by its path under `models/`. Throws `unavailable` when it is not there. */
export function readModelFile(path: string): Buffer {
  try {
    return readFileSync(join(modelsDirectory(), path));
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    throw missing(`models/${path}`, cause);
  }
}

/** Returns the WordPiece vocabulary of both models, in the order of its ids. */
export function readVocabulary(): string[] {
  const pieces = readModelFile('minilm/vocab.txt').toString('utf8').split('\n').slice(0, VOCABULARY_SIZE);
  if (pieces.length !== VOCABULARY_SIZE) throw missing('models/minilm/vocab.txt');
  return pieces;
}

let wordPiece: WordPiece | undefined;

/** Returns the tokeniser of both models; all share it, since its words take several megabytes. */
export function sharedWordPiece(): WordPiece {
  wordPiece ??= new WordPiece(readVocabulary());
  return wordPiece;
}

/** Returns whether the vocabulary of both models holds a whole word; true for every word where its file is not there. */
export function isInVocabulary(word: string): boolean {
  try {
    return sharedWordPiece().has(word);
  } catch {
    return true;
  }
}

function missing(file: string, cause?: unknown): SvcError {
  return new SvcError(
    'unavailable',
    `The embedding model's file ${file} is missing or damaged; restore it.`,
    undefined,
    {
      cause,
    },
  );
}
