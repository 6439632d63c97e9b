import { isHarmless, isSecretKey, LEFT_OUT, SECRET_WORDS } from '../../../core/wording/secrets.js';

/** @typedef {import('./structure.js').Tree} Tree */
/** @typedef {import('./structure.js').Pair} Pair */

/** The same in a text, as lists of an environment have it, and a line of settings. */
const ASSIGNED = new RegExp(
  `((?:^|[\\s;,])["']?[\\w.-]{0,80}(?:${SECRET_WORDS})["']?=)(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s;,&]+)`,
  'giu',
);
const LINE = new RegExp(
  `^([-#/*; \\t]{0,40}["']?[\\w.-]{0,80}(?:${SECRET_WORDS})["']?[ \\t]*[:=][ \\t]*)(\\S.*)$`,
  'gimu',
);
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/gu;
/** A password in an address: `postgres://svc:hunter2@db`. */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,80}:)[^\s/@]+@/giu;

/**
 * Returns keys and values without passwords, tokens and private keys: settings are full of them, and what is ingested is shown to
 * whoever may ask. Known by the key, by the form of the value, and as what a `Secret` of Kubernetes holds.
 * @param {Tree} tree
 * @returns {Tree}
 */
export function withoutSecrets(tree) {
  if (typeof tree === 'string') return masked(tree);
  if (Array.isArray(tree)) return tree.map(withoutSecrets);
  const isSecret = tree.pairs.some(({ key, value }) => key === 'kind' && value === 'Secret');
  return {
    pairs: tree.pairs.map((pair) =>
      isSecret && /^(?:data|stringData)$/u.test(pair.key)
        ? { ...pair, value: allMasked(pair.value) }
        : { ...pair, value: isSecretKey(pair.key) ? ownMasked(pair.value) : withoutSecrets(pair.value) },
    ),
  };
}

/** Returns a text without the secrets that its form tells. @param {string} text */
export function masked(text) {
  return text
    .replace(PRIVATE_KEY, LEFT_OUT)
    .replace(ASSIGNED, `$1${LEFT_OUT}`)
    .replace(LINE, (line, key, value) => (isHarmless(value) ? line : `${key}${LEFT_OUT}`))
    .replace(IN_ADDRESS, `$1${LEFT_OUT}@`);
}

/** Returns what stands right below a key that says that it is a secret. @param {Tree} value @returns {Tree} */
function ownMasked(value) {
  if (typeof value === 'string') return isHarmless(value) ? value : LEFT_OUT;
  if (Array.isArray(value)) return value.map(ownMasked);
  return withoutSecrets(value);
}

/** @param {Tree} value @returns {Tree} */
function allMasked(value) {
  if (typeof value === 'string') return value === '' ? '' : LEFT_OUT;
  if (Array.isArray(value)) return value.map(allMasked);
  return { pairs: value.pairs.map((pair) => ({ ...pair, value: allMasked(pair.value) })) };
}
