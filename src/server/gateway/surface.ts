import { errorBody, type SvcError } from '../../core/errors.js';
import { GREEN_BASE, LEARNING_BASE } from './rows.js';

const under = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`);

/** Returns true for paths of the gateway, which has its own setting of CORS. */
export function isGatewayPath(path: string): boolean {
  return under('/__gateway__', path);
}

/** Returns true for paths of the gateway's learning API. */
export function isLearningPath(path: string): boolean {
  return under(LEARNING_BASE, path);
}

/** Returns true for paths of the gateway's emissions API. */
export function isGreenPath(path: string): boolean {
  return under(GREEN_BASE, path);
}

/** Returns the body of an error as the API that a path belongs to sends it. */
export function errorBodyAt(path: string, error: SvcError): unknown {
  if (isLearningPath(path)) return learningError(error);
  if (isGreenPath(path)) return { error: error.message, code: GREEN_CODES[error.code] ?? error.code.toUpperCase() };
  return errorBody(error);
}

function learningError(error: SvcError): unknown {
  if (error.code === 'method_not_allowed') return 'Method Not Allowed';
  if (error.code === 'not_found') return { error: 'Unknown learning API route' };
  return { error: error.message };
}

const GREEN_CODES: Readonly<Record<string, string>> = {
  invalid_input: 'INVALID_PARAMS',
  not_found: 'NOT_FOUND',
  internal: 'INTERNAL_ERROR',
  disabled: 'DISABLED',
};
