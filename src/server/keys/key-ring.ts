import { timingSafeEqual } from 'node:crypto';
import type { ScopedCaller } from '../../core/async/caller-scope.js';
import type { Clock } from '../../core/clock.js';
import { sha256 } from '../../core/hmac.js';
import type { Logger } from '../../telemetry/logger.js';
import { hasKeys, type Protection } from '../access.js';
import { type KeyEntry, readKeys, stampOf } from './key-file.js';

interface KnownKey {
  readonly digest: Uint8Array;
  /** Null: a plain key, with full access. */
  readonly entry: KeyEntry | null;
}

export interface KeyRingOptions {
  /** Plain keys: full access. */
  readonly plain: readonly string[];
  /** The keys file; null for none. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly log?: Logger | undefined;
}

/** Returns the keys of a configuration; undefined where callers prove themselves by none. */
export function keyRingOf(
  config: Protection,
  { clock, log }: Pick<KeyRingOptions, 'clock' | 'log'>,
): KeyRing | undefined {
  const { api_keys: plain, keys_file: file } = config.auth;
  return hasKeys(config) ? new KeyRing({ plain, file, clock, log }) : undefined;
}

/** The keys that are admitted. A keys file that changes counts from the next request on. */
export class KeyRing {
  private readonly plain: readonly KnownKey[];
  private listed: readonly KnownKey[] = [];
  private stamp: string | undefined;

  /** Throws `invalid_input` for a keys file that cannot be read. */
  constructor(private readonly options: KeyRingOptions) {
    this.plain = options.plain.map((key) => ({ digest: sha256(key), entry: null }));
    if (options.file === null) return;
    this.load(options.file);
    if (this.stamp === 'absent') {
      const sentence =
        'SVC_KEYS_FILE names a file that is not there: no key of it is admitted until `svc keys add` makes it';
      options.log?.warn({ file: options.file }, sentence);
    }
  }

  /** Returns who presents this key; undefined for an unknown one, and for one that has expired. */
  find(presented: string): ScopedCaller | undefined {
    this.refresh();
    const sent = sha256(presented);
    let found: KnownKey | undefined;
    // Every digest is looked at, in the same time.
    for (const known of [...this.plain, ...this.listed]) if (timingSafeEqual(known.digest, sent)) found ??= known;
    if (found === undefined) return undefined;
    const id = `key ${Buffer.from(sent).toString('hex').slice(0, 12)}`;
    if (found.entry === null) return { id };
    const { expires, sha256: _, ...scope } = found.entry;
    return expires !== null && expires <= this.options.clock() ? undefined : { id, scope };
  }

  /** A file that has become unreadable admits nobody: an old state may hold keys that were revoked. */
  private refresh(): void {
    const { file, log } = this.options;
    if (file === null || stampOf(file) === this.stamp) return;
    try {
      this.load(file);
    } catch (error) {
      this.listed = [];
      log?.error(
        { file, reason: (error as Error).message },
        'the keys file is not valid: none of its keys is admitted',
      );
    }
  }

  private load(file: string): void {
    this.stamp = stampOf(file);
    this.listed = readKeys(file).map((entry) => ({ digest: Buffer.from(entry.sha256, 'hex'), entry }));
  }
}
