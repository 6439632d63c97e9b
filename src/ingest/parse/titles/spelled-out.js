/**
 * Returns the name of a key or of a piece of code with the words that it is written together of: "maxSize (max size)", "Store.loadAll (store load all)", "maxSize, minSize (max size, min size)".
 * @param {string} name
 */
export function spelledOut(name) {
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2');
  return words === name || /(?<!,)\s/u.test(name) ? name : `${name} (${words.replace(/[._:]+/gu, ' ').toLowerCase()})`;
}
