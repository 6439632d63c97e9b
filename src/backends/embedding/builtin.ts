import { createRequire } from 'node:module';
import { toSvcError } from '../../core/errors.js';
import { openMinilm } from './minilm/minilm.js';
import type { EmbeddingModel } from './port.js';
import { openStatic } from './static/static.js';

export type BuiltinKind = 'minilm' | 'static';

/**
 * Opens one of the two models of `models/`. `minilm` becomes `static`, with one line in the log, where the ONNX runtime
 * is absent or cannot run here. The model itself is loaded at the first text or by `health()`.
 */
export function openBuiltin(kind: BuiltinKind, log: (message: string) => void = () => undefined): EmbeddingModel {
  if (kind === 'static') return openStatic();
  const reason = runtimeProblem();
  if (reason === undefined) return openMinilm({ log });
  log(`The MiniLM model is replaced by the static one: onnxruntime-node is not usable here (${reason}).`);
  return openStatic();
}

/** Returns the reason why the runtime cannot be used; undefined when its native library loads. */
function runtimeProblem(): string | undefined {
  try {
    createRequire(import.meta.url)('onnxruntime-node');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0]! : toSvcError(error).message;
  }
}
