/** A text of at most `size` characters in which `unit` repeats between `before` and `after`. */
export function around(before: string, unit: string, after: string): (size: number) => string {
  return (size) => {
    const times = Math.max(1, Math.floor((size - before.length - after.length) / unit.length));
    return `${before}${unit.repeat(times)}${after}`;
  };
}

/** The same for units that differ: `unit` gets their number. */
export function listed(before: string, unit: (i: number) => string, after: string): (size: number) => string {
  return (size) => {
    const parts: string[] = [];
    for (let length = before.length + after.length, i = 0; length < size; i += 1) {
      const part = unit(i);
      length += part.length + 1;
      if (length < size) parts.push(part);
    }
    return `${before}${parts.join(',')}${after}`;
  };
}

/** The start of a batch of concepts. */
export const STRUCTURED = '{"domain":"h","concepts":[';
