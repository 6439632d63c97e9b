import { currentCaller } from '../../core/async/caller-scope.js';
import { SvcError } from '../../core/errors.js';
import type { Service } from '../../service.js';
import type { Operation } from '../operation.js';
import { Guard } from './guard.js';
import { ACCESS, type Access } from './table.js';

/** Holds a call to the scope of its caller: the one place that decides what a key with a scope may do. */
export interface Permit {
  /** Stable name of the caller; undefined for the service itself and local commands. */
  readonly caller?: string | undefined;
  /** Returns the input as the caller may give it. Throws `forbidden`, or that a thing of others does not exist. */
  readonly narrow: (input: unknown) => Promise<unknown>;
  /** Returns of the answer what the caller may see. */
  readonly show: (output: unknown) => Promise<unknown>;
}

const same = async (value: unknown) => value;

/**
 * Returns what the caller that runs now may do with an operation; before anything of the input is looked at. Callers without
 * a scope have full access. Throws `forbidden` where the key may not call it at all.
 */
export function permit(service: Service, operation: Operation): Permit {
  const caller = currentCaller();
  const scope = caller?.scope;
  if (caller === undefined || scope === undefined) return { caller: caller?.id, narrow: same, show: same };
  const access = (ACCESS as Readonly<Record<string, Access | undefined>>)[operation.name];
  const guard = new Guard(scope, caller.id, service);
  if (access === undefined) throw new SvcError('forbidden', `The key ${scope.name} may not call ${operation.name}.`);
  if (access.level === 'write') guard.requireWrite();
  if (access.area !== undefined) guard.requireArea(access.area);
  const { narrow, show } = access;
  return {
    caller: caller.id,
    narrow: async (input) => (narrow === undefined ? input : narrow(input, guard)),
    show: async (output) => (show === undefined ? output : show(output, guard)),
  };
}
