import { mayHoldSecret } from '../../../core/wording/secrets.js';

/** A longer address is cut behind its path. In characters. */
const LONGEST_ADDRESS = 300;

/** What lets whoever has an address read a file of a store: `sig`, `X-Amz-Signature`. */
const SIGNATURE = /(?:^|[-_])(?:sig|signature|credential)$/iu;

/** Where somebody signs in, and what stands beside the code that a sign-in gives once (RFC 6749, 4.1.2): `/callback?code=…&state=…`. A code of a page is short. */
const SIGN_IN =
  /(?:^|[/_.-])(?:log-?in|sign-?in|sso|oauth2?|oidc|auth|callback|verif(?:y|ication)|magic-?link)(?:$|[/_.-])/iu;
const BESIDE_CODE = ['state', 'session_state', 'iss'];
const SHORTEST_CODE = 20;

/** Returns the address of a page without passwords and other secrets; empty for another address. @param {string | undefined} written */
export function addressOf(written) {
  if (written === undefined || !/^https?:/iu.test(written.trim()) || !URL.canParse(written)) return '';
  const address = new URL(written);
  address.username = '';
  address.password = '';
  const asked = [...address.searchParams];
  const isOfSignIn = SIGN_IN.test(address.pathname) || BESIDE_CODE.some((name) => address.searchParams.has(name));
  const shown = asked.filter(([name, value]) => !isSecret(name) && !isCode(name, value, isOfSignIn));
  // One by one each would write the whole address anew.
  if (shown.length < asked.length) address.search = new URLSearchParams(shown).toString();
  // Whoever signs somebody in may write the token there.
  const behind = [...new URLSearchParams(address.hash.replace(/^#[/?]{0,2}/u, ''))];
  if (behind.some(([name, value]) => isSecret(name) || isCode(name, value, isOfSignIn))) address.hash = '';
  if (address.href.length <= LONGEST_ADDRESS) return address.href;
  return `${address.origin}${address.pathname}`.slice(0, LONGEST_ADDRESS);
}

/** Returns whether a value of an address with this name opens something. @param {string} name */
function isSecret(name) {
  return mayHoldSecret(name) || SIGNATURE.test(name);
}

/** Returns whether a value signs somebody in once. @param {string} name @param {string} value @param {boolean} isOfSignIn */
function isCode(name, value, isOfSignIn) {
  if (name.toLowerCase() === 'code') return isOfSignIn || value.length >= SHORTEST_CODE;
  return /^(?:otp|one[_-]?time[_-]?(?:code|password)|(?:auth|verification|login)[_-]?code)$/iu.test(name);
}
