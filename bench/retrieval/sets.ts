import { existsSync } from 'node:fs';
import { type DevelopmentSet, dataFolder, hotpot, musique } from './data.js';
import { sampleSet } from './sample-set.js';

/** The development sets; where their folder is missing, the sample that comes with the project. */
export function developmentSets(): DevelopmentSet[] {
  return existsSync(dataFolder()) ? [musique(), hotpot()] : [sampleSet()];
}
