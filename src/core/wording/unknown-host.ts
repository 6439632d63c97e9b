/** Causes that are searched: an error may cause itself. */
const DEEPEST = 8;

/** Returns whether a connection failed because no name server knows the host. Drivers keep the cause, or quote it. */
export function isUnknownHost(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth <= DEEPEST && one instanceof Error; depth += 1) {
    if (/\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b/.test(one.message)) return true;
    one = one.cause;
  }
  return false;
}

/**
 * Returns the sentence about a server that could not be reached: that its host is unknown, where that is so, else `otherwise`.
 * `setting` names what holds the address.
 */
export function unreachableSentence(
  error: unknown,
  { server, setting, otherwise }: { readonly server: string; readonly setting: string; readonly otherwise: string },
): string {
  return isUnknownHost(error)
    ? `${server} cannot be reached: the host name in ${setting} is not known here; correct it, or check the name server.`
    : otherwise;
}
