import type { Config } from '../config.js';
import { isGatewayPath } from './gateway/surface.js';

/** Returns whether callers over HTTP must prove who they are. */
export function isProtected(config: Protection): boolean {
  return hasKeys(config) || config.auth.hmac_secret !== null;
}

/** What of a configuration decides who must prove what. */
export interface Protection {
  readonly auth: Pick<Config['auth'], 'api_keys' | 'keys_file' | 'hmac_secret'>;
}

/** Returns whether callers may prove themselves by a key. A keys file counts also while it lists none. */
export function hasKeys({ auth }: Protection): boolean {
  return auth.api_keys.length > 0 || auth.keys_file !== null;
}

/** Whom a service that asks for no credentials answers. */
export interface OriginRules {
  /** Host names under which the service may be addressed, beside those of loopback. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call, beside those on loopback; `*` names none of them here. */
  readonly origins: readonly string[];
  /** Setting that lists these origins. */
  readonly setting: string;
}

/** Returns which hosts and origins a configuration serves without credentials, at a path: the gateway lists its own. */
export function originRules({ http }: Pick<Config, 'http'>, path = ''): OriginRules {
  const hosts = [http.host, ...http.allowed_hosts];
  if (!isGatewayPath(path)) return { hosts, origins: http.cors_origins, setting: 'SVC_CORS_ORIGINS' };
  return { hosts, origins: [...http.cors_origins, ...gatewayOrigins({ http })], setting: 'GATEWAY_CORS_ORIGIN' };
}

/** Returns the origins of web pages that may call the gateway. */
export function gatewayOrigins({ http }: Pick<Config, 'http'>): string[] {
  return http.gateway_cors_origin.split(',').map((origin) => origin.trim());
}
