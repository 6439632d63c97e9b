import { withoutAddressPasswords } from './address-passwords.js';

/** What stands for a password, a token or a key. */
export const LEFT_OUT = '(a secret, left out)';
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/gu;
/** What a private key holds, near its beginning; a text that only speaks of how one begins has neither this nor the end of one. */
const OF_KEY = /KEY(?: BLOCK)?-----[\s"'`+\\nr]{0,20}(?=[A-Za-z+/]{0,20}\d)[A-Za-z0-9+/]{6}|[A-Za-z0-9+/]{32}/u;
const NEAR = 4000;
/** Keys that begin with a sign of who gave them out, and how long they are at least. */
const KNOWN = new RegExp(
  `(?<![\\w-])(?:${[
    // GitHub.
    'gh[opsur]_[A-Za-z0-9]{36,255}',
    'github_pat_\\w{36,255}',
    // GitLab.
    'glpat-[\\w-]{20,255}',
    // Amazon.
    'A(?:KIA|SIA)[A-Z0-9]{16}',
    // OpenAI, Anthropic and others: a name in small letters alone is none.
    'sk-(?=[\\w-]{0,255}\\d)(?=[\\w-]{0,255}[A-Z])[\\w-]{20,255}',
    // Stripe.
    '[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}',
    // Slack.
    'xox[abeoprs]-(?=[\\w-]{0,255}\\d)[\\w-]{10,255}',
    // Google.
    'AIza[\\w-]{35}',
    // npm.
    'npm_[A-Za-z0-9]{36}',
  ].join('|')})(?![\\w-])`,
  'gu',
);

/** Returns a text without the private keys in it. @param {string} text */
export function withoutPrivateKeys(text) {
  return text.replace(PRIVATE_KEY, (block) => (isKey(block) ? LEFT_OUT : block));
}

/** @param {string} block From the beginning of a private key. */
function isKey(block) {
  return block.slice(-80).includes('-----END ') || OF_KEY.test(block.slice(0, NEAR));
}

/** Returns a text without what is a secret by its form, whatever it is called: private keys, keys of known services and the passwords of addresses. @param {string} text */
export function withoutSecretForms(text) {
  return withoutAddressPasswords(withoutPrivateKeys(text).replace(KNOWN, LEFT_OUT), LEFT_OUT);
}
