import type { NewRun } from '../../backends/store/gateway/runs.js';
import { armsOf } from './merge-run.js';

/** What a run taught so far: arm → reward, and the version of the learner's partition when it did. */
export type Taught = Readonly<Record<string, readonly [reward: number, version: number]>>;

/** A change of one arm's posterior. */
export interface LessonChange {
  readonly armId: string;
  /** 1 for a new lesson, 0 for another reward, -1 for one taken back. */
  readonly pulls: 1 | 0 | -1;
  /** Added to the sum of rewards. */
  readonly reward: number;
  /** The lesson that is changed; absent for a new one. */
  readonly before?: readonly [reward: number, version: number];
}

/**
 * Returns what a run teaches: an arm that was included and referenced 1 (or the score of the run's evaluation),
 * included and not referenced 0, left out nothing. A run that was aborted or failed teaches nothing.
 */
export function lessonOf(
  run: Pick<NewRun, 'arms' | 'tools' | 'aborted' | 'error' | 'evaluation'>,
): Map<string, number> {
  const lesson = new Map<string, number>();
  if (run.aborted === 1 || (run.error !== null && run.error !== undefined)) return lesson;
  for (const { armId, included, referenced } of armsOf(run)) {
    if (included) lesson.set(armId, referenced ? (run.evaluation ?? 1) : 0);
  }
  return lesson;
}

/** Returns what has to change so that a run has taught its lesson and nothing else; by arm id. */
export function lessonChanges(taught: Taught, lesson: ReadonlyMap<string, number>): LessonChange[] {
  const changes: LessonChange[] = [];
  for (const [armId, reward] of lesson) {
    const before = Object.hasOwn(taught, armId) ? taught[armId] : undefined;
    if (before === undefined) changes.push({ armId, pulls: 1, reward });
    else if (before[0] !== reward) changes.push({ armId, pulls: 0, reward: reward - before[0], before });
  }
  for (const [armId, before] of Object.entries(taught)) {
    if (!lesson.has(armId)) changes.push({ armId, pulls: -1, reward: -before[0], before });
  }
  return changes.sort((a, b) => (a.armId < b.armId ? -1 : 1));
}

export function taughtOf(json: string): Taught {
  return JSON.parse(json) as Taught;
}
