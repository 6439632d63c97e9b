import { destination, type Logger as PinoLogger, pino } from 'pino';
import { maskedAddress } from '../config/mask.js';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** Makes a logger of JSON lines on standard error (standard output belongs to answers and to the tool protocol). */
export function createLogger(level: string, name = 'svc'): PinoLogger {
  return pino({ level, name, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));
}

/** Describes an error for the log: type, message, stack and cause; passwords in addresses are cut out. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskedAddress(String(error)) };
  return {
    type: error.name,
    message: maskedAddress(error.message),
    stack: maskedAddress(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
