import { SvcError, wrongMember } from '../core/errors.js';

/** Throws `invalid_input` for what is no text: a path or a form would carry `undefined` as a word. */
export function checkText(value: unknown, member: string): void {
  if (value === undefined) throw new SvcError('invalid_input', `${member} is missing; it is required.`, { member });
  if (typeof value !== 'string') wrongMember(member, 'must be a string, such as "handbook"');
  if (value === '') wrongMember(member, 'must not be shorter than 1 character');
}

/** Returns the options of a call, none for null as for absent ones. Throws `invalid_input` for what is no object. */
export function checkedOptions<T extends object>(options: T | null): T | Record<string, never> {
  if (options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options))
    wrongMember('options', 'must be an object, such as {"top_k": 5}; leave it out for none');
  return options;
}

/** Throws `invalid_input` for a number that is not finite. */
export function checkFinite(numbers: Readonly<Record<string, unknown>>): void {
  for (const [member, value] of Object.entries(numbers)) {
    if (typeof value === 'number' && !Number.isFinite(value)) wrongMember(member, 'must be a finite number');
  }
}

/** Throws `invalid_input` for a key that no header can carry; the message does not quote it. */
export function checkKey(key: unknown): void {
  if (typeof key === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(key)) return;
  wrongMember('api_key', 'must be a text of printable characters, without a line break');
}

/** Throws `invalid_input` for a signal that is none. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  const { aborted, addEventListener } = signal as Partial<AbortSignal>;
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function') {
    wrongMember('signal', 'must be an AbortSignal');
  }
}
