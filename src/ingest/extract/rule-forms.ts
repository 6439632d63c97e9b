/** What follows a modal verb: an infinitive, with a small word before it ("doit toujours être", "debe siempre usarse"). */
const ADVERB =
  '(?:(?:no|nunca|siempre|también|pas|jamais|toujours|aussi|impérativement|non|mai|sempre|anche|não|também) ){0,2}';
const INFINITIVE = String.raw`(?:se |s['’]|la |le |lo |l['’]|les |en |y |o |a )?\p{Ll}*(?:[aei]r(?:se|l[aeo]s?)?|re|oir|rsi|pôr)(?!\p{L})`;
const MODAL =
  '(?:[Dd]eben?|[Dd]eberán?|debéis|doit|doivent|devra|devront|deve|devono|devem|deverá|deverão) (?!avoir été|haber|essere stat|ter sido)';
/** A modal verb that says what somebody has to do; owing is none: "doit son nom à". */
const DUTY = new RegExp(String.raw`(?<!\p{L})(?:${MODAL}${ADVERB}${INFINITIVE})`, 'u');
/** German puts the infinitive last; a clause that ends with the modal verb is a subordinate one. */
const GERMAN_DUTY =
  /(?<!\p{L})(?:muss|müssen|(?:darf|dürfen|soll|sollen) (?:nie(?:mals)?|nicht|nur|kein\p{Ll}*)|darf (?:kein\p{Ll}*)) .{3,}/u;
const BANNED =
  '(?:estricta|terminante|absoluta|strict|formelle|rigorosa|severa)?(?:mente|ement)? ?(?:prohibid[oa]s?|obligatori[oa]s?|interdite?s?|obligatoires?|exigée?s?|vietat[oaie]|obbligatori[oae]?|proibid[oa]s?|obrigatóri[oa]s?|verboten|untersagt|Pflicht)';
/** Before what somebody may ask or say, not demand: "s'il faut", "dice que hay que". */
const CONJUNCTION = String.raw`(?:(?:s|qu|lorsqu)['’]|(?:^|\s)(?:si|se|que|che|quand|cuando|donde|où) )`;
/** What is demanded or forbidden of whoever it concerns. */
const IMPERSONAL = new RegExp(
  String.raw`(?<!\p{L})(?:(?:está|están|es|son|queda|quedan|est|sont|è|sono|é|são|está|ist|sind) ${BANNED}|(?<!${CONJUNCTION})(?:[Hh]ay que|[Ii]l faut|[Bb]isogna)|no se (?:permiten?|aceptan?|admiten?))(?!\p{L})`,
  'u',
);
/** How an instruction begins. */
const ORDERS: readonly RegExp[] = [
  /^(?:Nunca|Jamás) (?!antes|ante|después|más|menos)\p{Ll}+(?:[ae]s|[áé]is|[aei]r)(?:l[aeo]s?|se)?(?!\p{L})/u,
  /^(?:No|Siempre) (?:(?:la|lo|las|los|le|les|se|os|te) )?(?!ayer|ser|haber|tener|poder|lugar)\p{Ll}{2,}(?:[áé]is|[aei]r(?:l[aeo]s?|se)?)(?!\p{L})/u,
  /^(?:Prohibido|Se prohíbe|Asegúr(?:ate|ese|ense|aos) de|Recuerd[ae]d?|Evit[ae]d?|Procur[ae]d?) \p{Ll}/u,
  /^(?:Ne |N['’])(?:(?:pas|jamais) (?:\p{Ll}+ )?\p{Ll}+(?:er|ir|re)|\p{Ll}+ez (?:pas|jamais|rien))(?!\p{L})/u,
  /^(?:Veuillez(?! (?:noter|consulter|voir|signaler)(?!\p{L}))|Merci de|Pensez à|Assurez-vous|Évitez|Toujours) (?:bien )?(?:de |d['’]|que |l[ea] |les )?\p{Ll}/u,
  /^(?:Immer|Nie|Niemals|Bitte) (?:den|die|das|dem|der|alle|kein\p{Ll}*|ein\p{Ll}*|nur|zuerst|nicht) .*\p{Ll}(?:en|ern|eln)[.!]?$/u,
  /^(?:Non|Mai) (?!essere|avere)\p{Ll}{2,}(?:are|ere|ire|rsi)(?!\p{L})/u,
  /^(?:Nunca|Não) (?!ser|haver|ter)\p{Ll}{2,}(?:ar|er|ir)(?!\p{L})/u,
];
/** What a sentence speaks of that names nobody. */
const PRONOUN =
  /^(?:ils?|elles?|on|cel[au]i?|ceci|él|ella|ellos|ellas|esto|eso|er|sie|das|dies|egli|lui|lei|loro|ele|ela|eles|elas)$/iu;
/** In front of the modal verb: a clause that describes or reports, not one that demands. */
const SUBORDINATE =
  /(?:^|\s)(?:(?:que|qui|che|quien(?:es)?|quem|dont|donde|où|cui|cuy[oa]s?|dass|ob|weil|wie|porque|perché|parce)(?!\p{L})|(?:qu|lorsqu|puisqu)['’])/iu;
/** What was or is told. */
const TOLD =
  /(?<!\p{L})(?:dijo|dice|dicen|era|eran|fue|fueron|había|dit|disait|était|étaient|avait|fut|disse|erano|aveva|sagte|sagt|war|waren|hatte|hatten|wurde|wurden|eram|tinha)(?!\p{L})/u;
const LONGEST_SUBJECT = 12;

/** Returns the form of the rule that a sentence of Spanish, French, German, Italian or Portuguese states, if it does. */
export function ruleFormIn(sentence: string): 'imperative' | 'obligation' | undefined {
  if (TOLD.test(sentence)) return undefined;
  if (ORDERS.some((order) => order.test(sentence))) return 'imperative';
  if (IMPERSONAL.test(sentence)) return 'obligation';
  const modal = DUTY.exec(sentence) ?? GERMAN_DUTY.exec(sentence);
  if (modal === null) return undefined;
  const before = sentence.slice(0, modal.index).trim();
  const subject = before.slice(before.lastIndexOf(',') + 1).trim();
  const words = subject.split(/\s+/u).filter((word) => word !== '').length;
  if (words > LONGEST_SUBJECT || PRONOUN.test(subject.replace(/\s(?:no|ne|non|não)$/u, ''))) return undefined;
  // A verb in front speaks to whoever reads: "Debe guardarse el efectivo".
  if (words === 0 && before !== '') return undefined;
  return SUBORDINATE.test(subject) ? undefined : 'obligation';
}
