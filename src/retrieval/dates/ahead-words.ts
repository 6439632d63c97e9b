/** How one language speaks of days to come, of days of the week, and of the week that holds a day. Patterns match without regard to case. */
export interface AheadWords {
  readonly dayAfterTomorrow: string;
  readonly tomorrow: string;
  readonly nextWeek: string;
  readonly nextMonth: string;
  /** What stands before a day to mean the week that holds it. */
  readonly weekOf: string;
  /** What stands before a day of the week, or behind it, to mean the last one and the next one. */
  readonly last: { readonly before?: string; readonly after?: string };
  readonly next: { readonly before?: string; readonly after?: string };
  /** What stands before a day of the week to mean each of them. */
  readonly every: string;
  /** Verbs of what is over. */
  readonly past: string;
  /** What stands before a day to mean the days before it or after it. */
  readonly limits: string;
  /** What stands behind a day to mean the days after it. */
  readonly onwards?: string;
}

const ENGLISH: AheadWords = {
  dayAfterTomorrow: '(?:the )?day after tomorrow',
  tomorrow: 'tomorrow',
  nextWeek: '(?:next|the coming) week',
  nextMonth: '(?:next|the coming) month',
  weekOf: 'week (?:of|from|beginning|starting|commencing)(?: the)?',
  last: { before: 'last|past|previous' },
  next: { before: 'next|(?:the |this )?coming' },
  every: 'every|each|any|most',
  past: 'was|were|did|had',
  limits: 'before|after|since|until|till|by|earlier than|later than',
  onwards: 'on(?:wards?)|or later',
};

/** Words before "morgen" that make it the time of a day: "guten Morgen", "gestern Morgen". */
const GERMAN_MORNING =
  '(?:am|de[mrns]|jede[nrsm]?|diese[nrsm]?|gute[nrm]?|eine[nsm]?|nächste[nrm]?|heute|(?:vor)?gestern|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)';
const DUTCH_MORNING =
  '(?:de|deze|die|elke|iedere|goede|goeie|een|volgende|(?:eer)?gisteren|(?:maan|dins|woens|donder|vrij|zater|zon)dag)';

/** Tables by language as `stem` names it; a language that is not here is read with the English one. */
const TABLES: Readonly<Record<string, AheadWords>> = {
  english: ENGLISH,
  german: {
    dayAfterTomorrow: 'übermorgen',
    tomorrow: `(?<!${GERMAN_MORNING} )morgen`,
    nextWeek: '(?:nächste|kommende)[nr]? woche',
    nextMonth: '(?:nächste|kommende)[nmr] monat',
    weekOf: 'woche (?:vom|ab|von)(?: dem)?',
    last: { before: '(?:letzt|vergangen|vorig)e[nmrs]?' },
    next: { before: '(?:nächst|kommend)e[nmrs]?' },
    every: 'jede[nmrs]?|immer',
    past: 'war(?:en)?|hatten?|wurden?|gab',
    limits: 'vor|nach|seit|bis(?: zum)?|ab|spätestens|frühestens',
    onwards: 'an(?! der| dem| den)',
  },
  french: {
    dayAfterTomorrow: 'après[- ]demain',
    tomorrow: 'demain',
    nextWeek: 'la semaine prochaine',
    nextMonth: 'le mois prochain',
    weekOf: 'semaine du',
    last: { after: 'dernier|passé' },
    next: { after: 'prochain' },
    every: 'chaque|tous les',
    past: 'était|étaient|avait|avaient|fut',
    limits: "avant|après|depuis|jusqu['’]au|jusqu['’]à|d['’]ici|à partir|à compter|dès|au plus tard",
  },
  spanish: {
    dayAfterTomorrow: 'pasado mañana',
    tomorrow: '(?<!(?:la|esta|cada|una) )mañana',
    nextWeek: '(?:la )?(?:próxima semana|semana que viene)',
    nextMonth: '(?:el )?(?:próximo mes|mes que viene)',
    weekOf: 'semana del',
    last: { before: 'pasado|último', after: 'pasado' },
    next: { before: 'próximo', after: 'que viene' },
    every: 'cada|todos los',
    past: 'fue|fueron|estaba|estaban|hubo|había|tenía',
    limits: 'antes del?|después del?|desde|hasta|a partir|a más tardar',
    onwards: 'en adelante',
  },
  italian: {
    dayAfterTomorrow: 'dopodomani',
    tomorrow: 'domani',
    nextWeek: '(?:la )?(?:prossima settimana|settimana prossima)',
    nextMonth: '(?:il )?(?:prossimo mese|mese prossimo)',
    weekOf: 'settimana del',
    last: { before: 'scors[oa]', after: 'scors[oa]' },
    next: { before: 'prossim[oa]', after: 'prossim[oa]' },
    every: 'ogni|tutti i',
    past: 'era|erano|fu|aveva|avevano',
    limits: 'prima d(?:i|ell?)|dopo|dall?|fino all?|entro|a partire|a decorrere',
    onwards: 'in poi',
  },
  portuguese: {
    dayAfterTomorrow: 'depois de amanhã',
    tomorrow: 'amanhã',
    nextWeek: '(?:a )?(?:próxima semana|semana que vem)',
    nextMonth: '(?:o )?(?:próximo mês|mês que vem)',
    weekOf: 'semana de',
    last: { before: 'últim[oa]', after: 'passad[oa]' },
    next: { before: 'próxim[oa]', after: 'que vem' },
    every: 'cada|toda|todo|todos os|todas as',
    past: 'foi|foram|era|eram|estava|houve|tinha',
    limits: 'antes d[eo]|depois d[eo]|desde|até|a partir|o mais tardar',
    onwards: 'em diante',
  },
  dutch: {
    dayAfterTomorrow: 'overmorgen',
    tomorrow: `(?<!${DUTCH_MORNING} )morgen`,
    nextWeek: 'volgende week',
    nextMonth: 'volgende maand',
    weekOf: 'week van',
    last: { before: 'vorige|afgelopen' },
    next: { before: 'volgende|komende' },
    every: 'elke|iedere',
    past: 'was|waren|had|hadden|werd|werden',
    limits: 'voor|na|sinds|tot|vanaf|uiterlijk|met ingang',
  },
};

export function aheadWords(language = 'english'): AheadWords {
  return TABLES[language] ?? ENGLISH;
}
