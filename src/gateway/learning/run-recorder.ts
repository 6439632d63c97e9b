import { addReward } from '../../backends/store/gateway/rewards.js';
import { lockRuns, type NewRun, putRuns } from '../../backends/store/gateway/runs.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { mapInSlices } from '../../core/async/slices.js';
import { groupInSlices } from '../../core/group-by.js';
import type { ArmReward, RunPart } from '../telemetry-intake/records.js';
import { type LessonChange, lessonChanges, lessonOf, type Taught, taughtOf } from './lesson.js';
import { mergeRun } from './merge-run.js';
import { teach } from './teach.js';

/** How long a run is left alone after its last part before a remote learner hears of it, ms. */
const QUIET_MS = 30_000;

/**
 * Merges runs from their parts, and gives the learner their lessons: once per run, in the transaction that records
 * them.
 */
export class RunRecorder {
  constructor(
    private readonly options: {
      readonly enabled: boolean;
      /** True where another service keeps the learner: lessons then wait until no part of a run arrived for `QUIET_MS`. */
      readonly remote: boolean;
    },
  ) {}

  async record({ db }: WriteScope, parts: readonly RunPart[], now: number): Promise<void> {
    if (!this.options.enabled || parts.length === 0) return;
    const byRun = await groupInSlices(parts, ({ runId }) => runId);
    const known = await lockRuns(db, [...byRun.keys()]);
    const runs: NewRun[] = [];
    for (const [runId, group] of [...byRun].sort(([a], [b]) => (a < b ? -1 : 1))) {
      runs.push(await mergeRun(known.get(runId), group, now));
    }
    if (this.options.remote) {
      await putRuns(
        db,
        runs.map((run) => waiting(run, now)),
      );
      return;
    }
    await putRuns(db, await taughtRuns(db, runs, now));
  }

  /** Records rewards for single arms. They are kept with their reasons, which are no part of a context. */
  async rewardAll({ db }: WriteScope, rewards: readonly ArmReward[], now: number): Promise<void> {
    if (!this.options.enabled || rewards.length === 0) return;
    const { remote } = this.options;
    if (!remote) {
      await teach(
        db,
        rewards.map(({ armId, reward }) => ({ armId, pulls: 1, reward })),
        now,
      );
    }
    for (const { armId, reward, outcome, reason } of rewards) {
      await addReward(db, { armId, reward, outcome, reason, at: now, pending: remote ? 1 : 0 });
    }
  }
}

function waiting(run: NewRun, now: number): NewRun {
  const changes = lessonChanges(taughtOf(run.taught), lessonOf(run));
  const isNew = changes.some(({ before }) => before === undefined);
  return { ...run, pending: isNew ? 1 : 0, due: now + QUIET_MS };
}

async function taughtRuns(db: WriteScope['db'], runs: readonly NewRun[], now: number): Promise<NewRun[]> {
  const changes = await mapInSlices(runs, (run) => lessonChanges(taughtOf(run.taught), lessonOf(run)));
  const { applied, version } = await teach(db, changes.flat(), now);
  const done = new Set(applied);
  return mapInSlices(runs.entries(), ([index, run]) => {
    const mine = changes[index]!;
    if (mine.length === 0) return run;
    return { ...run, taught: JSON.stringify(afterwards(taughtOf(run.taught), mine, { done, version })) };
  });
}

/**
 * Returns what a run has taught after changes; a lesson that a reset erased stays as it is, so that it is never taught
 * again.
 */
function afterwards(
  taught: Taught,
  changes: readonly LessonChange[],
  { done, version }: { readonly done: ReadonlySet<LessonChange>; readonly version: number },
): Taught {
  const now: Record<string, readonly [number, number]> = { ...taught };
  for (const change of changes) {
    if (!done.has(change)) continue;
    const { armId, pulls, reward, before } = change;
    if (pulls === -1) delete now[armId];
    else now[armId] = [(before?.[0] ?? 0) + reward, before?.[1] ?? version];
  }
  return now;
}
