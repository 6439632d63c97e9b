/** `#+title: …`, `#+caption[short]: …`: a name and its value. */
export const KEYWORD = /^[ \t]*#\+([\w-]{1,40})(?:\[[^\]]{0,300}\])?:[ \t]*(.*)$/u;
export const END_DRAWER = /^[ \t]*:END:[ \t]*$/iu;
