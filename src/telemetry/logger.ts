import { trace } from '@opentelemetry/api';
import { destination, type Logger as PinoLogger, pino } from 'pino';
import { PinoPretty as pretty } from 'pino-pretty';
import { maskedAddress } from '../config/mask.js';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * Makes a logger on standard error (standard output belongs to answers and to the tool protocol): JSON lines, for people
 * at a terminal readable ones. A line that is written below a span carries its trace id.
 */
export function createLogger(level: string, name = 'svc'): PinoLogger {
  const options = { level, name, timestamp: pino.stdTimeFunctions.isoTime, mixin: traceOf };
  const output = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname,name', translateTime: 'SYS:HH:MM:ss.l' })
    : destination({ fd: 2, sync: true });
  return pino(options, output);
}

/** Returns the trace id of what runs; nothing where nothing is traced. */
function traceOf(): { trace_id?: string } {
  const span = trace.getActiveSpan();
  return span === undefined ? {} : { trace_id: span.spanContext().traceId };
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
