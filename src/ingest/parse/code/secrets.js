import { LEFT_OUT, withoutSecretForms } from '../../../core/wording/secret-forms.js';
import { isAmbiguousKey, isSecretKey } from '../../../core/wording/secrets.js';

/** A text of one line, with the letters that stand before it in some languages. */
const TEXT =
  '(?<mark>[@$bfrulLRU#]{0,3})(?<quote>"""|\'\'\'|["\'`])(?<text>(?:\\\\.|(?!\\k<quote>)[^\\\\\\n])+)\\k<quote>';
const NAME = '(?<![\\w.-])(?<name>[\\w.-]{1,80})';
/** The type of a name: `: string`, ` string` of Go, `[]` of C. */
const TYPE =
  "(?:\\[\\w{0,20}\\])?(?:[ \\t]{1,4}(?:string|\\[\\]byte)(?=\\s))?(?:\\s{0,4}:\\s{0,4}[&'\\w<>[\\]. |?]{1,40}?)?";
/** What counts before a text does: `process.env.KEY || `. */
const ELSE =
  '(?:[\\w.$?]{1,80}(?:\\([^()=:\\n]{0,80}\\)|\\[[^[\\]=:\\n]{0,80}\\])?\\s{0,4}(?:\\|\\||\\?\\?|\\?:|\\bor\\b)\\s{0,4})?';

/** A text that code gives a name, a key or an argument: `os.environ["API_KEY"] = "…"`, `apiKey: string = '…'`. */
const GIVEN = new RegExp(
  `(?<before>${NAME}["']?\\]?${TYPE}\\s{0,4}(?::=|=>|<-|(?:\\|\\||\\?\\?)=|[:=])\\s{0,4}${ELSE})${TEXT}`,
  'giu',
);
/** One that a call gives a name, and one that stands for what an environment lacks: `define('DB_PASSWORD', '…')`. */
const CALLED = new RegExp(`(?<before>\\w\\(\\s{0,4}["']${NAME}["']\\s{0,4},\\s{0,4})${TEXT}(?=\\s{0,4}[,)])`, 'giu');
/** One that a method sets: `setPassword("…")`, `.apiKey("…")`. */
const SET = new RegExp(
  `(?<before>(?:(?<!\\w)(?:set|with)_?|\\.(?=(?:pass(?:word|wd|phrase)|(?:api|secret|access)_?key)\\())(?<name>\\w{1,60})\\(\\s{0,4})${TEXT}(?=\\s{0,4}\\))`,
  'giu',
);
const DEFINED = new RegExp(`(?<before>#[ \\t]{0,4}define[ \\t]{1,8}${NAME}[ \\t]{1,40})${TEXT}`, 'giu');
/** The password of a user of a database. */
const OF_USER =
  /(?<before>\b(?:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by|(?:with|encrypted)\s{1,4}password)\s{1,4})(?<quote>')(?<text>[^'\n]+)'/giu;
/** What a call to a server is allowed by. */
const OF_CALL = /(?<before>\b(?:bearer|basic)\s{1,4})(?<text>(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,})/giu;
/** A secret that a comment notes: `# password: …`. */
const NOTED =
  /(?<before>^[ \t]*(?:#|\/\/|\*|--|;)[ \t]*(?<name>[\w.-]{1,80})[ \t]*[:=][ \t]*)(?<text>(?=\S{0,200}\d)[^\s"'`()]{6,200})$/gimu;
/** A word that shells give a variable or an option. */
const WORD = '(?<text>[^\\s"\'`$();&|<>\\\\-][^\\s"\'`();&|<>]*)';
const OF_SHELL = [
  // A line of settings, which a script writes to a file: `password: …`.
  new RegExp(`(?<before>^[ \\t]*${NAME}[ \\t]*:[ \\t]+)${WORD}(?=[ \\t]*$)`, 'gmu'),
  new RegExp(`(?<before>${NAME}=)${WORD}`, 'gu'),
  new RegExp(
    `(?<before>(?<![\\w-])(?<name>--?[\\w-]{1,60})[ \\t]{1,4})(?:${WORD}|${TEXT.replace('<text>', '<quoted>')})`,
    'gu',
  ),
];
const SHELL = /\.(?:sh|bash|zsh|bat|ps1|psm1)$/iu;

/** What says nothing: signs alone, the name of a type or a rule, the value of another name. */
const HARMLESS =
  /^(?:[^\p{L}\p{N}]+|[Nn]one|NONE|null|NULL|undefined|true|false|str|string|text|hashed|hidden|required(?:[|,].*)?|\$?\{[\w.:()-]+\}|\$(?:[A-Z_]\w*|\d|\(.*\))|%\w)$/u;
/** The kind of a token, or which credentials a browser sends: `keyword.operator`, `same-origin`. */
const KIND = /^\p{Ll}[\p{Ll}_.-]{0,19}$/u;

/**
 * Returns code without the passwords and keys that stand in it as texts: by the name that they are given to, and those that their form tells.
 * In scripts of shells also those without quotation marks.
 * @param {string} code @param {string} [file] Its name.
 */
export function codeWithoutSecrets(code, file = '') {
  const patterns = [GIVEN, CALLED, SET, DEFINED, OF_USER, OF_CALL, NOTED, ...(SHELL.test(file) ? OF_SHELL : [])];
  return patterns.reduce((left, pattern) => left.replace(pattern, masked), withoutSecretForms(code));
}

/** @param {any[]} match Of a pattern; its groups come last. */
function masked(...match) {
  const { before, name = 'password', mark = '', quote = '', text, quoted = text } = match.at(-1);
  return isSecret(name, quoted) ? `${before}${mark}${quote}${LEFT_OUT}${quote}` : match[0];
}

/** @param {string} name @param {string} text */
function isSecret(name, text) {
  if (!isSecretKey(name) || HARMLESS.test(text) || lettersOf(name).endsWith(lettersOf(text))) return false;
  return !(isAmbiguousKey(name) && !/secret/iu.test(name) && KIND.test(text));
}

/** Returns what a name and its own value have in common: `password` of `PASSWORD`. @param {string} name */
function lettersOf(name) {
  return name.replace(/[\s_.-]+/gu, '').toLowerCase();
}
