import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { parseAddress } from '../../backends/relational/address.js';
import { SvcError } from '../../core/errors.js';

const REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** Keeps connection strings: a reference to the environment, or the string encrypted (AES-256-GCM, key by HKDF). */
export class Credentials {
  constructor(
    private readonly secretKey: string | undefined,
    private readonly environment: (name: string) => string | undefined,
  ) {}

  /** Returns the form that is kept in the store. A string with a password needs `SVC_SECRET_KEY`. */
  sealed(connectionString: string): string {
    if (REFERENCE.test(connectionString)) return connectionString;
    if (this.secretKey === undefined) {
      if (parseAddress(connectionString).password === '') return `plain:${connectionString}`;
      throw new SvcError(
        'invalid_input',
        'connection_string carries a password, which is stored only encrypted: set SVC_SECRET_KEY, or give "env:NAME" and put the string into that variable.',
        { member: 'connection_string' },
      );
    }
    const salt = randomBytes(16);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', derivedKey(this.secretKey, salt), iv);
    const body = Buffer.concat([cipher.update(connectionString, 'utf8'), cipher.final()]);
    return `sealed:${Buffer.concat([salt, iv, cipher.getAuthTag(), body]).toString('base64')}`;
  }

  /** Returns the connection string itself, of a stored form or as a caller gave it. */
  opened(stored: string): string {
    const reference = REFERENCE.exec(stored)?.[1];
    if (reference !== undefined) {
      if (/^SVC_|^DATABASE_URL$/.test(reference)) {
        throw new SvcError(
          'forbidden',
          `connection_string names env:${reference}, which belongs to the service itself; use another variable.`,
          { member: 'connection_string' },
        );
      }
      const value = this.environment(reference);
      if (value === undefined) {
        throw new SvcError(
          'invalid_input',
          `connection_string names env:${reference}, which is not set where the service runs.`,
          {
            member: 'connection_string',
          },
        );
      }
      return value;
    }
    if (stored.startsWith('plain:')) return stored.slice('plain:'.length);
    if (!stored.startsWith('sealed:')) return stored;
    if (this.secretKey === undefined) {
      throw new SvcError(
        'unavailable',
        'The stored connection string is encrypted; start the service with the SVC_SECRET_KEY it was stored with.',
      );
    }
    const bytes = Buffer.from(stored.slice('sealed:'.length), 'base64');
    try {
      const key = derivedKey(this.secretKey, bytes.subarray(0, 16));
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(16, 28));
      decipher.setAuthTag(bytes.subarray(28, 44));
      return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString('utf8');
    } catch {
      throw new SvcError(
        'unavailable',
        'The stored connection string cannot be read with this SVC_SECRET_KEY; connect the source again.',
      );
    }
  }
}

function derivedKey(secretKey: string, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, salt, 'source credentials', 32));
}
