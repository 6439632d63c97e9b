/**
 * Matches a glob: `*` any run of characters, `?` one; case does not matter. It goes back to the last star only, so that it
 * takes at most the length of the pattern times that of the text, whatever the pattern.
 */
export function globMatches(pattern: string, text: string): boolean {
  const wanted = pattern.toLowerCase();
  const given = text.toLowerCase();
  let p = 0;
  let star = -1;
  let resume = 0;
  for (let t = 0; t < given.length; ) {
    if (wanted[p] === '*') {
      star = p;
      resume = t;
      p += 1;
    } else if (p < wanted.length && (wanted[p] === '?' || wanted[p] === given[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      t = resume;
    } else return false;
  }
  while (wanted[p] === '*') p += 1;
  return p === wanted.length;
}
