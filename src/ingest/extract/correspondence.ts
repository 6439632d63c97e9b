import type { Passage } from '../../core/model.js';
import { beginsLikeWhatsapp } from '../chats/whatsapp.js';

/** How a line begins that greets whoever a letter is for; it ends with a comma or another sign and says nothing else. */
const GREETING =
  /^(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening|day)|Sehr geehrte[rs]?|Liebe[rs]?|Hallo|Guten (?:Tag|Morgen|Abend)|Bonjour|Bonsoir|Chers?|Chères?|Madame|Monsieur|Estimad[oa]s?|Querid[oa]s?|Hola|Buen[oa]s (?:días|tardes)|Gentil[ei]|Egregi[oa]?|Car(?:[oai]|e(?= \p{Lu}[^:]*,$))|Ciao|Buongiorno|Buonasera|Prezad[oa]s?|Olá|Bom dia|Boa tarde)(?!\p{L})(?:[^.?\n]{0,100}[,:–—-]|[^.?,\n]{0,60}!)$/u;
/** The line that ends a letter, above the name of whoever wrote it. */
const CLOSING =
  /^(?:(?:(?:With )?(?:Kind|Kindest|Best|Warm|Warmest)(?: wishes| regards)?|Regards|Many thanks|Thanks|Thank you|Yours(?: \p{Ll}{1,12})?|Sincerely(?: yours)?|Cheers|All the best),?|(?:Mit )?(?:(?:freundlichen?|besten?|herzlichen?|vielen?|liebe|viele) )(?:Grüßen?|Grüssen?|Dank),?|Cordialement,?|Bien (?:cordialement|à vous),?|(?:Un )?[Ss]aludos?(?: \p{Ll}{1,12})?,?|Atentamente,?|Atenciosamente,?|Cordiali saluti,?|Distinti saluti,?)$/iu;
/** A line of the headers of a mail; a mail begins with two of them, of different names. */
const HEADER =
  /^(From|To|Cc|Sent|Date|Subject|Von|An|Gesendet|Datum|Betreff|De|À|Envoyé|Objet|Asunto|Da|Oggetto|Assunto):\s+(?!\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|h|Uhr)?$)/iu;
/** How a request begins, in the languages whose instructions are rules. */
const REQUEST = /^\s*(?:Please|Bitte|Veuillez|Merci d|Por favor)(?!\p{Ll})/u;
/** What is asked for again and again, not once. */
const GENERAL =
  /(?<!\p{L})(?:always|never|whenever|every(?:one|body)?|each|any(?:one|body)|at all times|in (?:the )?future|from now on|immer|nie|niemals|stets|jede[nrms]?|künftig|ab sofort|toujours|jamais|chaque|désormais|siempre|nunca|cada)(?!\p{L})/iu;

interface Letter {
  /** Of the passage in which it begins: a mail goes on below that heading. */
  readonly title: string;
  /** Whether a greeting began it, so that a closing line or another heading ends it. What follows that of a mail is often what it answers. */
  readonly closes: boolean;
}

/**
 * Tells requests to whoever a letter, a mail or a chat is for ("Please send them or credit us.") from what is asked of everybody: where a handbook says
 * "Please lock the door.", that is a rule. Takes the sentences of a document in order.
 */
export class Correspondence {
  private letter: Letter | undefined;
  private readonly isChat: boolean;
  private header = '';

  constructor(first: Passage | undefined) {
    this.isChat = beginsLikeWhatsapp(first?.text ?? '');
  }

  /** Begins a passage: a letter ends where another section begins, and a greeting speaks for no section below its own. */
  enter({ title }: Pick<Passage, 'title'>): void {
    const { letter } = this;
    this.header = '';
    if (letter === undefined || title === letter.title) return;
    if (letter.closes || !title.startsWith(`${letter.title} > `)) this.letter = undefined;
  }

  /** Takes the next sentence; returns whether it asks its reader for something, once. */
  isRequest(sentence: string, { title }: Pick<Passage, 'title'>): boolean {
    for (const line of sentence.split('\n')) this.takeLine(line.trim(), title);
    return (this.isChat || this.letter !== undefined) && REQUEST.test(sentence) && !GENERAL.test(sentence);
  }

  private takeLine(line: string, title: string): void {
    const header = HEADER.exec(line)?.[1]?.toLowerCase() ?? '';
    if (header !== '' && this.header !== '' && header !== this.header) this.letter = { title, closes: false };
    else if (GREETING.test(line)) this.letter ??= { title, closes: true };
    else if (this.letter?.closes === true && CLOSING.test(line)) this.letter = undefined;
    if (line !== '') this.header = header;
  }
}
