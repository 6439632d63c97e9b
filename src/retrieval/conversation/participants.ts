/** A stretch of the question that names a participant. */
interface NameSpan {
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
}

/**
 * Finds the participants that a question names: by their whole name as written ("LiHua", "Li Hua") or by their first name
 * alone. Letters only are compared, without case.
 */
export function participantsIn(question: string, speakers: readonly string[]): NameSpan[] {
  const words = [...question.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((found) => ({
    text: found[0].toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
    capital: /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(found[0]),
  }));
  const forms = new Map<string, string>();
  for (const speaker of [...speakers].sort()) {
    const parts = nameParts(speaker);
    if (parts.length === 0) continue;
    const first = parts[0]!;
    if (first.length > 2 && !forms.has(first)) forms.set(first, speaker);
    forms.set(parts.join(''), speaker);
  }
  const spans: NameSpan[] = [];
  for (let i = 0; i < words.length; ) {
    const length = longestName(words, i, forms);
    const word = words[i]!;
    if (length === 0) i += 1;
    else {
      const last = words[i + length - 1]!;
      const key = words
        .slice(i, i + length)
        .map(({ text }) => text)
        .join('');
      spans.push({ start: word.start, end: last.end, speaker: forms.get(key)! });
      i += length;
    }
  }
  return spans;
}

/** Returns the words of a name, also where they are written together with inner capitals. */
export function nameParts(name: string): string[] {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return (spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((part) => part.toLowerCase());
}

function longestName(
  words: ReadonlyArray<{ readonly text: string; readonly capital: boolean }>,
  from: number,
  forms: ReadonlyMap<string, string>,
): number {
  if (words[from]?.capital !== true) return 0;
  let key = '';
  let best = 0;
  for (let length = 1; length <= 4 && from + length <= words.length; length += 1) {
    key += words[from + length - 1]!.text;
    if (forms.has(key)) best = length;
  }
  return best;
}

/** How a language addresses one person: subject and possessive. */
const YOU: Readonly<Record<string, readonly [you: string, your: string]>> = {
  english: ['you', 'your'],
  german: ['du', 'dein'],
  french: ['tu', 'ton'],
  spanish: ['tú', 'tu'],
  italian: ['tu', 'tuo'],
  portuguese: ['você', 'seu'],
  dutch: ['jij', 'jouw'],
};

/** Returns the question as it would be put to the participants: "your" for "Ada's", "you" for "Ada". */
export function addressed(question: string, spans: readonly NameSpan[], language = 'english'): string {
  const [you, your] = YOU[language] ?? YOU.english!;
  let text = '';
  let at = 0;
  for (const { start, end } of spans) {
    const possessive = /^['’]s?\b/u.exec(question.slice(end));
    text += question.slice(at, start) + (possessive === null ? you : your);
    at = end + (possessive?.[0].length ?? 0);
  }
  return text + question.slice(at);
}
