import { latexText } from './latex-text.js';

/** Returns the people of a list of names as they are called: of "Müller, Jörg and {The ABC Group}" Jörg Müller and The ABC Group. @param {string} written @returns {string[]} */
export function peopleIn(written) {
  return divided(written, /\s+and(?=\s)/iuy)
    .map((name) => calledBy(name.trim()))
    .map((name) => (name === 'others' ? 'and others' : name))
    .filter((name) => name !== '');
}

/** Returns a name in the order in which it is spoken: "von Neumann, Jr., John" is "John von Neumann, Jr." @param {string} written */
function calledBy(written) {
  const [family = '', ...others] = divided(written, /,/uy).map((part) => latexText(part).replace(/\s+/gu, ' '));
  const given = others.at(-1) ?? '';
  const suffix = others.length > 1 ? others[0] : '';
  return [`${given} ${family}`.trim(), suffix].filter(Boolean).join(', ');
}

/** Returns the pieces of a text between signs outside of braces. @param {string} text @param {RegExp} sign A sticky one. @returns {string[]} */
function divided(text, sign) {
  const pieces = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    else if (depth <= 0) {
      sign.lastIndex = at;
      if (!sign.test(text)) continue;
      pieces.push(text.slice(start, at));
      start = sign.lastIndex;
      at = start - 1;
    }
  }
  return [...pieces, text.slice(start)];
}
