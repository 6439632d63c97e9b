import type { ChatFile, ChatMessage } from './chat-export.js';

const DATE = String.raw`(\d{1,4})([./-])(\d{1,2})[./-](\d{1,4})\.?(?:,|\s(?:um|at|à))?`;
const TIME = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s?([ap])\.?\s?m\.?)?`;
/** How a message begins: `[12.03.24, 14:05:33] Anna: …` on an iPhone, `12/03/2024, 2:05 pm - Anna: …` on Android. */
const HEADS = [String.raw`\[${DATE}\s+${TIME}\]\s?`, String.raw`${DATE}\s+${TIME}\s[-–]\s`].map(
  (head) => new RegExp(`^[\u200e\u200f]*${head}(.*)$`, 'iu'),
);
/** A name with a quotation in it is a note: Anna changed the subject to “Trip: Rome”. */
const SPOKEN = /^([^:"“”„«»]{1,80}):\s(.*)$/su;
/** Stands before what the program itself says. */
const MARK = '\u200e';
const EDITED = /\u200e?<[^<>]{5,60}>$/u;
const LEFT_OUT = /^<[^<>]{3,60}>$/u;
/** Direction marks around numbers, and the mark of people who are no contacts. */
const AROUND_NAME = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]|^~\s?/gu;

interface Head {
  /** The three numbers of the date, as they stand. */
  readonly date: readonly [number, number, number];
  readonly separator: string;
  readonly time: string;
  readonly isHalfDay: boolean;
  readonly lines: string[];
}

/** Returns the messages of a WhatsApp export; undefined for a text that does not begin like one. */
export function whatsappMessages({ text, name, directory }: ChatFile): ChatMessage[] | undefined {
  const heads: Head[] = [];
  for (const line of text.replace(/^\ufeff/u, '').split(/\r?\n/u)) {
    const head = headOf(line);
    if (head !== undefined) heads.push(head);
    else if (heads.length > 0) heads.at(-1)!.lines.push(line);
    else if (line.trim() !== '') return undefined;
  }
  const dayOf = readDays(heads);
  // An iPhone calls every export so.
  const chat = name === '_chat' ? directory : name;
  const messages = heads.flatMap((head): ChatMessage[] => {
    const spoken = SPOKEN.exec(head.lines.join('\n').trim());
    const day = dayOf(head);
    if (spoken === null || day === undefined) return [];
    const [, speaker = '', said = ''] = spoken;
    const text = said.replace(EDITED, (note) => (note === said ? note : '')).trim();
    if (text === '' || text.startsWith(MARK) || LEFT_OUT.test(text)) return [];
    const timestamp = `${day}T${head.time}Z`;
    return [{ session_id: `${chat} ${day}`, speaker: speaker.replace(AROUND_NAME, '').trim(), text, timestamp }];
  });
  return messages.length === 0 ? undefined : messages;
}

/** Returns whether a text begins like a WhatsApp export. */
export function beginsLikeWhatsapp(text: string): boolean {
  const head = headOf(text.trimStart().split('\n', 1)[0]!.slice(0, 200));
  return (
    head !== undefined && (['day first', 'month first'] as const).some((order) => dayIn(head, order) !== undefined)
  );
}

function headOf(line: string): Head | undefined {
  const match = HEADS.map((pattern) => pattern.exec(line)).find((one) => one !== null);
  if (match === undefined || match === null) return undefined;
  const [, first, separator = '', second, third, hour, minute = '', seconds = '00', half, rest = ''] = match;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  return {
    date: [Number(first), Number(second), Number(third)],
    separator,
    time: `${String(hours).padStart(2, '0')}:${minute}:${seconds}`,
    isHalfDay: half !== undefined,
    lines: [rest],
  };
}

type Order = 'day first' | 'month first';

/** Returns what reads the days of a file, in which all stand in one order; undefined for a day that is none. */
function readDays(heads: readonly Head[]): (head: Head) => string | undefined {
  const order = orderOf(heads);
  return (head) => dayIn(head, order);
}

/** Tells the order of days and months: by a number that is no month, else by the one in which time goes on, else by how such dates are written. */
function orderOf(heads: readonly Head[]): Order {
  if (heads.some(({ date: [first] }) => first > 12 && first < 32)) return 'day first';
  if (heads.some(({ date: [, second] }) => second > 12)) return 'month first';
  const [isDays, isMonths] = (['day first', 'month first'] as const).map((order) => goesOn(heads, order));
  if (isDays !== isMonths) return isDays === true ? 'day first' : 'month first';
  return heads.some(({ separator, isHalfDay }) => separator === '/' && isHalfDay) ? 'month first' : 'day first';
}

function goesOn(heads: readonly Head[], order: Order): boolean {
  const days = heads.map((head) => dayIn(head, order) ?? '');
  return days.every((day, i) => i === 0 || days[i - 1]! <= day);
}

function dayIn({ date: [first, second, third] }: Head, order: Order): string | undefined {
  const isYearFirst = first > 999;
  const [day, month] = isYearFirst ? [third, second] : order === 'day first' ? [first, second] : [second, first];
  const given = isYearFirst ? first : third;
  const date = new Date(Date.UTC(given < 100 ? 2000 + given : given, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
