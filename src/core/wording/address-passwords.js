/** An address up to its password. `http://host:8080/@ada` has none, and `[` begins an address of IPv6. */
const UP_TO_PASSWORD =
  /\b(?:https?|wss?):\/\/(?!\[)[^\s:/]{0,80}:(?!\d{1,5}[/?#])|\b(?!(?:https?|wss?):)[a-z][a-z0-9+.-]{1,20}:\/\/(?!\[)[^\s:/]{0,80}:/giu;
/** What ends the word that an address is: a closing quotation mark too, and another address behind a comma. */
const END = /\s|["'`](?=[\s,;)\]}>]|$)|[,;|](?=[a-z][a-z0-9+.-]{1,20}:\/\/)/giu;

/**
 * Returns a text with `leftOut` in the place of the passwords of addresses, as in `postgres://svc:hunter2@db`. One that is not
 * percent-encoded may hold `/`, `?` and `@`, so it ends at the last `@` of the word.
 * @param {string} text @param {string} leftOut
 */
export function withoutAddressPasswords(text, leftOut) {
  let clean = '';
  let done = 0;
  UP_TO_PASSWORD.lastIndex = 0;
  while (UP_TO_PASSWORD.test(text)) {
    const start = UP_TO_PASSWORD.lastIndex;
    END.lastIndex = start;
    const end = END.exec(text)?.index ?? text.length;
    const length = text.slice(start, end).lastIndexOf('@');
    if (length > 0) {
      clean += `${text.slice(done, start)}${leftOut}`;
      done = start + length;
    }
    UP_TO_PASSWORD.lastIndex = end;
  }
  return clean + text.slice(done);
}
