/** Other names that a document gives itself at most, and their length in characters. */
export const MOST_ALIASES = 50;
export const LONGEST_ALIAS = 200;
