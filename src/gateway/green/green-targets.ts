import { randomUUID } from 'node:crypto';
import { addTarget, readTargets, removeTarget } from '../../backends/store/gateway/green-targets.js';
import { greenTimeRange } from '../../backends/store/gateway/green-traces.js';
import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { type CarbonTarget, DAY_MS, type TargetProgress } from './carbon-types.js';
import type { GreenFiles } from './green-files.js';
import { gramsOf } from './green-sums.js';
import { dayOf, parsePeriod, yearOf } from './report/period.js';
import { progressOf } from './report/targets.js';

/** A requested target; the base emissions are the year's recorded total unless they are given. */
export interface NewTarget extends Omit<CarbonTarget, 'targetId' | 'createdAt' | 'baseYearEmissionsGrams'> {
  readonly targetId?: string | undefined;
  readonly baseYearEmissionsGrams?: number | undefined;
}

/** Reduction targets: those of the configuration's file and those that were added. */
export class GreenTargets {
  constructor(
    private readonly store: Store,
    private readonly options: { readonly clock: Clock; readonly files: Pick<GreenFiles, 'targets'> },
  ) {}

  async list(): Promise<{ targets: CarbonTarget[]; progress: TargetProgress[] }> {
    const targets = [...this.options.files.targets, ...((await readTargets(this.store.db)) as CarbonTarget[])];
    return { targets, progress: await this.progress(targets) };
  }

  /** Adds a target. Throws `invalid_input` for years in the wrong order and `conflict` for an id that exists. */
  async add(target: NewTarget): Promise<CarbonTarget> {
    if (target.targetYear <= target.baseYear) {
      throw new SvcError('invalid_input', 'targetYear must lie after baseYear.', { member: 'targetYear' });
    }
    const targetId = target.targetId ?? randomUUID();
    const base = target.baseYearEmissionsGrams;
    const added: CarbonTarget = {
      targetId,
      name: target.name,
      baseYear: target.baseYear,
      baseYearEmissionsGrams: base ?? (await gramsOf(this.store.db, parsePeriod(String(target.baseYear)))),
      targetYear: target.targetYear,
      targetReductionPercent: target.targetReductionPercent,
      pathway: target.pathway,
      createdAt: this.options.clock(),
    };
    const known = this.options.files.targets.some((one) => one.targetId === targetId);
    if (known || !(await this.store.write(({ db }) => addTarget(db, added)))) {
      throw new SvcError('conflict', `A target ${targetId} exists; choose another targetId, or remove it first.`);
    }
    return added;
  }

  /** Removes a target that was added. Throws `not_found`, and `conflict` for one of the configuration's file. */
  async remove(targetId: string): Promise<{ removed: string }> {
    if (this.options.files.targets.some((one) => one.targetId === targetId)) {
      throw new SvcError('conflict', `Target ${targetId} stands in config/green-targets.yaml; remove it there.`);
    }
    if (!(await this.store.write(({ db }) => removeTarget(db, targetId)))) {
      throw new SvcError('not_found', `Target ${targetId} does not exist.`);
    }
    return { removed: targetId };
  }

  private async progress(targets: readonly CarbonTarget[]): Promise<TargetProgress[]> {
    if (targets.length === 0) return [];
    const now = this.options.clock();
    const today = Math.floor(now / DAY_MS);
    const { db } = this.store;
    const [thisYear, trailing365, range] = await Promise.all([
      gramsOf(db, { start: dayOf(yearOf(now), 0), end: today + 1 }),
      gramsOf(db, { start: today - 364, end: today + 1 }),
      greenTimeRange(db),
    ]);
    return targets.map((target) => progressOf(target, { thisYear, trailing365, oldest: range.min }, now));
  }
}

/** Reads `config/green-targets.yaml`. Throws `invalid_input` naming the target that is wrong. */
export function parseTargets(file: unknown): CarbonTarget[] {
  const { targets } = (file ?? {}) as { targets?: Array<Partial<CarbonTarget>> };
  return (targets ?? []).map((target, index) => {
    const { targetId, name, baseYear, baseYearEmissionsGrams, targetYear, targetReductionPercent, pathway } = target;
    const texts = [targetId, name, pathway].every((value) => typeof value === 'string' && value !== '');
    const numbers = [baseYear, baseYearEmissionsGrams, targetYear, targetReductionPercent].every(
      (value) => typeof value === 'number' && Number.isFinite(value),
    );
    if (!texts || !numbers || targetYear! <= baseYear! || !['1.5C', 'well-below-2C', '2C'].includes(pathway!)) {
      throw new SvcError(
        'invalid_input',
        `green-targets.yaml: targets.${index} needs targetId, name, baseYear, baseYearEmissionsGrams, a later targetYear, targetReductionPercent, and a pathway 1.5C, well-below-2C or 2C.`,
      );
    }
    return { ...(target as CarbonTarget), createdAt: target.createdAt ?? Date.UTC(baseYear!, 0) };
  });
}
