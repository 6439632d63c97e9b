/** What a book is divided into: groups of chapters, and chapters. */
const GROUP = 'part|book|volume|teil|buch|partie|livre|tome|parte|libro|livro|volumen?|deel|boek';
const CHAPTER = 'chapter|kapitel|chapitre|capítulo|capitolo|hoofdstuk';
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|' +
  'thirty|forty|fifty|sixty|seventy|eighty|ninety|first|second|third|fourth|fifth|last|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|' +
  'elf|zwölf|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|premier|première|deuxième|troisième|uno|dos|tres|cuatro|cinco|seis|siete|ocho|' +
  'nueve|diez|primer[oa]?|segund[oa]|tercer[oa]?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|prim[oa]|second[oa]|terz[oa]|um|dois|três|quatro|sete|oito|dez';
const ORDINAL = '(?:erst|zweit|dritt|viert|fünft|sechst|siebt|siebent|acht|neunt|zehnt|elft|zwölft)e[rs]?';
const NUMBER = `(?:\\d{1,4}|[ivxlcdm]{1,9}|(?:the )?(?:${NUMBER_WORDS})(?:[- ](?:${NUMBER_WORDS}))?)`;
/** A title behind the number, on its line. */
const TITLED = '(?<title>\\s?[.:–—-]\\s?[^\\s.:–—-].*[^.,;:])?';
const LINE = new RegExp(
  `^(?:(?<group>${GROUP})|${CHAPTER})\\s${NUMBER}(?:[.:]|${TITLED})$|^${ORDINAL}\\s(?:(?<second>teil|buch)|kapitel)(?:[.:]|(?<after>\\s?[.:–—-]\\s?\\S.*[^.,;:]))?$|` +
    '^(?:prologue|epilogue|prolog|epilog|épilogue|prólogo|epílogo|prologo|epilogo)$',
  'iu',
);
/** A longer line is no heading. In characters. */
const LONGEST = 100;

/** @typedef {{ isGroup: boolean, isTitled: boolean }} Chapter */

/**
 * Returns what a line says that opens a chapter, or a group of chapters, and says nothing else: "CHAPTER TWO", "Part II", "Kapitel 3: Der Hafen".
 * @param {string} line @returns {Chapter | undefined}
 */
export function chapterOf(line) {
  if (line.length > LONGEST) return undefined;
  const found = LINE.exec(line.replace(/\s+/gu, ' '));
  if (found === null) return undefined;
  const { group, second, title, after } = found.groups ?? {};
  return { isGroup: (group ?? second) !== undefined, isTitled: (title ?? after) !== undefined };
}

/** Returns the line that opens a chapter with the title below it: "CHAPTER TWO: The Door Below". @param {string} line @param {string} title */
export function withTitle(line, title) {
  return `${line.replace(/[.:]$/u, '')}: ${title}`;
}

/** A quotation that ends as spoken words do: "Since October.", "I knew," said Maud. */
const SPEECH = /^["“”„«»‘'][^\n]*?[.!?,…–—-]\s?["“”«»’'](?:$|\s+\p{Ll})/u;

/** Returns whether a line is what somebody in a story says. @param {string} line */
export function isSpeech(line) {
  return line.length <= LONGEST && SPEECH.test(line);
}

/** Tells the levels of headings in a text: chapters stand below the group that they are of, other headings below the chapter. */
export class HeadingLevels {
  /** The level of groups or chapters so far; 0 before the first. */
  group = 0;
  chapter = 0;

  /** @param {Chapter} chapter */
  ofChapter({ isGroup }) {
    if (isGroup) {
      this.group = 1;
      this.chapter = 0;
      return 1;
    }
    this.chapter = this.group + 1;
    return this.chapter;
  }

  ofTitle() {
    return Math.max(this.group, this.chapter) + 1;
  }
}
