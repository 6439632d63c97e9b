import Koa from 'koa';
import type { Config } from '../config.js';
import { type Clock, systemClock } from '../core/clock.js';
import type { Service } from '../service.js';
import { describeError, type Logger } from '../telemetry/logger.js';
import { gatewayOrigins, isProtected, originRules } from './access.js';
import { isGatewayPath } from './gateway/surface.js';
import { type KeyRing, keyRingOf } from './keys/key-ring.js';
import { type Limits, limitsOf } from './limits/limits.js';
import { limitArrivals, requireRoom, takeSlot } from './limits/middleware.js';
import { authenticate } from './middleware/auth.js';
import { body } from './middleware/body.js';
import { cors, gatewayCors } from './middleware/cors.js';
import { noticeDisconnect } from './middleware/disconnect.js';
import { errors } from './middleware/errors.js';
import { locate } from './middleware/locate.js';
import { logging } from './middleware/logging.js';
import { measuring } from './middleware/measuring.js';
import { limitRate } from './middleware/rate-limit.js';
import { refusalOf, requireSameOrigin } from './middleware/same-origin.js';
import { tracing } from './middleware/tracing.js';
import { refuseUnknown, serveRoute } from './mount.js';
import type { Context, Middleware, Route, State } from './route.js';
import { routeTable } from './router.js';

export interface AppOptions {
  readonly config: Pick<Config, 'name' | 'http' | 'auth' | 'tracing'>;
  /** Needed where there are rows; pages may do without. */
  readonly service?: Service;
  /** Rows of one variant, and pages. */
  readonly routes: readonly Route[];
  readonly log: Logger;
  /** Upper bound of the signature's window in seconds, where the variant has one. */
  readonly hmacMaxAge?: number;
  readonly clock?: Clock;
  /** Shared by all that one process serves; its own where it is the only application. */
  readonly limits?: Limits;
  /** Shared like `limits`. */
  readonly keys?: KeyRing | undefined;
}

const passThrough: Middleware = (_ctx, next) => next();

/** Builds the application: the middlewares that a request passes, in this order. */
export function createApp(options: AppOptions): Koa<State> {
  const { config, log, clock = systemClock } = options;
  const { auth, http } = config;
  const bodies = { json: http.max_body_bytes, upload: http.max_upload_bytes };
  const limits = options.limits ?? limitsOf(config, clock);
  const methods = [...new Set(['GET', 'HEAD', ...options.routes.map((route) => route.method)])];
  const authOptions = {
    keys: options.keys ?? keyRingOf(config, { clock, log }),
    failed: limits.failed,
    hmacSecret: auth.hmac_secret,
    hmacMaxAge: Math.min(auth.hmac_max_age, options.hmacMaxAge ?? Number.POSITIVE_INFINITY),
    requireNonce: auth.hmac_require_nonce,
    compat: auth.hmac_compat,
    name: config.name,
    clock,
    limits: bodies,
  };

  const table = routeTable(options.routes, serveRoute(options.service));

  const app = new Koa<State>();
  const ofService = cors({ origins: http.cors_origins, methods, protected: isProtected(config) });
  const rulesOf = (path: string) => originRules(config, path);
  const isRefused = (ctx: Context) => !isProtected(config) && refusalOf(ctx, rulesOf(ctx.path)) !== undefined;
  const ofGateway = gatewayCors({ origins: gatewayOrigins(config), methods, isRefused });
  app.use((ctx, next) => (isGatewayPath(ctx.path) ? ofGateway(ctx, next) : ofService(ctx, next)));
  app.use(config.tracing.enabled ? tracing() : passThrough);
  app.use(measuring());
  app.use(logging(log));
  app.use(errors(log));
  app.use(isProtected(config) ? passThrough : requireSameOrigin(rulesOf));
  app.use(locate(table.find));
  app.use(noticeDisconnect());
  app.use(limitArrivals(limits.arrivals));
  app.use(authenticate(authOptions));
  app.use(http.rate_limit === null ? passThrough : limitRate(http.rate_limit));
  app.use(requireRoom(limits.slots));
  app.use(body(bodies));
  app.use(takeSlot(limits.slots));
  app.use(table.serve);
  app.use(refuseUnknown());
  app.on('error', (error: unknown) => log.error({ err: describeError(error) }, 'response failed'));
  return app;
}
