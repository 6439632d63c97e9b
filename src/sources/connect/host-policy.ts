import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DatabaseAddress } from '../../backends/relational/address.js';
import { SvcError } from '../../core/errors.js';
import { globMatches } from '../../core/text/glob.js';
import { allowedFile, type FilePolicy } from './source-file.js';

/**
 * Refuses hosts outside the allow-list: `SVC_SOURCE_HOSTS` where it is set, else any host for callers who proved who
 * they are, and loopback for all others. Returns the address to connect to, so that a name cannot mean another host
 * afterwards.
 */
export async function allowedAddress(
  address: DatabaseAddress,
  policy: {
    readonly hosts: readonly string[];
    readonly authenticated: boolean;
    readonly files: FilePolicy;
  },
): Promise<DatabaseAddress> {
  if (address.dialect === 'sqlite') return { ...address, file: await allowedFile(address.file, policy.files) };
  if (policy.hosts.length > 0) {
    const named = `${address.host}:${address.port}`;
    if (policy.hosts.some((host) => globMatches(host, address.host) || globMatches(host, named))) return address;
    throw forbidden('is not among the hosts of SVC_SOURCE_HOSTS');
  }
  if (policy.authenticated) return address;
  const ip = isIP(address.host) !== 0 ? address.host : await resolved(address.host);
  if (!isLoopback(ip)) {
    throw forbidden(
      'is not this machine; without authentication only loopback is allowed. Set SVC_SOURCE_HOSTS or SVC_API_KEYS',
    );
  }
  return { ...address, host: ip };
}

async function resolved(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch {
    throw new SvcError('unavailable', 'The host of connection_string cannot be resolved.', {
      member: 'connection_string',
    });
  }
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || /^127\./.test(ip) || /^::ffff:127\./i.test(ip);
}

function forbidden(problem: string): SvcError {
  return new SvcError('forbidden', `The host of connection_string ${problem}.`, { member: 'connection_string' });
}
