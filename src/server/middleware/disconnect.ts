import type { Middleware } from '../route.js';

/** Passes on a signal that aborts when the caller disconnects before the answer. */
export function noticeDisconnect(): Middleware {
  return (ctx, next) => {
    const controller = new AbortController();
    ctx.state.disconnected = controller.signal;
    ctx.res.once('close', () => {
      if (!ctx.res.writableFinished) controller.abort();
    });
    return next();
  };
}
