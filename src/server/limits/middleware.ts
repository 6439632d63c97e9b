import { hasBody } from '../body/receive.js';
import { isForm } from '../middleware/body.js';
import { isRow, type Match, type Middleware } from '../route.js';
import type { Arrivals } from './arrivals.js';
import { needsNoSlot, type Slots } from './slots.js';

/** Bounds the bodies that arrive. It comes before authentication, which reads the body where a signature covers it. */
export function limitArrivals(arrivals: Arrivals): Middleware {
  return async (ctx, next) => {
    if (!hasBody(ctx.req)) return next();
    const arrival = arrivals.enter(ctx.req, !isForm(ctx));
    // What reads a body that was cut off fails when the connection ends.
    void arrival.cutOff.catch(() => ctx.set('Connection', 'close'));
    const work = next();
    work.catch(() => undefined);
    try {
      return await Promise.race([work, arrival.cutOff]);
    } finally {
      arrival.leave();
    }
  };
}

/** Refuses a request to a row that would find no slot and no place in the queue, before its body is read. */
export function requireRoom(slots: Slots): Middleware {
  return (ctx, next) => {
    if (takesSlot(ctx.state.match)) slots.requireRoom();
    return next();
  };
}

/** Runs requests to rows in slots. It comes after the body: a sender that drips takes none. */
export function takeSlot(slots: Slots): Middleware {
  return (ctx, next) => {
    if (!takesSlot(ctx.state.match)) return next();
    return slots.run((slot) => {
      ctx.state.slot = slot;
      return next();
    }, ctx.state.disconnected);
  };
}

/** Pages and streams take none: the calls of tools that come over them do. */
function takesSlot({ route }: Match): boolean {
  return isRow(route) && route.auth !== 'open' && !needsNoSlot(route.operation.name);
}
