/** What stands for a password, a token or a key. */
export const LEFT_OUT = '(a secret, left out)';
/** Words that a secret is called by, and what a column of its hash is called behind them. */
export const SECRET_WORDS =
  '(?:pass(?:word|wd|phrase)|pwd|passwort|kennwort|wachtwoord|contrase(?:ñ|n)a|mot[ _.-]?de[ _.-]?passe|secret|token|credentials?|(?:api|access|private|secret|encryption)[ _.-]?key|connection[ _.-]?string)(?:[ _.-]?(?:hash|digest|salt))?';
/** Keys whose value is one: `POSTGRES_PASSWORD`, `clientSecret`, `password_hash`; not `max_tokens` or `passwordPolicy`. */
const KEY = new RegExp(`(?:${SECRET_WORDS})(?:[^\\p{L}\\p{N}]{0,10}|\\s*\\([^()]{0,40}\\)\\s*)$`, 'iu');
/** A word of a text is a token, too, and a credential may be a diploma: values of such a column are secrets where they look like one. */
const AMBIGUOUS =
  /(?<!(?:client|app|shared|webhook|signing|consumer|access|refresh|reset|auth|bearer|session|id)[ _.-]?)(?:token|secret|credentials?)[^\p{L}\p{N}]{0,10}$/iu;
/** A number that is a password, not how many there are. */
const DIGITS = /^\d{4,}$/u;
const RANDOM = /^(?:(?=\S*\d)\S{8,}|\S{20,})$/u;
/** What no secret is: nothing, a number, yes or no, and the name of a variable or of another thing that holds it. */
const HARMLESS =
  /^(?:|\d{1,6}|true|false|yes|no|null|none|\$\{[\w.:-]+\}|\$[A-Z_]\w*|\{\{[^{}]*\}\}|![\w:.]+ [\w.:/-]+)$/iu;
/** A key of JSON and its text. */
const MEMBER = /("((?:[^"\\]|\\.){1,200})"\s*:\s*)("[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|\[[^[\]{}]*\])/g;

/** Returns whether a key says that its value is a password, a token or a key. @param {string} key */
export function isSecretKey(key) {
  return KEY.test(key);
}

/** Returns whether a value is none, whatever its key says. @param {string} value */
export function isHarmless(value) {
  return HARMLESS.test(value.trim());
}

/**
 * Returns the cell of a table without the secret that it is by the name of its column, or that a member of its JSON is.
 * @param {string} column @param {string} cell
 */
export function cellWithoutSecret(column, cell) {
  if (KEY.test(column) && isSecretValue(column, cell)) return LEFT_OUT;
  if (!/^\s*[[{]/u.test(cell)) return cell;
  return cell.replace(MEMBER, (written, before, key, value) =>
    KEY.test(key) && isSecretValue(key, value.replace(/^"|"$/gu, '')) ? `${before}"${LEFT_OUT}"` : written,
  );
}

/** @param {string} key @param {string} value */
function isSecretValue(key, value) {
  if (AMBIGUOUS.test(key)) return !isHarmless(value) && RANDOM.test(value.trim());
  return !isHarmless(value) || DIGITS.test(value.trim());
}
