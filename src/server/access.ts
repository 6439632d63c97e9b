import type { Config } from '../config.js';
import type { OriginRules } from './middleware/same-origin.js';

/** Returns whether callers over HTTP must prove who they are. */
export function isProtected({ auth }: Pick<Config, 'auth'>): boolean {
  return auth.api_keys.length > 0 || auth.hmac_secret !== null;
}

/** Returns which hosts and origins a configuration serves without credentials. */
export function originRules({ http }: Pick<Config, 'http'>): OriginRules {
  return { hosts: [http.host, ...http.allowed_hosts], origins: http.cors_origins };
}
