import { LIMITS, LimitExceeded } from '../limits.js';

const MIB = 1 << 20;

/**
 * Bounds the array buffers of this thread, which the heap limit of a worker does not count: wraps `Uint8Array`, in which
 * decompressed streams grow. An allocation over the limit throws `LimitExceeded`. A library may catch that and continue
 * with less, so `check` throws it again.
 */
export function bufferGuard() {
  const most = LIMITS.bufferMib * MIB;
  const guard = {
    /** @type {LimitExceeded | undefined} */
    exceeded: undefined,
    reset() {
      guard.exceeded = undefined;
    },
    check() {
      if (guard.exceeded !== undefined) throw guard.exceeded;
    },
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      const size = args[0];
      if (typeof size === 'number' && size > MIB && size + process.memoryUsage().arrayBuffers > most) {
        guard.exceeded = new LimitExceeded(
          'bufferMib',
          `decompresses to more than ${LIMITS.bufferMib} MiB; split it or convert it to text`,
        );
        throw guard.exceeded;
      }
      return Reflect.construct(target, args, newTarget);
    },
  });
  return guard;
}
