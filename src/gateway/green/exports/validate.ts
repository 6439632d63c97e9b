import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export const REPORT_FORMATS = ['ghg-protocol', 'cdp', 'tcfd', 'iso14064'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The JSON Schema of each report, as in `schemas/green/`. */
export type ReportSchemas = Readonly<Record<ReportFormat, object>>;

/** Checks reports against their schemas; a report that fails is a fault of ours and never leaves. */
export class ReportCheck {
  private readonly validators: Readonly<Record<ReportFormat, ValidateFunction>>;

  constructor(schemas: ReportSchemas) {
    // The schemas are our own: a test checks them against their meta-schema.
    const ajv = new Ajv2020({ strict: false, strictNumbers: true, meta: false, validateSchema: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    this.validators = Object.fromEntries(
      REPORT_FORMATS.map((format) => [format, ajv.compile(schemas[format])]),
    ) as unknown as Record<ReportFormat, ValidateFunction>;
  }

  /** Returns the report itself; throws where it does not fit its schema, or holds a number that JSON cannot. */
  checked<T>(format: ReportFormat, report: T): T {
    const validate = this.validators[format];
    if (validate(report)) return report;
    const [first] = validate.errors ?? [];
    throw new Error(`The ${format} report does not fit its schema: ${first?.instancePath} ${first?.message}`);
  }
}
