/** A word of a clause: no comma, semicolon or colon is in it. */
const WORD = String.raw`[^\s,;:]+ `;
/** What narrows a permission to a prohibition. "Nicht nur" adds to it. */
const NARROWED = String.raw`(?:nie(?:mals)?|nicht(?! nur(?!\p{L}))|nur|ausschließlich|höchstens|niemand|kein\p{Ll}*)`;
/** Whoever writes, or somebody named before. "Sie" with a capital speaks to whoever reads. */
const SOMEBODY = String.raw`(?!(?:ich|wir|er|sie|es|du|ihr)(?!\p{L}))`;

/** What a permission is never of, however it is narrowed: "darf nicht fehlen", "darf nur hoffen". */
const NO_PERMISSION = String.raw`(?!.*(?<!\p{L})(?:fehlen|kurz kommen|hoffen|freuen|wundern|hinwegtäuschen)(?!\p{L}))`;
/** What must have been is guessed, what is said to be is reported. */
const GUESSED = String.raw`(?!.*(?<!\p{L})(?:gewesen|gehabt|geworden|geblieben) (?:sein|haben)(?!\p{L}))`;
const REPORTED = String.raw`(?!.*(?<!\p{L})(?:haben|sein)[.!]?$)`;
/** What one person has to do one time: "Peter muss morgen nach Berlin fahren." */
const ERRAND =
  /^(?!(?:Der|Die|Das|Ein\p{Ll}*|Jede\p{Ll}?) )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? muss (?:noch |schon )?(?:heute|morgen|übermorgen|gleich|jetzt|gerade|wieder) (?!.*werden[.!]?$)/u;

/** German puts the infinitive last; a clause that ends with the modal verb is a subordinate one. "Leider müssen wir" speaks of somebody. */
const MODAL = new RegExp(
  String.raw`(?<!\p{L})(?:(?:muss|müssen)|(?:(?:darf|dürfen)${NO_PERMISSION}|(?:soll|sollen)${REPORTED}) ${NARROWED}) ${GUESSED}(?!man(?!\p{L}))${SOMEBODY}(?!(?:Ich|Wir|Er|Es|Sie)(?!\p{L})).{3,}`,
  'u',
);
/** What a permission is of may stand before what narrows it: "Im Hafen dürfen Einer nicht fahren." */
const PERMISSION = new RegExp(
  String.raw`(?<!\p{L})(?:darf|dürfen) ${NO_PERMISSION}${SOMEBODY}(?:(?!${NARROWED}(?!\p{L})|auch |nicht )${WORD}){1,7}${NARROWED} .{3,}`,
  'u',
);
/** Permission of some, or of nobody. */
const OF_WHOM = new RegExp(
  String.raw`^(?:Niemand|Kein\p{Ll}*|Nur|Ausschließlich) (?!ich |wir )(?:${WORD}){0,9}?(?:darf|dürfen) ${NO_PERMISSION}.{3,}`,
  'u',
);

/** Infinitives that say what is possible or likely, and adjectives that look like one: "zu finden", "zu selten". */
const POSSIBLE =
  '(?!(?:finden|sehen|hören|haben|erwarten|rechnen|bekommen|erhalten|erreichen|erkennen|sein|spüren|merken|verstehen|kaufen|lesen|' +
  'übersehen|befürchten|vermuten|hoffen|suchen|sagen|bieten|danken|verdanken|bedauern|begrüßen|bezweifeln|toppen|schlagen|bewundern|' +
  'entdecken|erblicken|besichtigen|besuchen|genießen|mieten|beobachten|schaffen|(?<!Proben? .*)entnehmen|retten|ändern|selten|offen|trocken|verschieden|bescheiden|zufrieden|eben|teuren?)(?!\\p{L}))';
const SEPARABLE = String.raw`(?:ab|an|auf|aus|bei|bereit|ein|fern|fest|frei|her|hin|los|mit|nach|nieder|sicher|teil|über|um|unter|vor|weg|weiter|wieder|zurück|zusammen)zu(?!nehmen|sehen|gehen|finden|treffen|schätzen|(?<=zurückzu)führen)\p{Ll}+(?:en|ern|eln)`;
/** "Schäden sind sofort zu melden." What is easy or hard to do, or what little there is to do, is no duty. */
const TO_DO = new RegExp(
  String.raw`(?<!\p{L})(?:ist|sind) (?:(?!(?:es|nicht|kaum|leicht|leichter|schwer|schwerer|schwierig|einfach|gut|besser|unmöglich|mehr|viel|vieles|wenig|nichts|etwas|alles|davon|damit|dafür|daran|darauf|zu)(?!\p{L}))${WORD}){0,12}?(?:zu ${POSSIBLE}\p{Ll}+(?:en|ern|eln)|${SEPARABLE})(?=[.!,]|$)`,
  'u',
);
/** What is forbidden, or demanded, at a place or a time. */
const STATED = new RegExp(
  String.raw`(?<!\p{L})(?:ist|sind) (?:(?:(?!(?:nicht|nie|niemals|kaum|nur|kein\p{Ll}*)(?!\p{L}))${WORD}){0,10}?(?:verboten|untersagt|unzulässig|Pflicht|verpflichtend|vorgeschrieben|erforderlich|nicht (?:gestattet|erlaubt|zulässig|zugelassen))|(?:${WORD}){0,5}?nur (?:${WORD}){1,9}?(?:gestattet|erlaubt|zulässig))(?=[.!,;]|$| (?:und|oder|außer|sofern|solange)(?!\p{L}))`,
  'u',
);
/** What is valid only with the word of somebody. */
const NEEDS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:bedarf|bedürfen) (?!kein)(?:de[rs]|eine[rs]|\p{Ll}+er|\p{Ll}+en)|(?:braucht|brauchen|benötigt|benötigen) (?:(?!kein|nicht|dringend|und Zustimmung(?! (?:de[rs]|von|durch|ein\p{Ll}*) ))${WORD}){0,4}(?:Zustimmung|Genehmigung|Erlaubnis|Einwilligung|Freigabe))(?!\p{L})`,
  'u',
);
const DUTIES = [OF_WHOM, MODAL, PERMISSION, TO_DO, STATED, NEEDS];

/** What a sentence speaks of where it says what it is for: "Zweck des Vereins ist …". */
const PURPOSE =
  /^(?:(?:Der|Die|Das|Unser\p{Ll}*|Sein\p{Ll}*|Ihr\p{Ll}*) )?(?:Ziel|Zweck|Aufgabe|Grund|Sinn|Plan|Idee|Wunsch|Absicht)(?!\p{L})/u;
/** Of nobody nothing is demanded. */
const OF_NOBODY = /^(?:Niemand|Kein\p{Ll}*)(?!\p{L})/u;

/** Where a German sentence demands or forbids something. */
export interface GermanDuty {
  readonly index: number;
  /** True where the subject may be "Sie": whoever reads, or who was named before. */
  readonly addresses: boolean;
}

/** Returns where the verb of a duty or a prohibition stands in a German sentence; undefined where it states none. */
export function germanDuty(sentence: string): GermanDuty | undefined {
  for (const duty of DUTIES) {
    const found = duty.exec(sentence);
    if (found === null || (duty === TO_DO && PURPOSE.test(sentence)) || (duty === MODAL && ERRAND.test(sentence)))
      continue;
    if (duty !== OF_WHOM && OF_NOBODY.test(sentence)) continue;
    return { index: found.index, addresses: duty === MODAL && found[0].startsWith('dürfen') };
  }
  return undefined;
}
