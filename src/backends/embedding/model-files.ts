import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcError } from '../../core/errors.js';

const VOCABULARY_SIZE = 30_522;

/**
 * Returns the directory of the built-in models: `models/` of the package, found upwards from here (source tree or
 * build).
 */
export function modelsDirectory(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(directory, 'models');
    if (existsSync(join(candidate, 'minilm', 'vocab.txt'))) return candidate;
    const parent = dirname(directory);
    if (parent === directory) throw missing('models/minilm/vocab.txt');
    directory = parent;
  }
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
