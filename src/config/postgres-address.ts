/** Returns whether the driver of PostgreSQL can read an address: an unencoded `/`, `#` or `%` in a password breaks it. */
export function isPostgresAddress(address: string): boolean {
  // The driver puts a name in the place of a host that is left out.
  for (const form of [address, address.replace('@/', '@local/')]) {
    if (!URL.canParse(form)) continue;
    const { username, password, hostname, pathname } = new URL(form);
    return [username, password, hostname, pathname].every(isEncoded);
  }
  return false;
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
