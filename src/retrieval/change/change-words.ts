import { dateWords } from '../dates/date-words.js';
import { bounded } from '../dates/dates.js';

/** How languages say that something is no longer as it was. Patterns match without regard to case. */
function words(...patterns: string[]): RegExp {
  return bounded(patterns.join('|'), 'iu');
}

const { weekdays, months } = dateWords('english');

/** Verbs of change. Turns of conversations and documents say them. */
const CHANGE_VERBS = [
  'takes? over|took over|taken over|hand(?:s|ed) (?:\\S+ ){0,3}over|step(?:s|ped) down|resign(?:s|ed)|retired|rais(?:ed|es)|increas(?:ed|es)',
  'lower(?:ed|s)|reduc(?:ed|es)|extend(?:ed|s)|shorten(?:ed|s)|brought forward|put back|pushed back|dropped|reinstated|abolish(?:ed|es)|withdrawn|renamed|merged',
  'relocat(?:ed|es)|goes up|go up|went up|goes down|went down|shift(?:ed|s)|reset|rebooked|called off|(?:is|are) off(?! (?:to|on|the|work|sick))|(?:gave|given) (?:\\S+ ){1,2}up',
  '(?:ü|ue)bernimmt|(?:ü|ue)bernommen|zur(?:ü|ue)ckgetreten|tritt (?:\\S+ ){0,4}zur(?:ü|ue)ck|erh(?:ö|oe)h(?:t|en)|gesenkt|angehoben|herabgesetzt|reduziert',
  'verlegt|verl(?:ä|ae)ngert|verk(?:ü|ue)rzt|vorgezogen|aufgehoben|abgeschafft|gestrichen|ersetzt|abgel(?:ö|oe)st|l(?:ö|oe)st (?:\\S+ ){1,4}ab|wieder eingef(?:ü|ue)hrt|umbenannt|angepasst',
  'augment(?:é|e)\\p{L}*|baiss(?:é|e)\\p{L}*|d(?:é|e)cal(?:é|e)e?s?|prolong(?:é|e)e?s?|sub(?:ió|ieron|iu)|baj(?:ó|aron)|aplazad[oa]|adiad[oa]|aumentat[oa]|(?:è|sono) aumentat[oaie]|rinviat[oa]',
];

/**
 * What is new by its article or owner, and written small: "the new one" is a name in many a text ("Art Nouveau", "El Nuevo Herald", "a Nova Scotia sheep").
 */
const IS_NEW = bounded(
  [
    '(?:[Mm](?:on|a|es)|[Nn]o(?:tre|s)|[Ss](?:on|a|es)|[Ll](?:eurs?|e|a|es)|[Uu]ne?) nouve(?:au|l|lle)[sx]?',
    '(?:[Mm]is?|[Nn]uestr[oa]s?|[Ss]us?|[Ee]l|[Ll](?:a|os|as)|[Uu]na?) nuev[oa]s?',
    '(?:[Mm](?:eus?|inhas?)|[Nn]oss[oa]s?|[Ss](?:eus?|uas?)|[Oo]s?|[Aa]s?|[Uu]ma?) nov[oa]s?',
    '(?:[Mm]i[oa]|[Nn]ostr[oa]|[Ss]u[oa]|[Ii]l?|[Ll][ae]|[Uu]na?) nuov[oaie]',
    '(?:[Mm]ijn|[Oo]nze?|[Zz]ijn|[Hh](?:aar|un|et)|[Dd]e|[Ee]en) nieuwe?',
  ].join('|'),
  'u',
);

/** Says that something changes. All languages together: a turn is too short to tell its own. */
const CHANGES = words(
  // English
  'chang(?:ed|es|ing)|moved|moves|(?:i|we|they|he|she) (?:now )?move|instead|any ?more|no longer|stopped|quit|gave up',
  'switched|replaced|cancell?ed|postponed|resched\\p{L}+|until now|again since|turned out|now (?:is|are)',
  '(?:i|we|they) now \\p{L}+|(?<=\\p{L} )now (?!this|his|its|is|as|does|perhaps|always|sometimes)\\p{L}{2,}s',
  ...CHANGE_VERBS,
  'new (?:phone |mobile |e-?mail |wi-?fi )?(?:number|address|password|code|pin)',
  "(?:is|are|am|['’]s|['’]re|['’]m) now|only (?:\\S+ ){1,4}now|new \\p{L}+ (?:is|are)",
  '(?:my|our|his|her|their) new|(?:have|has|got) an? new',
  '(?<!till )(?<!until )in the end(?! of)|(?:after all|actually),? (?:it|we|they|the|let)',
  `from (?:now|next|tomorrow|${weekdays}|${months.join('|')})`,
  // German
  'jetzt|neue?[rsnm]?|statt(?:dessen)?|nicht mehr|seit|inzwischen|verschoben|ge(?:ä|ae)ndert|umgezogen|abgesagt|doch (?:erst|schon|lieber|nicht|um|am|im)|schlie(?:ß|ss)lich|letztlich|ab (?:jetzt|sofort|n(?:ä|ae)chste\\p{L}*)',
  // French
  'maintenant|d(?:é|e)sormais|(?:à|a) la place|au lieu|chang(?:é|ée|és|ées)|d(?:é|e)m(?:é|e)nag(?:é|e)e?s?|report(?:é|e)e?s?|annul(?:é|e)e?s?|depuis',
  'finalement|en fin de compte|dor(?:é|e)navant|avanc(?:é|ée|és|ées)|repouss(?:é|ée|és|ées)|d(?:é|e)plac(?:é|ée|és|ées)|remplac(?:é|ée|és|ées)|transf(?:é|e)r(?:é|ée|és|ées)',
  `n(?:e |['’])(?:\\S+ ){1,2}plus(?! (?:de|que|tard|t(?:ô|o)t))|passe(?:nt|ra|ront)? (?:de (?:\\S+ ){1,4})?(?:à|a|au) \\d+`,
  // Spanish and Portuguese
  'ahora|ya no|en (?:lugar|vez) de|cambi(?:ó|o|é|e|ado)|desde|agora|já não|em vez|mud(?:ou|ei|ado|é|ó)|cancelad[oa]',
  'al final(?! del?)|finalmente|de ahora en adelante|retrasad[oa]|adelantad[oa]|trasladad[oa]|sustituid[oa]|suspendid[oa]|anulad[oa]|(?:ha|han) (?:subido|bajado)',
  `afinal|passou a|antecipad[oa]|transferid[oa]|substituíd[oa]|pasa(?:n|rá|rán)? a (?:ser|costar|las|los|\\d+)`,
  // Italian
  'adesso|ora (?:è|sono|si)|non (?:\\S+ ){1,2}più|invece|cambiat[oaie]|spostat[oaie]|annullat[oaie]|trasferit[oaie]',
  'ora (?:costa|costano|apre|aprono|chiude|chiudono|abit[oa]|abitiamo|viv[oe]|viviamo|lavor[oa]|serve|parte|inizia|ha|ho|hanno|abbiamo)',
  `alla fine(?! d(?:i|el\\p{L}*)(?!\\p{L}))|d['’]ora in poi|anticipat[oaie]|posticipat[oaie]|rimandat[oaie]|sostituit[oaie]|passa(?:no)? (?:al?|alle|da) (?:\\S+ )?\\d+`,
  // Dutch
  'nu|voortaan|niet meer|in plaats|sinds|veranderd|gewijzigd|verhuisd|verzet|afgezegd',
  `uiteindelijk|verplaatst|vervroegd|uitgesteld|vervangen|vanaf (?:nu|morgen)`,
);

/** What documents say besides: minutes, reports and circulars tell of others. */
const DOCUMENT_CHANGES = words(
  'succeed(?:s|ed)|elected|appointed|becomes?|supersed(?:ed|es)|amended|revised|adjusted|correct(?:ed|s)|as of|as from|with effect from|effective',
  `(?:from|since|until) (?:\\p{L}+ ){0,2}(?:19|20)\\d{2}(?: on(?:wards?)?)?|from (?:\\S+ ){1,4}on(?:wards?)?|(?:is|are|was|were) (?:\\S+ )?(?:set|fixed|agreed) (?:at|to|on)|in place of|rather than|had been|in future|now|lifted|headed by|taken by|in the hands of|is back|with immediate effect|new|from (?:\\d{1,2} )?(?:${months.join('|')})|since (?:\\d{1,2} )?(?:${months.join('|')})|until further notice|cut (?:to|by|from)|switch(?:es|ing)|mov(?:es|ing)`,
  'gew(?:ä|ae)hlt|ernannt|korrigiert|berichtigt|nun|neue?[rsnm]?|folgt|freigegeben|richtig (?:ist|sind)|nachfolger(?:in)?|k(?:ü|ue)nftig|fortan|nunmehr|ab (?:dem )?(?:\\d|januar|februar|m(?:ä|ae)rz|april|mai|juni|juli|august|september|oktober|november|dezember|(?:19|20)\\d{2})|anstelle|anstatt|(?:findet|finden) (?:\\S+ ){0,3}(?:nun|jetzt)|steig(?:t|en)|sink(?:t|en)|wechselt?',
  "(?:é|e)lue?s?|nomm(?:é|ée|és|ées)|succ(?:è|e)de|remplace(?:nt)?|à (?:compter|partir) d(?:u|e|es)|en vigueur|modifi(?:é|ée|és|ées)|r(?:é|e)vis(?:é|ée|és|ées)|rectifi(?:é|ée|és|ées)|fix(?:é|ée|és|ées) (?:à|au)|port(?:é|ée|és|ées) à|jusqu['’]à nouvel ordre|en remplacement|abrog(?:é|ée|és|ées)",
  'elegid[oa]s?|nombrad[oa]s?|sucede a|sustituye|reemplaza|a partir del?|entra(?:rá)? en vigor|modificad[oa]s?|corregid[oa]s?|(?:se fija|fijad[oa]s?) en|sube(?:n)? a|baja(?:n)? a|hasta nuevo aviso|deja(?:n|ron)? de',
  'elett[oaie]|nominat[oai]|succede a|subentra|sostituisce|a (?:partire|decorrere) da\\p{L}*|dal (?:\\d{1,2} \\p{L}{3,10}bre|\\d{1,2} (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto)|(?:19|20)\\d{2})|in vigore|modificat[oai]|corrett[oaie]|fissat[oaie] (?:al?|alle|in|per)|(?:sale|scende) a(?:l|lle)? \\d+|al posto d(?:i|el\\p{L}*)|fino a nuovo avviso',
  'eleit[oa]s?|nomead[oa]s?|substitui|a partir d[eoa]|entra em vigor|alterad[oa]s?|corrigid[oa]s?|fixad[oa]s? em|sobe para|desce para|até novo aviso',
  'gekozen|benoemd|opgevolgd|vervangt|met ingang van|in werking|aangepast|herzien|gecorrigeerd|vastgesteld op|stijgt|daalt|tot nader order|in de plaats',
);

/** Says that something may be, or was decided not to be. */
const PROPOSES = words(
  'propos(?:ed|es|al|als)|suggest(?:ed|s|ion|ions)|would|could|might|reject(?:ed|s)|voted (?:against|down)|turned down|not (?:approved|accepted|adopted|agreed|changed?|moved|raised)|discuss(?:ed|es)|consider(?:ed|s|ing)|idea|whether|asked (?:for|to)|request(?:ed|s)?|declined|no majority|put forward|would like|motion',
  'vorgeschlagen|vorschlag|schl(?:ä|ae)gt (?:\\S+ ){0,4}vor|w(?:ü|ue)rden?|k(?:ö|oe)nnten?|abgelehnt|verworfen|diskutiert|(?:ü|ue)berlegt|erwogen|idee|ob|angeregt|beantragt|antrag|keine mehrheit|verfehlte|wunsch|fragt|erfolglos|fordert|zur(?:ü|ue)ckgestellt|vertagt',
  "propose (?:de|d['’]\\p{L}+|que|à|une?|le|la|les|des)|propos(?:é|ée|és|ées|ent)|sugg(?:è|é)r\\p{L}+|(?:pour|dev|voud)rai(?:t|ent|ons)|souhait(?:e|ent|erait)|rejet(?:é|ée|és|ées|te|tent)|refus(?:é|ée|és|ées|ent)|discut(?:é|ée|és|ées|ent)|envisag(?:é|ée|e|ent)|demand(?:e|é|ent) (?:que|de|à)|ajourn(?:é|ée|és|ées)|pas de majorité|idée",
  'prop(?:one|onen|uso|usieron|uest[oa]s?)|sugiri(?:ó|eron)|sugerencia|sugiere|podr[ií]an?|deber[ií]an?|rechaz(?:a|an|ó|aron|ad[oa]s?)|discuti(?:ó|eron|d[oa]s?)|debati(?:ó|eron|d[oa]s?)|pid(?:e|en|ió) (?:que|un|una|el|la)|sin mayoría|gustar[ií]a',
  'propon(?:e|gono)|propost[oaie]|sugger(?:isce|ito|ita)|potrebber?o?|dovrebber?o?|vorrebber?o?|respint[oaie]|respinge|bocciat[oaie]|rifiutat[oaie]|discuss[oaie]|chied(?:e|ono) (?:di|che|un|una)|mozione',
  'prop(?:ôs|õe|osto|ostas?)|sugeri(?:u|ram)|sugestão|poderiam?|deveriam?|rejeit(?:a|ou|ad[oa]s?)|recus(?:a|ou|ad[oa]s?)|discuti(?:u|ram|d[oa]s?)|ideia|pediu (?:que|um|uma)|moção',
  'voorgesteld|voorstel|stelt (?:\\S+ ){0,4}voor|zou(?:den)? (?:\\S+ ){0,6}(?:kunnen|moeten|willen|worden|zijn)|afgewezen|besproken|overwogen|verzoek|vraagt|motie|geen meerderheid',
);

/** Asks for a number. */
const AMOUNT = words(
  'how (?:much|many|long|often|fast|high|big|old|far|large)|pric(?:e|es)|costs?|fees?|charges?|pay|budget|limit|maximum|minimum|rate|deposit|salary|number of',
  'wie (?:viele?|hoch|lange|oft|schnell|gro(?:ß|ss)|alt|weit)|preis|kostet|kosten|beitrag|geb(?:ü|ue)hr|budget|zahlt?|zahlen|kaution|h(?:ö|oe)chst\\p{L}*|miete',
  '(?:le|quel|à quel) prix|combien|co(?:û|u)te(?:nt)?|tarif|montant|cotisation|loyer|quelle (?:heure|durée|taille)|quel âge',
  'cu(?:á|a)nt[oa]s?|precios?|cuestan?|importe|tarifa|cuota|alquiler|qu(?:é|e) hora|quant[oaie]|prezz[oi]|tariff[ae]|importo|canone|affitto|che ora',
  'quant[oa]s|preços?|custam?|aluguel|aluguer|mensalidade|que horas|hoe(?:veel| (?:veel|lang|hoog|laat|oud|ver|groot|vaak))|prijs|kosten|huur|bijdrage|contributie',
);

/** Takes back what was said, moments ago too. */
const CORRECTS = words(
  "correction|scratch that|i meant|my mistake|i was wrong|i misspoke|that['’]s wrong|no wait|sorry,? (?:it|that|the|he|she|we|i|not)",
  'korrektur|ich meinte|mein fehler|falsch gesagt|je voulais dire|je me suis tromp(?:é|e)e?|correc(?:ción|ção|cion|cao)|quise decir|quis dizer',
  'correzione|volevo dire|mi sono sbagliat[oa]|correctie|ik bedoelde|foutje',
);

/** A statement of the speaker about the speaker. */
const OWN = words(
  "i|i['’](?:m|ve|ll|d)|my|me|ich|mein\\p{L}*|mir|mich|je|j['’]\\p{L}+|mon|mes|yo|mis|eu|meus?|minhas?|ik|mijn|mij|io|mio|mia",
);

/**
 * Words that make a question ask for something else than how things are now: for the past, for what was said or thought, for
 * reasons and ways.
 */
const NOT_NOW: Readonly<Record<string, RegExp>> = {
  english: words(
    'was|were|did|had|before|first|original(?:ly)?|used to|previous(?:ly)?|earlier|(?<!how )old|former(?:ly)?|last(?! names?)|why',
    'how(?! (?:much|many|often|old|long|far|big|tall|high))',
    '(?:say|tell|mention|suggest|recommend|describe|think|feel|remember)s?',
    'do(?:es)? (?!i |we |you )\\p{L}+ (?:\\p{L}+ )?(?:view|consider|find|call)',
  ),
  german: words(
    'war(?:en|st)?|hatten?|wurden?|fr(?:ü|ue)her|vorher|zuerst|urspr(?:ü|ue)nglich|damals|ehemals|letzte[nrsm]?|warum|wieso|weshalb',
    'wie(?! (?:viele?|oft|alt|lange?|weit|gro(?:ß|ss)|hoch|hei(?:ß|ss)t|hei(?:ß|ss)en|lautet))',
    '(?:musst|wusst|reist|passt)(?:e|en|est)|lag|ging|kam|fand|stand|gab|schlug|empfahl|sagt|meint|denkt|findet|erwähnt|empfiehlt',
  ),
  french: words(
    "(?:é|e)tai(?:t|ent|s)|avai(?:t|ent|s)|fut|avant|d['’]abord|ancien(?:ne)?s?|au d(?:é|e)but|derni(?:er|(?:è|e)re)s?|pourquoi|comment",
    '(?:a|ont|as) \\p{L}+(?:é|i|u)e?s?|dit|pense|recommande|mentionne',
  ),
  spanish: words(
    '(?:é|e)ra[ns]?|fue(?:ron)?|hab(?:í|i)a[ns]?|ten(?:í|i)a[ns]?|viv(?:í|i)a[ns]?|antes|primero|anterior|al principio|(?:ú|u)ltim[oa]|por qu(?:é|e)',
    'c(?:ó|o)mo|dice|piensa|opina|recomienda|menciona',
  ),
  italian: words(
    'era(?:no)?|fu|aveva(?:no)?|viveva(?:no)?|abitava(?:no)?|prima|precedente|ultim[oa]|perch(?:é|e)|come|dice|pensa|consiglia',
  ),
  portuguese: words(
    'era[m]?|foi|foram|tinha[m]?|morava[m]?|vivia[m]?|antes|primeiro|anterior|(?:ú|u)ltim[oa]|por ?qu(?:ê|e)|como|diz|pensa|acha|recomenda',
  ),
  dutch: words(
    'was|waren|had(?:den)?|woonde[n]?|vroeger|eerst|eerder|oorspronkelijk|vorige?|laatste?|waarom|zegt|denkt|vindt|raadt',
  ),
};

/** What ends like a weak verb in the past and is none: verbs and adjectives of the present. */
const PRESENT_OF_GERMAN =
  '(?:(?:be|ver|er|ent)?(?:arbeit|kost|leist|wart|halt|rat|biet|deut|leit|miet|antwort|gelt|tret|bet|reit|acht)' +
  '|m(?:ö|oe)cht|k(?:ö|oe)nnt|h(?:ä|ae)tt|d(?:ü|ue)rft|sollt|heut|bitt|unt|hint|mitt|selt|zweit|dritt|viert' +
  '|gut|alt|kalt|hart|weit|breit|recht|leicht|schlecht|echt|rot|nett|laut|sp(?:ä|ae)t|wert|\\p{Ll}{0,40}st)';

/**
 * A weak verb of German in the past: "wohnte", "sagten". Written small: names of things end like that too ("Miete", "Garten").
 */
const PAST_OF_GERMAN = bounded(`(?!${PRESENT_OF_GERMAN}(?:e|en|est)(?!\\p{L}))\\p{Ll}{2,40}t(?:e|en|est)`, 'u');

/** Tells versions of one thing apart, and no two things. */
const VERSIONS = words(
  'new(?:er|est)?|old(?:er|est)?|current|latest|next|last|updated?|correct(?:ion)?|change|right|actual|final|real|same|other|only',
  'neue?[rsnm]?|alte?[rsnm]?|aktuelle?[rsnm]?|korrektur|(?:ä|ae)nderung|n(?:ä|ae)chste[rsnm]?|richtige[rsnm]?|gleiche[rsnm]?|andere[rsnm]?',
  'nouve(?:l|au|lle)s?|anciens?|ancienne|actuel(?:le)?|prochaine?|autre|nuev[oa]|viej[oa]|actual|pr(?:ó|o)xim[oa]|otr[oa]',
  'nuov[oa]|vecchi[oa]|attuale|prossim[oa]|altr[oa]|nov[oa]|velh[oa]|atual|outr[oa]|nieuwe?|oude?|huidige?|volgende|andere',
);

/** Returns whether a turn says that something changes. */
export function saysChange(text: string): boolean {
  return CHANGES.test(text) || IS_NEW.test(text) || CORRECTS.test(text);
}

/** Returns whether a sentence of a document says that something changes. */
export function saysDocumentChange(text: string): boolean {
  return saysChange(text) || DOCUMENT_CHANGES.test(text);
}

/** Returns whether a question asks for a number: a price, a limit, a count. */
export function asksAmount(question: string): boolean {
  return AMOUNT.test(question);
}

/** Returns whether a sentence proposes a change, or says that it was rejected or that all stays. */
export function proposes(text: string): boolean {
  return PROPOSES.test(text);
}

/** Returns whether a turn takes back what was said. */
export function corrects(text: string): boolean {
  return CORRECTS.test(text);
}

/** Returns whether a turn is a statement of its speaker about the speaker. */
export function isOwn(text: string): boolean {
  return OWN.test(text);
}

/** Returns whether a question asks how things are now. `language`: as `languageOf` names it. */
export function asksNow(question: string, language = 'english'): boolean {
  if ((NOT_NOW[language] ?? NOT_NOW.english!).test(question)) return false;
  return language !== 'german' || !PAST_OF_GERMAN.test(question.slice(0, 1).toLowerCase() + question.slice(1));
}

/** Returns whether a question that documents answer asks how things are now: for ways too, which documents lay down. */
export function asksNowOfDocuments(question: string, language?: string): boolean {
  return asksNow(
    question.replace(
      /(?<!\p{L})(?:how|wie|comment|c[oó]mo|come|como|hoe)(?! (?:do|does|did|can|could|is|are|should|will|would|have|has|must|may|to|we|i|you|kann|k(?:ö|oe)nnen|muss|soll|ist|sind|wird|geht|komm|ich|wir)(?!\p{L}))(?!\p{L})/giu,
      '',
    ),
    language,
  );
}

/** Returns whether a word says which version of a thing is meant. */
export function isVersion(word: string): boolean {
  return VERSIONS.test(word);
}
