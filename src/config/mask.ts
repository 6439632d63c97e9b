import { withoutAddressPasswords } from '../core/wording/address-passwords.js';
import { type Tree, valueAt, withValue } from './tree.js';
import { ADDRESSES, SECRETS } from './variables.js';

const HIDDEN = '***';

/** Returns a copy of the configuration that may be shown: secrets hidden, passwords cut out of addresses. */
export function masked<T extends object>(config: T): T {
  let copy = structuredClone(config) as unknown as Tree;
  for (const path of SECRETS) {
    const value = valueAt(copy, path);
    if (Array.isArray(value))
      copy = withValue(
        copy,
        path,
        value.map(() => HIDDEN),
      );
    else if (typeof value === 'string') copy = withValue(copy, path, HIDDEN);
  }
  for (const path of ADDRESSES) {
    const value = valueAt(copy, path);
    if (typeof value === 'string') copy = withValue(copy, path, maskedAddress(value));
  }
  return copy as unknown as T;
}

/** Returns an address as `scheme://user:***@host/…`; secrets among the query's parameters are hidden too. */
export function maskedAddress(address: string): string {
  const parameter = /([?&](?:[^=&?\s]*(?:password|secret|token|key))=)[^&\s]*/gi;
  return withoutAddressPasswords(address, HIDDEN, true).replace(parameter, `$1${HIDDEN}`);
}
