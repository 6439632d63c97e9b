import { SvcError } from '../../../core/errors.js';
import * as failure from '../server-errors.js';

/**
 * ER_CON_COUNT, SERVER_SHUTDOWN, ABORTING_CONNECTION, TOO_MANY_USER_CONNECTIONS, USER_LIMIT, MariaDB's
 * CONNECTION_KILLED.
 */
const CANNOT_SERVE = [1040, 1053, 1152, 1184, 1203, 1226, 1927, 4031];
const ACCESS_DENIED = [1045, 1698];
const SCHEMA_CHANGED = [1054, 1146];
const MAY_NOT_READ = [1142, 1143];
/** LOCK_WAIT_TIMEOUT, MariaDB's and MySQL's end of a long statement, QUERY_INTERRUPTED. */
const TOO_LONG = [1205, 1969, 3024, 1317];
const DEADLOCK = 1213;

/** Returns the `SvcError` for a failure of the driver or the server, by the server's error number. */
export function mysqlFailure(failed: failure.Failed & { readonly connecting?: boolean }): SvcError {
  const { cause } = failed;
  if (cause instanceof SvcError) return cause;
  const { code, errno, sqlState, message } = cause as {
    code?: unknown;
    errno?: unknown;
    sqlState?: unknown;
    message?: unknown;
  };
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return failure.offersNoTls(failed);
  if (code === 'HANDSHAKE_SSL_ERROR') return failure.badCertificate(failed, code);
  // Numbers of the operating system are negative.
  if (typeof errno !== 'number' || errno <= 0) return failure.lostConnection(failed);
  const named = `error ${errno}`;
  if (ACCESS_DENIED.includes(errno)) return failure.refusedLogin(failed);
  if (errno === 3159 || (failed.connecting === true && /insecure transport/i.test(String(message))))
    return failure.demandsTls(failed);
  if (errno === 1049) return failure.noSuchDatabase(failed);
  if (errno === 1044) return failure.forbiddenDatabase(failed);
  if (CANNOT_SERVE.includes(errno)) return failure.cannotServe(failed, named);
  if (failed.connecting === true) return failure.refusedConnection(failed, named);
  if (typeof sqlState === 'string' && sqlState.startsWith('08')) return failure.cannotServe(failed, named);
  if (MAY_NOT_READ.includes(errno)) return failure.forbiddenTable(failed, named);
  if (SCHEMA_CHANGED.includes(errno)) return failure.changedSchema(failed);
  if (TOO_LONG.includes(errno)) return failure.tookTooLong(failed, named);
  return failure.failedStatement(failed, named, errno === DEADLOCK);
}
