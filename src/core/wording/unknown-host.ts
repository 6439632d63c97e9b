/** Returns whether a connection failed because no name server knows the host. Drivers keep the cause, or quote it. */
export function isUnknownHost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b/.test(error.message) || isUnknownHost(error.cause);
}

/** Returns the sentence about a server whose host is unknown. `setting` names what holds the address. */
export function unknownHostSentence(server: string, setting: string): string {
  return `${server} cannot be reached: the host name in ${setting} is not known here; correct it, or check the name server.`;
}
