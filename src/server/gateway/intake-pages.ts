import { SvcError } from '../../core/errors.js';
import { operations as op } from '../../operations/index.js';
import { invoke } from '../../operations/invoke.js';
import type { Operation } from '../../operations/operation.js';
import type { Service } from '../../service.js';
import { receive } from '../body/receive.js';
import type { Context, Page } from '../route.js';
import { GREEN_BASE, LEARNING_BASE } from './rows.js';

/**
 * Makes the pages that take telemetry in: OTLP over HTTP under the paths that exporters use, and rows of JSON. `limit`
 * in bytes, as sent.
 */
export function intakePages(service: Service, limit: number): Page[] {
  const call = async (ctx: Context, operation: Operation, more: object = {}): Promise<unknown> => {
    const raw = ctx.state.raw ?? (await receive(ctx.req, { limit, spool: false }));
    if (raw.kind !== 'bytes') throw new SvcError('unsupported_media', 'The body must not be multipart.');
    const input = {
      bytes: raw.bytes,
      contentType: (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase(),
      contentEncoding: ctx.get('Content-Encoding'),
      ...more,
    };
    ctx.set('Cache-Control', 'no-store');
    return invoke(service, operation, input, { surface: 'http', authenticated: ctx.state.caller.authenticated });
  };
  const otlp = (signal: 'traces' | 'logs') => async (ctx: Context) => {
    const answer = (await call(ctx, op.telemetry_otlp, { signal })) as { encoding: string; response: object | Buffer };
    ctx.status = 200;
    ctx.type = answer.encoding === 'json' ? 'application/json' : 'application/x-protobuf';
    ctx.body = answer.response;
  };
  const rows = (operation: Operation) => async (ctx: Context) => {
    ctx.body = await call(ctx, operation);
  };
  return [
    { method: 'POST', path: '/v1/traces', handle: otlp('traces') },
    { method: 'POST', path: '/otlp/v1/traces', handle: otlp('traces') },
    { method: 'POST', path: '/v1/logs', handle: otlp('logs') },
    { method: 'POST', path: '/otlp/v1/logs', handle: otlp('logs') },
    { method: 'POST', path: `${LEARNING_BASE}/ingest`, handle: rows(op.gateway_learning_ingest) },
    { method: 'POST', path: `${GREEN_BASE}/ingest`, handle: rows(op.green_ingest) },
  ];
}
