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
/** What is in a password that holds a quotation mark: no other one of its kind, and an `@` behind it. */
const MORE_OF_IT = { '"': /"[^"\s]{0,200}?@/y, "'": /'[^'\s]{0,200}?@/y, '`': /`[^`\s]{0,200}?@/y };
/** Of an address in quotation marks, such a one between them: not a column of a table behind one. */
const WITHIN = {
  '"': /"[^"\s]{0,200}?@[^"\s]{0,200}"(?=[\s,;)\]}>]|$)/y,
  "'": /'[^'\s]{0,200}?@[^'\s]{0,200}'(?=[\s,;)\]}>]|$)/y,
  '`': /`[^`\s]{0,200}?@[^`\s]{0,200}`(?=[\s,;)\]}>]|$)/y,
};
/** Characters before an address among which a quotation mark is sought that opens it: `"jdbc:postgresql://…`. */
const BEFORE = 20;
/** What is no password where a quotation mark ends the address: `"bolt://host:7687","mail":"ada@x.example"`. */
const PORT = /^\d{1,5}(?:[/?#]|\\?$)/u;

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
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = pattern.lastIndex;
    let word = wordAt(text, start, isAddress ? SPACE : END);
    let length = passwordLength(word);
    if (length < 0 && !isAddress) {
      word = PORT.test(word) ? digitsAndMore(text, { start, address: found.index, word }) : wordAt(text, start, SPACE);
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

/**
 * Returns the word whose first digits a quotation mark ends, with what is behind that mark where it is part of a password:
 * `postgres://svc:1234",b@db`. It is none where the mark was opened before the address, as in `"bolt://db:7687",ada@x.example`.
 * @param {string} text @param {{ start: number, address: number, word: string }} of
 */
function digitsAndMore(text, { start, address, word }) {
  const end = start + word.length;
  const mark = text[end] ?? '';
  if (mark !== '"' && mark !== "'" && mark !== '`') return word;
  const before =
    text
      .slice(Math.max(0, address - BEFORE), address)
      .split(/\s/u)
      .at(-1) ?? '';
  const more = (before.includes(mark) ? WITHIN : MORE_OF_IT)[mark];
  more.lastIndex = end;
  if (!more.test(text)) return word;
  // The address goes on to the next mark, or to white space.
  const next = text.indexOf('@', end);
  return text.slice(start, next) + wordAt(text, next, END);
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
