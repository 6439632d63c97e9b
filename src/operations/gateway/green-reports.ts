import { Type } from '@sinclair/typebox';
import { operation, optional } from '../operation.js';
import { record } from '../schema/shown.js';
import { greenOperation } from './green.js';
import { oneOf } from './shapes.js';

const Period = optional(
  Type.String({
    pattern: '^(19[7-9][0-9]|[2-9][0-9]{3})(-(Q[1-4]|W(0[1-9]|[1-4][0-9]|5[0-3])|(0[1-9]|1[0-2])))?$',
    description: 'YYYY, YYYY-Qn, YYYY-MM or YYYY-Wnn in UTC; default the current year.',
  }),
);
const PERIOD_RULE = {
  period: 'A week 53 exists in the years that have one; 9999-W52 ends in the year after and is refused.',
};
const Year = Type.Integer({ minimum: 1970, maximum: 9999 });
const Target = Type.Object({
  targetId: Type.String(),
  name: Type.String(),
  baseYear: Type.Integer(),
  baseYearEmissionsGrams: Type.Number(),
  targetYear: Type.Integer(),
  targetReductionPercent: Type.Number(),
  pathway: oneOf('1.5C', 'well-below-2C', '2C'),
  createdAt: Type.Number(),
});
const Progress = Type.Object({
  target: Target,
  currentYearEmissionsGrams: Type.Number(),
  progressPercent: Type.Number(),
  onTrack: Type.Boolean(),
  projectedEndYear: Type.Union([Type.Integer(), Type.Null()]),
  basis: oneOf('annualised', 'trailing-365-days', 'insufficient-data'),
  pathwayMinimumPercent: Type.Number(),
  pathwayAligned: Type.Boolean(),
});
/** Returns the schema of a report, whose shape stands in `schemas/green/`; the report is checked against it before it leaves. */
const Report = (format: string) => record(Type.Unknown(), { description: `As schemas/green/${format}.schema.json.` });

export const greenTargets = greenOperation({
  name: 'green_targets',
  summary: 'Reduction targets and where they stand.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ targets: Type.Array(Target), progress: Type.Array(Progress) }),
  run: (service) => service.gateway.green.targets.list(),
});

export const greenTargetAdd = greenOperation({
  name: 'green_target_add',
  summary: 'Adds a reduction target.',
  rules: { targetYear: 'targetYear lies after baseYear.' },
  input: Type.Object({
    targetId: optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' })),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    baseYear: Year,
    baseYearEmissionsGrams: optional(
      Type.Number({ minimum: 0, description: 'Default: what is recorded of the base year.' }),
    ),
    targetYear: Year,
    targetReductionPercent: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
    pathway: oneOf('1.5C', 'well-below-2C', '2C'),
  }),
  output: Target,
  run: (service, input) => service.gateway.green.targets.add(input),
});

export const greenTargetRemove = greenOperation({
  name: 'green_target_remove',
  summary: 'Removes a reduction target.',
  destructive: true,
  input: Type.Object({ targetId: Type.String({ minLength: 1, maxLength: 128 }) }),
  output: Type.Object({ removed: Type.String() }),
  run: (service, { targetId }) => service.gateway.green.targets.remove(targetId),
});

export const greenExportGhgProtocol = greenOperation({
  name: 'green_export_ghg_protocol',
  summary: 'Scope 3, category 1 of a period as the GHG Protocol asks for it.',
  readOnly: true,
  rules: PERIOD_RULE,
  input: Type.Object({ period: Period }),
  output: Report('ghg-protocol'),
  run: async (service, { period }) => ({ ...(await service.gateway.green.reports.ghgProtocol(period)) }),
});

export const greenExportCdp = greenOperation({
  name: 'green_export_cdp',
  summary: 'Scope 3, category 1 of a year for the CDP questionnaire.',
  readOnly: true,
  input: Type.Object({ year: optional(Year) }),
  output: Report('cdp'),
  run: async (service, { year }) => ({ ...(await service.gateway.green.reports.cdp(year)) }),
});

export const greenExportTcfd = greenOperation({
  name: 'green_export_tcfd',
  summary: 'Metrics and targets of a period for TCFD and IFRS S2.',
  readOnly: true,
  rules: PERIOD_RULE,
  input: Type.Object({
    period: Period,
    baseYear: optional(Type.Integer({ minimum: 1970, maximum: 9999, description: 'Adds a comparison with it.' })),
  }),
  output: Report('tcfd'),
  run: async (service, { period, baseYear }) => ({
    ...(await service.gateway.green.reports.tcfd(period, baseYear)),
  }),
});

export const greenExportIso14064 = greenOperation({
  name: 'green_export_iso14064',
  summary: 'Category 4 of a period as ISO 14064-1:2018 asks for it.',
  readOnly: true,
  rules: PERIOD_RULE,
  input: Type.Object({ period: Period }),
  output: Report('iso14064'),
  run: async (service, { period }) => ({ ...(await service.gateway.green.reports.iso14064(period)) }),
});

export const greenToday = operation({
  name: 'green_today',
  summary: 'Grams of the current UTC day, where the status shows them.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ grams: optional(Type.Number()) }),
  run: async (service) => {
    const grams = await service.gateway.green.today();
    return grams === undefined ? {} : { grams };
  },
});
