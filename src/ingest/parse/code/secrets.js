import { isSecretKey, LEFT_OUT, withoutKeysAndAddresses } from '../../../core/wording/secrets.js';

/** A text that code gives a name, a key or an argument, with its type where it has one: `os.environ["API_KEY"] = "…"`, `apiKey: string = '…'`. */
const GIVEN =
  /(?<![\w.-])([\w.-]{1,80})(["']?\]?(?:\s{0,4}:\s{0,4}[&'\w<>[\]. |?]{1,40}?)?\s{0,4}(?::=|=>|[:=])\s{0,4}[@$bfrulLRU]{0,2})(["'`])(?:\\.|(?!\3)[^\\\n])+\3/giu;

/**
 * Returns code without the passwords and keys that stand in it as texts: by the name that they are given to, private keys and passwords in addresses by their form.
 * @param {string} code
 */
export function codeWithoutSecrets(code) {
  return withoutKeysAndAddresses(code).replace(GIVEN, (whole, name, between, quote) =>
    isSecretKey(name) ? `${name}${between}${quote}${LEFT_OUT}${quote}` : whole,
  );
}
