import { unzipSync } from 'fflate';
import { LIMITS, LimitExceeded } from './limits.js';

const MIB = 1 << 20;

/** A file that only its password opens. */
export class PasswordException extends Error {
  name = 'PasswordException';
}

/**
 * Returns the entries of an archive whose names are wanted. Number, size and ratio of the entries are checked by the archive's directory before
 * anything is unpacked, and no entry unpacks to more than its size there. Throws `LimitExceeded`.
 * @param {Uint8Array} bytes @param {(name: string) => boolean} isWanted @param {'unpackedMib' | 'sheetMib'} [limit] What they may unpack to.
 * @returns {Record<string, Uint8Array>}
 */
export function unpack(bytes, isWanted, limit = 'unpackedMib') {
  let entries = 0;
  let total = 0;
  return unzipSync(bytes, {
    filter: ({ name, size, originalSize, compression }) => {
      entries += 1;
      if (entries > LIMITS.entries) {
        throw new LimitExceeded('entries', `holds more than ${LIMITS.entries} archive entries; save it again`);
      }
      if (!isWanted(name)) return false;
      // An entry that is stored unpacks to the bytes that it has, whatever the directory says.
      total += compression === 0 ? Math.max(size, originalSize) : originalSize;
      if (total > LIMITS[limit] * MIB) {
        throw new LimitExceeded(limit, `unpacks to more than ${LIMITS[limit]} MiB of text; split it`);
      }
      if (originalSize > MIB && originalSize > LIMITS.ratio * size) {
        throw new LimitExceeded('ratio', `holds an entry compressed by more than ${LIMITS.ratio} to 1; save it again`);
      }
      return true;
    },
  });
}
