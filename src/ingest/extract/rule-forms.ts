import { germanDuty } from './german-duties.js';

/** What follows a modal verb: an infinitive, with a small word before it ("doit toujours être", "debe siempre usarse"). */
const ADVERB =
  '(?:(?:no|nunca|siempre|también|pas|jamais|toujours|aussi|impérativement|non|mai|sempre|anche|não|também) ){0,2}';
const INFINITIVE = String.raw`(?:se |s['’]|la |le |lo |l['’]|les |en |y |o |a )?\p{Ll}*(?:[aei]r(?:se|l[aeo]s?)?|re|oir|rsi|pôr)(?!\p{L})`;
const MODAL =
  '(?:[Dd]eben?|[Dd]eberán?|debéis|doit|doivent|devra|devront|deve|devono|devem|deverá|deverão) (?!avoir été|haber|essere stat|ter sido)';
/** A modal verb that says what somebody has to do; owing is none: "doit son nom à". */
const DUTY = new RegExp(String.raw`(?<!\p{L})(?:${MODAL}${ADVERB}${INFINITIVE})`, 'u');
const BANNED =
  '(?:estricta|terminante|absoluta|strict|formelle|rigorosa|severa)?(?:mente|ement)? ?(?:prohibid[oa]s?|obligatori[oa]s?|interdite?s?|obligatoires?|exigée?s?|vietat[oaie]|obbligatori[oae]?|proibid[oa]s?|obrigatóri[oa]s?|verboten(?! (?!worden)\\p{Ll}+(?:[.!,;]|$))|untersagt|Pflicht)';
/** Before what somebody may ask or say, not demand: "s'il faut", "dice que hay que". */
const CONJUNCTION = String.raw`(?:(?:s|qu|lorsqu)['’]|(?:^|\s)(?:si|se|que|che|quand|cuando|donde|où) )`;
/** What is demanded or forbidden of whoever it concerns. */
const IMPERSONAL = new RegExp(
  String.raw`(?<!\p{L})(?:(?:está|están|es|son|queda|quedan|est|sont|è|sono|é|são|está|ist|sind) ${BANNED}|(?<!${CONJUNCTION})(?:[Hh]ay que|[Ii]l faut|[Bb]isogna)|[Nn]o se (?:permiten?|aceptan?|admiten?)|[Nn]on (?:è|sono) (?:ammess[oaie]|consentit[oaie]|permess[oaie])|(?:n['’]est|ne sont) pas (?:autorisé|admis|permis)e?s?|[Nn]ão (?:(?:é|são) permitid[oa]s?|se (?:permite|aceita|admite)m?))(?!\p{L})`,
  'u',
);
/** Of the Spanish forms that end as a statement's do ("llegas", "sabes"), those that only an instruction has. */
const SPANISH_ORDER =
  '(?:\\p{Ll}*(?<!si)gues|\\p{Ll}*ques|(?:ha|di|pon|sal|ven|trai|ten)gas|abras|subas|vayas|seas|permitas|conduzcas|rompas|dejes|' +
  'uses|olvides|cierres|laves|mezcles|compartas|añadas|borres|quites|guardes|confíes|lleves|entres|metas|escribas|cambies|aceptes|' +
  'ejecutes|instales|conectes|desconectes|sueltes|envíes|prestes|alquiles|firmes|reveles|elimines|intentes|utilices|confirmes|muevas)';
/** What looks like an infinitive of Spanish or Portuguese and is none, or begins no instruction. */
const NO_ORDER =
  '(?!(?:ayer|ser|haver|haber|ter|tener|poder|lugar|mujer|mulher|sequer|qualquer|antes|ante|después|más|menos)(?!\\p{L}))';
/** A French infinitive behind the small words that may stand before it. */
const FRENCH_INFINITIVE = String.raw`(?:(?:bien|ne|pas|jamais|rien|l[ea]|les|en|y|nous|vous|me|se) |[nls]['’]){0,4}(?!(?:votre|notre|autre|entre|contre|hier|fier|cher|premier|dernier|être|avoir)(?!\p{L}))\p{Ll}+(?:er|ir|re)(?!\p{L})`;
/** German verbs at the end that say what people or things do, not what to do with them: "Immer die gleichen Leute kommen." */
const NO_GERMAN_ORDER =
  '(?!.* (?:kommen|bekommen|fehlen|gelten|passieren|sterben|leben|haben|wollen|können|müssen|dürfen|sollen|mögen|werden|wissen)[.!]?$)';
/** "Die gleichen Leute warten" and who waits for something do not maintain it, as "die Pumpe vor dem Winter warten" does. */
const NO_MAINTENANCE = String.raw`(?!(?:.* auf .*| (?:d\p{Ll}{2}|alle|ein\p{Ll}*|kein\p{Ll}*)(?: \p{Ll}+)* \p{Lu}\p{L}+) warten[.!]?$)`;
/** How often something is to be done, or that it is not. Between a noun and a verb that ends the sentence it makes an order of them: a statement has its verb second. */
const HOW_OFTEN =
  '(?:(?:(?:halb|viertel|zwei)?jährlich|monatlich|wöchentlich|täglich|stündlich|regelmäßig|stets|immer|nie|niemals|nicht|sofort|umgehend)|' +
  'alle (?:\\p{L}+|\\d{1,6}) (?:Jahre|Monate|Wochen|Tage|Stunden|Kilometer|km)|jede[ns]? (?:Jahr|Monat|Woche|Tag|Abend|Morgen|Schicht)|' +
  '(?:\\p{Ll}+mal|\\d{1,3} ?-?[Mm]al) (?:pro|im|in der|am) \\p{Lu}\\p{Ll}+)';
const GERMAN_OBJECT =
  '(?!(?:Ich|Du|Er|Sie|Es|Wir|Ihr|Man|Manche|Viele|Einige|Wer|Was|Wie|Weil|Auch) )(?:(?:Den|Die|Das|Dem|Alle) (?:\\p{Ll}+ )*)?\\p{Lu}[\\p{L}-]+';
/** How an instruction begins, by language. */
const ORDERS: Readonly<Record<string, readonly RegExp[]>> = {
  spanish: [
    new RegExp(
      String.raw`^(?:Nunca|Jamás) ${NO_ORDER}(?:${SPANISH_ORDER}|\p{Ll}+(?:[gq]uéis|[aei]r))(?:l[aeo]s?|se)?(?!\p{L})`,
      'u',
    ),
    new RegExp(
      String.raw`^(?:No|Siempre) (?:(?:la|lo|las|los|le|les|se|os|te) )?${NO_ORDER}\p{Ll}{2,}[aei]r(?:l[aeo]s?|se)?(?!\p{L})`,
      'u',
    ),
    // What statements say of you has one of these verbs, is of the future, or ends otherwise: "No estáis".
    /^No (?:(?:la|lo|las|los|le|les|se|os|te) )?(?:(?!(?:sab|pod|ten|quer|hab|deb|hac|conoc|cre|pon|parec|\p{Ll}*r)éis)\p{Ll}{2,}éis|(?:\p{Ll}*g|abr|sub|permit|vay|se)áis)(?!\p{L})/u,
    /^Recuerd[ae]d? (?:no |siempre )?\p{Ll}+[aei]r(?:l[aeo]s?|se)?(?!\p{L})/u,
    /^(?:Prohibido|Se prohíbe|Asegúr(?:ate|ese|ense|aos) de|Evit[ae]d?|Procur[ae]d?) \p{Ll}/u,
  ],
  french: [
    /^(?:Ne |N['’])(?:(?:pas|jamais) (?:\p{Ll}+ )?\p{Ll}+(?:er|ir|re)|\p{Ll}+ez (?:pas|jamais|rien))(?!\p{L})/u,
    /^(?:Veuillez(?! (?:noter|consulter|voir|signaler|agréer|recevoir|croire|excuser)(?!\p{L}))|Pensez à|Assurez-vous|Évitez) (?:bien )?(?:de |d['’]|que |l[ea] |les )?\p{Ll}/u,
    new RegExp(`^(?:Merci (?:de |d['’])(?:bien vouloir )?|Toujours )${FRENCH_INFINITIVE}`, 'u'),
  ],
  german: [
    new RegExp(
      String.raw`^(?:Bitte|(?:Immer|Nie|Niemals)${NO_GERMAN_ORDER}${NO_MAINTENANCE}) (?:den|die|das|dem|der|alle(?= (?:\p{Ll}+en )?\p{Lu})|kein\p{Ll}*|ein\p{Ll}*|nur|zuerst|nicht) (?:.* )?\p{Ll}+(?:en|ern|eln)[.!]?$`,
      'u',
    ),
    new RegExp(
      String.raw`^${NO_GERMAN_ORDER}${GERMAN_OBJECT}(?: (?:und|oder) (?:(?:den|die|das|dem|alle) )?\p{Lu}[\p{L}-]+)? ${HOW_OFTEN} (?:\p{Ll}+ )?\p{Ll}+(?:en|ern|eln)[.!]?$`,
      'u',
    ),
  ],
  italian: [/^(?:Non|Mai) (?!essere|avere)\p{Ll}{2,}(?:are|ere|ire|rsi)(?!\p{L})/u],
  portuguese: [new RegExp(String.raw`^(?:Nunca|Não) ${NO_ORDER}\p{Ll}{2,}[aei]r(?!\p{L})`, 'u')],
};
/** What a sentence speaks of that names nobody, or whoever writes. */
const PRONOUN =
  /^(?:ils?|elles?|on|cel[au]i?|ceci|je|tu|nous|vous|él|ella|ellos|ellas|esto|eso|yo|nosotr[oa]s|er|sie|das|dies|ich|wir|es|du|man|ihr|egli|lui|lei|loro|io|noi|ele|ela|eles|elas|eu|nós)$/iu;
/** In front of the modal verb: a clause that describes or reports, not one that demands. */
const SUBORDINATE =
  /(?:^|\s)(?:(?:que|qui|che|quien(?:es)?|quem|dont|donde|où|cui|cuy[oa]s?|dass|ob|weil|wie|porque|perché|parce)(?!\p{L})|(?:qu|lorsqu|puisqu)['’])/iu;
/** In front of it: a condition, by language. Spanish "se" and Italian "si" belong to the verb, Portuguese "se" may. */
const CONDITION: Readonly<Record<string, RegExp>> = {
  spanish: /(?:^|\s)(?:si|cuando)(?!\p{L})/iu,
  french: /(?:^|\s)(?:(?:si|quand|lorsque)(?!\p{L})|s['’]ils?(?!\p{L}))/iu,
  german: /(?:^|\s)(?:wenn|falls|sobald|bevor|nachdem)(?!\p{L})/iu,
  italian: /(?:^|\s)(?:se|quando)(?!\p{L})/iu,
  portuguese: /(?:^|\s)(?:quando(?!\p{L})|se\s)/iu,
};
/** What was or is told. */
const TOLD =
  /(?<!\p{L})(?:dijo|dice|dicen|era|eran|fue|fueron|había|dit|disait|était|étaient|avait|fut|disse|erano|aveva|sagte|sagt|war|waren|hatte|hatten|wurde|wurden|eram|tinha)(?!\p{L})/u;
const LONGEST_SUBJECT = 12;

/** Returns the form of the rule that a sentence of a Spanish, French, German, Italian or Portuguese text states, if it does. */
export function ruleFormIn(sentence: string, language: string): 'imperative' | 'obligation' | undefined {
  const orders = ORDERS[language];
  if (orders === undefined || TOLD.test(sentence)) return undefined;
  if (orders.some((order) => order.test(sentence))) return 'imperative';
  const banned = IMPERSONAL.exec(sentence);
  if (banned !== null) return isCondition(clauseBefore(sentence, banned.index), language) ? undefined : 'obligation';
  const german = language === 'german' ? germanDuty(sentence) : undefined;
  const modal = language === 'german' ? german : DUTY.exec(sentence);
  if (modal === undefined || modal === null) return undefined;
  const subject = clauseBefore(sentence, modal.index);
  const words = subject.split(/\s+/u).filter((word) => word !== '').length;
  if (words > LONGEST_SUBJECT) return undefined;
  const isNamed = !PRONOUN.test(subject.replace(/\s(?:no|ne|non|não)$/u, ''));
  if (!isNamed && !(german?.addresses === true && subject === 'Sie')) return undefined;
  // A verb in front speaks to whoever reads: "Debe guardarse el efectivo".
  if (words === 0 && sentence.slice(0, modal.index).trim() !== '') return undefined;
  return SUBORDINATE.test(subject) || isCondition(subject, language) ? undefined : 'obligation';
}

/** Returns what stands between the last comma in front of a place and that place. */
function clauseBefore(sentence: string, at: number): string {
  const before = sentence.slice(0, at).trim();
  return before.slice(before.lastIndexOf(',') + 1).trim();
}

function isCondition(clause: string, language: string): boolean {
  return CONDITION[language]?.test(clause) === true;
}
