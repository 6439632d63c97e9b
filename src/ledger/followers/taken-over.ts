import { SvcError } from '../../core/errors.js';

/** An engine that this service filled follows the ledger of another service now: what it holds is not ours. */
export class TakenOver extends SvcError {
  constructor(engine: string) {
    super(
      'unavailable',
      `${engine} was taken over by a service with another data directory or store, so it does not answer for this one. ` +
        'Give each service a server or database of its own there, then restart this one or run `svc graph sync`.',
      { engine },
    );
  }
}
