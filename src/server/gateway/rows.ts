import { SvcError } from '../../core/errors.js';
import { operations as op } from '../../operations/index.js';
import type { Input, RouteRow } from '../routes/row.js';

export const LEARNING_BASE = '/__gateway__/api/learning';
export const GREEN_BASE = '/__gateway__/api/green';

const REWARD_LIMIT = 64 * 1024;

/** The learning API. */
const learningRows: readonly RouteRow[] = [
  { method: 'POST', path: `${LEARNING_BASE}/reset`, operation: op.gateway_learning_reset },
  {
    method: 'POST',
    path: `${LEARNING_BASE}/reward`,
    operation: op.gateway_learning_reward,
    bodyLimit: REWARD_LIMIT,
    accept: withArm,
  },
  { method: 'GET', path: `${LEARNING_BASE}/summary`, operation: op.gateway_learning_summary },
  { method: 'GET', path: `${LEARNING_BASE}/config`, operation: op.gateway_learning_config },
  { method: 'GET', path: `${LEARNING_BASE}/posteriors`, operation: op.gateway_learning_posteriors },
  { method: 'GET', path: `${LEARNING_BASE}/traces`, operation: op.gateway_learning_traces },
  { method: 'GET', path: `${LEARNING_BASE}/timeseries`, operation: op.gateway_learning_timeseries },
  { method: 'POST', path: `${LEARNING_BASE}/select`, operation: op.gateway_learning_select },
];

/** The emissions API. */
const greenRows: readonly RouteRow[] = [
  { method: 'GET', path: `${GREEN_BASE}/summary`, operation: op.green_summary },
  { method: 'GET', path: `${GREEN_BASE}/config`, operation: op.green_config },
  { method: 'GET', path: `${GREEN_BASE}/factors`, operation: op.green_factors },
  { method: 'GET', path: `${GREEN_BASE}/factors/explain`, operation: op.green_explain },
  { method: 'GET', path: `${GREEN_BASE}/traces`, operation: op.green_traces },
  { method: 'GET', path: `${GREEN_BASE}/timeseries`, operation: op.green_timeseries },
  { method: 'GET', path: `${GREEN_BASE}/intensity`, operation: op.green_intensity },
  { method: 'GET', path: `${GREEN_BASE}/targets`, operation: op.green_targets },
  { method: 'POST', path: `${GREEN_BASE}/targets`, operation: op.green_target_add, status: 201 },
  { method: 'DELETE', path: `${GREEN_BASE}/targets/{targetId}`, operation: op.green_target_remove },
  { method: 'GET', path: `${GREEN_BASE}/export/ghg-protocol`, operation: op.green_export_ghg_protocol },
  { method: 'GET', path: `${GREEN_BASE}/export/cdp`, operation: op.green_export_cdp },
  { method: 'GET', path: `${GREEN_BASE}/export/tcfd`, operation: op.green_export_tcfd },
  { method: 'GET', path: `${GREEN_BASE}/export/iso14064`, operation: op.green_export_iso14064 },
  { method: 'GET', path: `${GREEN_BASE}/intake`, operation: op.green_intake },
];

/** Both APIs of the gateway. Their dashboards and the intake are pages beside these rows. */
export const gatewayRows: readonly RouteRow[] = [...learningRows, ...greenRows];

function withArm(input: Input): Input {
  if (typeof input.arm_id !== 'string' || input.arm_id === '') {
    throw new SvcError('invalid_input', 'arm_id (string) is required', { member: 'arm_id' });
  }
  return input;
}
