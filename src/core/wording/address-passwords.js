/**
 * An address up to its password. `http://host:8080/@ada` has none, and `[` begins an address of IPv6.
 * @param {string} scheme @param {string} user How long each may be.
 */
const upToPassword = (scheme, user) =>
  new RegExp(
    `\\b(?:https?|wss?)://(?!\\[)[^\\s:/]${user}:(?!\\d{1,5}[/?#,;])|\\b(?!(?:https?|wss?):)[a-z][a-z0-9+.-]${scheme}://(?!\\[)[^\\s:/]${user}:`,
    'giu',
  );
const IN_TEXT = upToPassword('{1,20}', '{0,80}');
const IN_ADDRESS = upToPassword('{0,20}', '*');
/** What ends the word that an address is: a closing quotation mark too, and another address behind a comma. */
const END = /\s|["'`](?=[\s,;)\]}>]|$)|[,;|](?=[a-z][a-z0-9+.-]{1,20}:\/\/)/giu;
const SPACE = /\s/gu;
/** What is no password where a quotation mark ends the address: `"bolt://host:7687","mail":"ada@x.example"`. */
const PORT = /^\d{1,5}(?:[/?#]|$)/u;

/**
 * Returns a text with `leftOut` in the place of the passwords of addresses, as in `postgres://svc:hunter2@db`. One that is not
 * percent-encoded may hold `/`, `?` and `@`, so it ends at the last `@` of the word; quotation marks too, where no `@` is before them.
 * @param {string} text @param {string} leftOut @param {boolean} [isAddress] Whether white space alone ends an address.
 */
export function withoutAddressPasswords(text, leftOut, isAddress = false) {
  const pattern = isAddress ? IN_ADDRESS : IN_TEXT;
  let clean = '';
  let done = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) {
    const start = pattern.lastIndex;
    let word = wordAt(text, start, isAddress ? SPACE : END);
    let length = passwordLength(word);
    if (length < 0 && !isAddress && !PORT.test(word)) {
      word = wordAt(text, start, SPACE);
      length = passwordLength(word);
    }
    if (length > 0) {
      clean += `${text.slice(done, start)}${leftOut}`;
      done = start + length;
    }
    pattern.lastIndex = start + word.length;
  }
  return clean + text.slice(done);
}

/** @param {string} text @param {number} start @param {RegExp} end */
function wordAt(text, start, end) {
  end.lastIndex = start;
  return text.slice(start, end.exec(text)?.index ?? text.length);
}

/** Returns where the last `@` of a word is, or -1; that of `image@sha256:…` ends no password. @param {string} word */
function passwordLength(word) {
  let at = word.lastIndexOf('@');
  while (at > 0 && word.startsWith('sha256:', at + 1)) at = word.lastIndexOf('@', at - 1);
  return at;
}
