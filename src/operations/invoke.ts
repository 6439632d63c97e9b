import { nextTurn } from '../core/async/slices.js';
import { SvcError, toSvcError } from '../core/errors.js';
import type { Service } from '../service.js';
import { inOperation } from '../telemetry/span.js';
import { permit } from './access/authorize.js';
import { warned } from './invoke/misspelt-members.js';
import { validatedInSlices } from './invoke/validate.js';
import type { CallContext, Operation } from './operation.js';

/**
 * Calls an operation: drops nulls and unknown members, fills defaults, validates, checks, holds the call to the scope of its
 * caller (`access/`), traces, runs, maps errors. Never changes `input`.
 */
export async function invoke(
  service: Service,
  operation: Operation,
  input: unknown,
  context: CallContext,
): Promise<unknown> {
  const { caller, narrow, show } = permit(service, operation);
  const valid = await validatedInSlices(operation, input);
  return inOperation(operation.name, context.surface, async () => {
    try {
      // Calls that arrive together begin one in each round of the loop: a health check or a socket is served between them.
      if (operation.immediate !== true) await nextTurn('urgent');
      const allowed = await narrow(valid);
      const by = caller === undefined ? context : { ...context, caller };
      const answer = await show(await operation.run(service, allowed, by));
      return warned(operation, answer, input);
    } catch (error) {
      throw context.signal?.aborted === true && !(error instanceof SvcError)
        ? cancelled(operation, error)
        : toSvcError(error);
    }
  });
}

function cancelled({ name }: Operation, cause: unknown): SvcError {
  return new SvcError('cancelled', `${name} was cancelled; call it again to finish the work.`, undefined, { cause });
}
