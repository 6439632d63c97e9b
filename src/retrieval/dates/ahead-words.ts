/** How one language speaks of days to come, and of the week that holds a day. Patterns match without regard to case. */
export interface AheadWords {
  readonly tomorrow: string;
  readonly nextWeek: string;
  readonly nextMonth: string;
  /** What stands before a day to mean the week that holds it. */
  readonly weekOf: string;
}

const ENGLISH: AheadWords = {
  tomorrow: 'tomorrow',
  nextWeek: '(?:next|the coming) week',
  nextMonth: '(?:next|the coming) month',
  weekOf: 'week (?:of|from|beginning|starting|commencing)(?: the)?',
};

/** Tables by language as `stem` names it; a language that is not here is read with the English one. */
const TABLES: Readonly<Record<string, AheadWords>> = {
  english: ENGLISH,
  german: {
    tomorrow: '(?<!am |jeden )morgen(?! (?:früh )?um)',
    nextWeek: '(?:nächste|kommende)[nr]? woche',
    nextMonth: '(?:nächste|kommende)[nmr] monat',
    weekOf: 'woche (?:vom|ab|von)(?: dem)?',
  },
  french: {
    tomorrow: 'demain',
    nextWeek: 'la semaine prochaine',
    nextMonth: 'le mois prochain',
    weekOf: 'semaine du',
  },
  spanish: {
    tomorrow: '(?<!(?:la|esta|por la) )mañana',
    nextWeek: '(?:la )?(?:próxima semana|semana que viene)',
    nextMonth: '(?:el )?(?:próximo mes|mes que viene)',
    weekOf: 'semana del',
  },
  italian: {
    tomorrow: 'domani',
    nextWeek: '(?:la )?(?:prossima settimana|settimana prossima)',
    nextMonth: '(?:il )?(?:prossimo mese|mese prossimo)',
    weekOf: 'settimana del',
  },
  portuguese: {
    tomorrow: 'amanhã',
    nextWeek: '(?:a )?(?:próxima semana|semana que vem)',
    nextMonth: '(?:o )?(?:próximo mês|mês que vem)',
    weekOf: 'semana de',
  },
  dutch: { tomorrow: 'morgen', nextWeek: 'volgende week', nextMonth: 'volgende maand', weekOf: 'week van' },
};

export function aheadWords(language = 'english'): AheadWords {
  return TABLES[language] ?? ENGLISH;
}
