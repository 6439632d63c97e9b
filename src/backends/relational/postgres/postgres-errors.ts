import pg from 'pg';
import { SvcError } from '../../../core/errors.js';
import * as failure from '../server-errors.js';

/** Returns the `SvcError` for a failure of the driver or the server, by SQLSTATE (PostgreSQL manual, appendix A). */
export function postgresFailure(failed: failure.Failed & { readonly connecting?: boolean }): SvcError {
  const { cause } = failed;
  if (cause instanceof SvcError) return cause;
  if (!(cause instanceof pg.DatabaseError) || cause.code === undefined) return ofDriver(failed);
  const state = cause.code;
  const named = `SQLSTATE ${state}`;
  if (state === '28P01' || state === '28000') return failure.refusedLogin(failed);
  if (state === '3D000') return failure.noSuchDatabase(failed);
  if (/^(08|53)|^57P0/.test(state)) return failure.cannotServe(failed, named);
  if (failed.connecting === true) return failure.refusedConnection(failed, named);
  if (state === '42501') return failure.forbiddenTable(failed, named);
  if (state === '42P01' || state === '42703') return failure.changedSchema(failed);
  if (state === '57014' || state === '55P03') return failure.tookTooLong(failed, named);
  return failure.failedStatement(failed, named, state.startsWith('40'));
}

function ofDriver(failed: failure.Failed): SvcError {
  const { code, message } = failed.cause as { code?: unknown; message?: unknown };
  if (message === 'The server does not support SSL connections') return failure.offersNoTls(failed);
  if (typeof code === 'string' && /CERT|LEAF_SIGNATURE|^ERR_(SSL|TLS)_/.test(code))
    return failure.badCertificate(failed, code);
  return failure.lostConnection(failed);
}
