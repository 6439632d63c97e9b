/** How one language speaks of days to come, and of the week that holds a day. Patterns match without regard to case. */
export interface AheadWords {
  readonly dayAfterTomorrow: string;
  readonly tomorrow: string;
  readonly nextWeek: string;
  readonly nextMonth: string;
  /** What stands before a day to mean the week that holds it. */
  readonly weekOf: string;
}

const ENGLISH: AheadWords = {
  dayAfterTomorrow: '(?:the )?day after tomorrow',
  tomorrow: 'tomorrow',
  nextWeek: '(?:next|the coming) week',
  nextMonth: '(?:next|the coming) month',
  weekOf: 'week (?:of|from|beginning|starting|commencing)(?: the)?',
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
  },
  french: {
    dayAfterTomorrow: 'après[- ]demain',
    tomorrow: 'demain',
    nextWeek: 'la semaine prochaine',
    nextMonth: 'le mois prochain',
    weekOf: 'semaine du',
  },
  spanish: {
    dayAfterTomorrow: 'pasado mañana',
    tomorrow: '(?<!(?:la|esta|cada|una) )mañana',
    nextWeek: '(?:la )?(?:próxima semana|semana que viene)',
    nextMonth: '(?:el )?(?:próximo mes|mes que viene)',
    weekOf: 'semana del',
  },
  italian: {
    dayAfterTomorrow: 'dopodomani',
    tomorrow: 'domani',
    nextWeek: '(?:la )?(?:prossima settimana|settimana prossima)',
    nextMonth: '(?:il )?(?:prossimo mese|mese prossimo)',
    weekOf: 'settimana del',
  },
  portuguese: {
    dayAfterTomorrow: 'depois de amanhã',
    tomorrow: 'amanhã',
    nextWeek: '(?:a )?(?:próxima semana|semana que vem)',
    nextMonth: '(?:o )?(?:próximo mês|mês que vem)',
    weekOf: 'semana de',
  },
  dutch: {
    dayAfterTomorrow: 'overmorgen',
    tomorrow: `(?<!${DUTCH_MORNING} )morgen`,
    nextWeek: 'volgende week',
    nextMonth: 'volgende maand',
    weekOf: 'week van',
  },
};

export function aheadWords(language = 'english'): AheadWords {
  return TABLES[language] ?? ENGLISH;
}
