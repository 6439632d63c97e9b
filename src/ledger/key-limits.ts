/** A key that more nodes are about makes no links: each would weigh next to nothing. */
export const MAX_ABOUT = 50;

/** An alias counts only while at most this many passages share it. */
export const MAX_ALIASES = 3;
