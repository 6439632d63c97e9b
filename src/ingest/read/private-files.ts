import { realpath } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { isInside } from './roots.js';

/** Files that hold keys or tokens, by name. */
const KEY_FILE =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|authorized_keys|credentials|svc\.holder)(?:\.\w+)?$|^(?:.*[._-])?(?:secrets?|credentials?|kubeconfig|service[._-]?account)(?:[._-].*)?\.(?:json|ya?ml)$|^auth\.json$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg|asc)$/iu;

/** Returns whether a file holds keys, tokens or passwords, by its name. */
export function isKeyFile(name: string): boolean {
  return KEY_FILE.test(name);
}

/**
 * Throws `forbidden` for a file that is never ingested, for any caller: one in the data directory, a key file, a dot
 * file, and a file in a dot directory below its root. `real` is a path with all links resolved.
 */
export async function refusePrivateFile(
  real: string,
  {
    dataDirectory,
    roots,
  }: { readonly dataDirectory?: string | undefined; readonly roots?: readonly string[] | undefined },
): Promise<void> {
  const data = dataDirectory === undefined ? undefined : await realpath(dataDirectory).catch(() => dataDirectory);
  if (data !== undefined && isInside(real, data)) throw refused('lies in the data directory of the service');
  const names = await namesBelowRoot(real, roots ?? []);
  if (names.some((name) => name.startsWith('.'))) throw refused('is a dot file, or lies in a dot directory');
  if (isKeyFile(basename(real))) throw refused('is a key file');
}

/** Returns the names of the path below its nearest root; without one, the name of the file. */
async function namesBelowRoot(real: string, roots: readonly string[]): Promise<string[]> {
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const nearest = resolved.filter((root) => isInside(real, root)).sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? [basename(real)] : relative(nearest, real).split(sep);
}

function refused(reason: string): SvcError {
  return new SvcError('forbidden', `source_path ${reason}; such files are never ingested.`, { member: 'source_path' });
}
