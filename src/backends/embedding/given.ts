import { SvcError } from '../../core/errors.js';
import { counted } from '../../core/wording/counted.js';
import type { EmbeddingModel } from './port.js';

/** Wraps a model that a caller passes: what does not fit the texts it was given is `unavailable`, and nothing is stored of it. */
export function givenModel(model: EmbeddingModel): EmbeddingModel {
  const refuse = (problem: string): never => {
    throw new SvcError('unavailable', `The embedding model ${model.name} ${problem}.`);
  };
  const checkCount = (made: readonly unknown[], texts: readonly unknown[]): void => {
    if (made.length !== texts.length)
      refuse(`gave ${counted(made.length, 'vector')} for ${counted(texts.length, 'text')}; it must give one for each`);
  };
  const checkVector = (vector: Float32Array): void => {
    if (vector.length !== model.dimension)
      refuse(`gave a vector of ${vector.length} numbers; its dimension says ${model.dimension}`);
  };
  return {
    name: model.name,
    dimension: model.dimension,
    ...(model.runsInProcess === undefined ? {} : { runsInProcess: model.runsInProcess }),
    ...(model.remote === undefined ? {} : { remote: model.remote }),
    ...(model.idle === undefined ? {} : { idle: () => model.idle!() }),
    async embed(texts, signal) {
      const made = await model.embed(texts, signal);
      checkCount(made, texts);
      made.forEach(checkVector);
      return made;
    },
    async embedSpanned(texts, signal) {
      const made = await model.embedSpanned(texts, signal);
      checkCount(made, texts);
      for (const { vector, spans } of made) for (const one of [vector, ...spans]) checkVector(one);
      return made;
    },
    health: () => model.health(),
    close: () => model.close(),
  };
}
