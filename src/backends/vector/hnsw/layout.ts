/** Slots per chunk, of the vectors and of their coarse copies. */
export const CHUNK = 4096;
