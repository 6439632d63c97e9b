/**
 * Returns the name of a column without what divides its words and without marks: `FirstName` and `first_name` are the same, as are `Prénom`
 * and `prenom`.
 * @param {string} name
 */
export function letters(name) {
  return name
    .normalize('NFD')
    .replace(/[\s_\-\p{M}]+/gu, '')
    .toLowerCase();
}
