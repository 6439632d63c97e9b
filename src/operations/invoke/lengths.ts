import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';

interface Checked {
  (limit: number, text: string): boolean;
  errors?: Array<Partial<ErrorObject>>;
}

/**
 * Replaces `minLength` and `maxLength` of ajv, which count the characters of every text: here a text is only counted
 * where its code units, one or two a character, do not decide. Ten million characters are compared with a limit at once.
 */
export function countLengthsOnDemand(ajv: Ajv2020): void {
  define(ajv, 'maxLength', (limit, text) => text.length <= limit || (text.length <= 2 * limit && count(text) <= limit));
  define(ajv, 'minLength', (limit, text) => text.length >= 2 * limit || (text.length >= limit && count(text) >= limit));
}

/** Returns the characters of a text as JSON Schema counts them: a surrogate pair is one. */
function count(text: string): number {
  let characters = text.length;
  if (!/[\ud800-\udbff]/.test(text)) return characters;
  for (let i = 0; i + 1 < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      characters -= 1;
      i += 1;
    }
  }
  return characters;
}

function define(
  ajv: Ajv2020,
  keyword: 'minLength' | 'maxLength',
  holds: (limit: number, text: string) => boolean,
): void {
  const validate: Checked = (limit, text) => {
    if (holds(limit, text)) return true;
    validate.errors = [{ keyword, params: { limit } }];
    return false;
  };
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    validate: validate as never,
    errors: true,
  });
}
