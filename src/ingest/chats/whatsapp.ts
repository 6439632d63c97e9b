import { type ChatFile, type ChatMessage, speakerOf } from './chat-message.js';

const DATE = String.raw`(\d{1,4})([./-])\s?(\d{1,2})[./-]\s?(\d{1,4})\.?(?:,|\s(?:um|at|à))?`;
const TIME = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s?([ap])\.?\s?m\.?)?`;
/** How a message begins: `[12.03.24, 14:05:33] Anna: …` on an iPhone, `12/03/2024, 2:05 pm - Anna: …` on Android. */
const HEADS = [String.raw`\[${DATE}\s+${TIME}\]\s?`, String.raw`${DATE}\s+${TIME}\s[-–]\s`].map(
  (head) => new RegExp(`^[\u200e\u200f]*${head}(.*)$`, 'isu'),
);
/** The same anywhere in a text, and of somebody; logs have no comma after the day. */
const STAMP = String.raw`[\u200e\u200f]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?,\s${TIME}(?:\]\s?|\s[-–]\s)`;
const BEGINNING = new RegExp(`^${STAMP}`, 'iu');
const MESSAGE = new RegExp(String.raw`(?:^|\s)${STAMP}[^:]{1,80}:\s`, 'giu');
const SPOKEN = /^([^:]{1,80}):\s(.*)$/su;
/** What the program says of a group before the colon of a new name or description, in six languages: `Anna changed the description to: …`. */
const NOTE =
  /(?:^|\s)(?:changed (?:the subject|the (?:group )?(?:name|description)|this group['’]s (?:name|description))|(?:hat|hast) (?:den (?:Betreff|Gruppennamen)|die (?:Gruppenb|B)eschreibung)|(?:as?|avez) (?:changé|modifié) (?:le sujet|le nom du groupe|la description)|(?:cambi[oó]|cambiaste) (?:el asunto|el nombre del grupo|la descripción)|(?:ha|hai) (?:cambiato|modificato) (?:l['’]oggetto|il nome del gruppo|la descrizione)|(?:mudou|alterou) (?:o assunto|o nome do grupo|a descrição))(?!\p{L})/iu;
/** Stands before what the program itself says. */
const MARK = '\u200e';
/** Words of the program in a message of somebody, with its mark or, on Android, without: `<This message was edited>`. No address and no code. */
const WORDS = String.raw`<[^<>:/@\s]+(?: [^<>:/@\s]+){1,7}>`;
const EDITED = new RegExp(`\\s?(?:\u200e<[^<>]{5,80}>|(?<=\\s)${WORDS})$`, 'u');
const LEFT_OUT = new RegExp(`^${WORDS}$`, 'u');
/** Who of a group deleted a message; people write on after the name. */
const ADMIN = String.raw`[^\s,;:!?]+(?: [^\s,;:!?]+){0,2}`;
/** All that is left of a deleted message on Android, in six languages. */
const DELETED = new RegExp(
  String.raw`^(?:(?:this message was deleted|ce message a été supprimé|este mensaje fue eliminado|questo messaggio è stato eliminato|(?:esta )?mensagem (?:foi )?apagada)(?: (?:by|par l['’]|por el|dall['’]|pelo) ?(?:admin|amministratore)\.? ${ADMIN})?|diese nachricht wurde (?:vo[mn] admin ${ADMIN} )?gelöscht|you deleted this message|du hast diese nachricht gelöscht|vous avez supprimé ce message|(?:se eliminó|eliminaste) este mensaje|hai eliminato questo messaggio|você apagou esta mensagem)\.?$`,
  'iu',
);
/** What stands for a picture that could be seen once. */
const SEEN_ONCE = 'null';
/**
 * The line that stands for a file on Android, above what was written under it. A name with spaces counts only with the mark of the program: people
 * write such sentences.
 */
const ATTACHED =
  /^(?:\u200e[^\n]{1,120}|\S{1,120})\.(?=\p{N}*\p{L})[\p{L}\p{N}]{2,5} \((?:file attached|datei angehängt|fichier joint|archivo adjunto|file allegato|(?:arquivo|ficheiro) anexado)\)(?:\n|$)/iu;
/** Direction marks around numbers, and the mark of people who are no contacts. */
const AROUND_NAME = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]|^~\s?/gu;

/** Characters of a text that tell what it is. */
const LOOKED_AT = 2000;

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
  for (const line of text.written.split(/\r?\n/u)) {
    const head = headOf(line);
    if (head !== undefined) heads.push(head);
    else if (heads.length > 0) heads.at(-1)!.lines.push(line);
    else if (line.trim() !== '') return undefined;
  }
  const order = orderOf(heads);
  // An iPhone calls every export so.
  const chat = name === '_chat' ? directory : name;
  const messages = heads.flatMap((head): ChatMessage[] => {
    const spoken = spokenIn(head.lines.join('\n').trim());
    const day = dayIn(head, order);
    if (spoken === undefined || day === undefined) return [];
    const said = spoken.said.replace(ATTACHED, '');
    const text = isOfProgram(said) ? '' : said.replace(EDITED, '').trim();
    if (text === '') return [];
    const speaker = speakerOf(spoken.speaker.replace(AROUND_NAME, ''), spoken.speaker);
    return [{ session_id: `${chat} ${day}`, speaker, text, timestamp: `${day}T${head.time}Z` }];
  });
  return messages.length === 0 ? undefined : messages;
}

/** Returns whether a text begins like a WhatsApp export, with two messages, and not like a log; its lines may be joined. */
export function beginsLikeWhatsapp(text: string): boolean {
  const beginning = text.trimStart().slice(0, LOOKED_AT);
  return BEGINNING.test(beginning) && [...beginning.matchAll(MESSAGE)].length > 1;
}

/** Returns who says something, and what; nothing for a note of the program, such as: Anna changed the subject to “Trip: Rome”. */
function spokenIn(text: string): { readonly speaker: string; readonly said: string } | undefined {
  const [, speaker = '', said = ''] = SPOKEN.exec(text) ?? [];
  return speaker === '' || isOpenQuotation(speaker) || NOTE.test(speaker) ? undefined : { speaker, said };
}

/** Returns whether what stands as somebody's message was said by the program: what was left out, or that it was deleted. */
function isOfProgram(said: string): boolean {
  return said.startsWith(MARK) || LEFT_OUT.test(said) || DELETED.test(said) || said === SEEN_ONCE;
}

function isOpenQuotation(text: string): boolean {
  const count = (marks: RegExp): number => text.match(marks)?.length ?? 0;
  const [low, high] = [count(/„/gu), count(/“/gu)];
  const isOpen = low > 0 ? low > high + count(/”/gu) : high > count(/”/gu);
  return isOpen || count(/"/gu) % 2 === 1 || count(/«/gu) > count(/»/gu);
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

type Order = 'day first' | 'month first' | 'year first';

/** Tells the order of years, days and months, one for a file: by a number that is no month, else by the one in which time goes on, else by how such dates are written. */
function orderOf(heads: readonly Head[]): Order {
  if (hasYearsFirst(heads)) return 'year first';
  if (heads.some(({ date: [first] }) => first > 12 && first < 32)) return 'day first';
  if (heads.some(({ date: [, second] }) => second > 12)) return 'month first';
  const [isDays, isMonths] = (['day first', 'month first'] as const).map((order) => goesOn(heads, order));
  if (isDays !== isMonths) return isDays === true ? 'day first' : 'month first';
  return heads.some(({ separator, isHalfDay }) => separator === '/' && isHalfDay) ? 'month first' : 'day first';
}

/** The program is of that year. */
const FIRST_YEAR = 9;
/** Last numbers from which dates with one first number are days of a year, not a day of years. */
const FEWEST_DAYS = 3;

/** Returns whether dates such as 24-11-26 begin with a year of two digits: time goes on so in the whole file, and not as they are written more often. */
function hasYearsFirst(heads: readonly Head[]): boolean {
  const firsts = new Set(heads.map(({ date: [first] }) => first));
  if ([...firsts].some((first) => first < FIRST_YEAR || first > 99) || !goesOn(heads, 'year first')) return false;
  if (!goesOn(heads, 'day first') && !goesOn(heads, 'month first')) return true;
  // Points part dates that begin with a day.
  if (heads.some(({ separator }) => separator === '.')) return false;
  return firsts.size === 1 && new Set(heads.map(({ date: [, , third] }) => third)).size >= FEWEST_DAYS;
}

function goesOn(heads: readonly Head[], order: Order): boolean {
  let last = '';
  for (const head of heads) {
    const day = dayIn(head, order);
    if (day === undefined || day < last) return false;
    last = day;
  }
  return true;
}

function dayIn({ date: [first, second, third] }: Head, order: Order): string | undefined {
  const isYearFirst = first > 999 || order === 'year first';
  const [day, month] = isYearFirst ? [third, second] : order === 'day first' ? [first, second] : [second, first];
  const given = isYearFirst ? first : third;
  const date = new Date(Date.UTC(given < 100 ? 2000 + given : given, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
