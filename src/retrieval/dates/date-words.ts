import { MONTHS, shortMonths } from '../../core/wording/months.js';

/** How one language speaks of a part of a month, and of the days from one to another. */
export interface RangeWords {
  /** First to fourth, and last. */
  readonly ordinals: readonly string[];
  readonly half: string;
  /** What stands between "first week" and the month, with the space after it. */
  readonly of: string;
  readonly early: string;
  readonly middle: string;
  readonly late: string;
  /** What makes a time the last day for something, and no time at which it is. */
  readonly until: string;
  readonly between: string;
  readonly and: string;
  readonly to: string;
}

/** How one language speaks of times. Patterns match without regard to case. */
export interface DateWords {
  /** January to December, in lower case. */
  readonly months: readonly string[];
  /** Monday to Sunday, as the start of a word. */
  readonly weekdays: string;
  /** Numbers from zero. */
  readonly numbers: readonly string[];
  readonly dayBeforeYesterday: string;
  readonly yesterday: string;
  readonly today: string;
  readonly lastWeek: string;
  readonly thisWeek: string;
  readonly lastWeekend: string;
  readonly lastMonth: string;
  readonly thisMonth: string;
  /** The words for days, weeks and months, as they are counted. */
  readonly units: { readonly day: string; readonly week: string; readonly month: string };
  /** Asks for a time. */
  readonly asks: string;
  /** Verbs that ask for whatever there was, or was said. */
  readonly happens: readonly string[];
  /** Other words by which a sentence says when. */
  readonly other: string;
  readonly ranges: RangeWords;
}

const list = (words: string): string[] => words.split(' ');

const ENGLISH: DateWords = {
  months: MONTHS.english,
  weekdays: '(?:mon|tues|wednes|thurs|fri|satur|sun)day',
  numbers: list('zero one two three four five six seven eight nine ten'),
  dayBeforeYesterday: 'the day before yesterday',
  yesterday: 'yesterday',
  today: 'today|this (?:morning|afternoon|evening)|tonight',
  lastWeek: '(?:last|past|previous) week',
  thisWeek: 'this week',
  lastWeekend: 'last weekend',
  lastMonth: '(?:last|past|previous) month',
  thisMonth: 'this month',
  units: { day: 'days?', week: 'weeks?', month: 'months?' },
  happens: list(
    'happen happens happened occur occurred say says said tell tells told write writes wrote written mention mentioned talk talked mentions talks decide decides decided agree agrees agreed settle settles settled announce announces announced report reports reported conclude concluded state states stated post posts posted discuss discusses discussed',
  ),
  asks: 'when|how long|(?:what|which) (?:year|month|day|date)|what time|since when',
  other: 'tomorrow|ago|recently|weekend|morning|evening',
  ranges: {
    ordinals: ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'last|final'],
    half: 'half',
    of: '(?:of|in) (?:the month of )?',
    early: 'early(?: in)?|(?:beginning|start) of',
    middle: 'mid|middle of',
    late: 'late(?: in)?|end of',
    until: 'by|until|till|before',
    between: 'between',
    and: 'and',
    to: 'to|until|till|through',
  },
};

/** Tables by language as `stem` names it; a language that is not here is read with the English one. */
const TABLES: Readonly<Record<string, DateWords>> = {
  english: ENGLISH,
  german: {
    months: MONTHS.german,
    weekdays: '(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)',
    numbers: list('null ein zwei drei vier fünf sechs sieben acht neun zehn'),
    dayBeforeYesterday: 'vorgestern',
    yesterday: 'gestern',
    today: 'heute',
    lastWeek: '(?:letzte|vergangene|vorige)n? woche',
    thisWeek: 'diese[rn]? woche',
    lastWeekend: '(?:letzte|vergangene|vorige)[sn] wochenende',
    lastMonth: '(?:letzte|vergangene|vorige)[nrm] monat',
    thisMonth: 'diese[nrm] monat',
    units: { day: 'tag(?:en)?', week: 'wochen?', month: 'monat(?:en)?' },
    happens: list(
      'geschah geschehen passiert passierte los sagt sagte sagten gesagt erzählt erzählte schrieb schreibt geschrieben erwähnt erwähnte erwähnten schrieben erzählten sagen schreiben erwähnen erzählen beschließen beschloss beschlossen beschließt entscheiden entschied entschieden entscheidet vereinbaren vereinbart vereinbarte vereinbarten berichten berichtet berichtete berichteten melden meldet meldete meldeten gemeldet ankündigen angekündigt mitgeteilt besprochen diskutiert',
    ),
    asks: 'wann|wie lange|um wie ?viel uhr|(?:in welche[mr]|welches?) (?:jahr|monat|tag|datum)|an welchem tag',
    other:
      'morgen|übermorgen|neulich|kürzlich|wochenende|abends?|letzte[nsrm]? jahr|(?:letzte[nr]?|nächste[nr]?) woche',
    ranges: {
      ordinals: [
        '(?:erste[nrms]?|1\\.)',
        '(?:zweite[nrms]?|2\\.)',
        '(?:dritte[nrms]?|3\\.)',
        '(?:vierte[nrms]?|4\\.)',
        'letzte[nrms]?',
      ],
      half: 'hälfte',
      of: '(?:(?:im|vom|des|von) (?:monats? )?)?',
      early: 'anfang|beginn',
      middle: 'mitte',
      late: 'ende',
      until: 'bis|bis zum|vor',
      between: 'zwischen',
      and: 'und',
      to: 'bis',
    },
  },
  french: {
    months: MONTHS.french,
    weekdays: '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche',
    numbers: list('zéro un deux trois quatre cinq six sept huit neuf dix'),
    dayBeforeYesterday: 'avant-hier',
    yesterday: 'hier',
    today: "aujourd['’]hui|ce matin|ce soir",
    lastWeek: 'semaine (?:dernière|passée)',
    thisWeek: 'cette semaine',
    lastWeekend: 'week-?end (?:dernier|passé)',
    lastMonth: 'mois (?:dernier|passé)',
    thisMonth: 'ce mois',
    units: { day: 'jours?', week: 'semaines?', month: 'mois' },
    happens: list(
      'passé passe arrivé arrive dit disait raconté écrit écrivait mentionné parlé décidé décide convenu annoncé annonce signalé discuté',
    ),
    asks: 'quand|combien de temps|quel(?:le)? (?:jour|mois|année|heure|date)',
    other: 'demain|récemment|week-?end|(?:an|année) (?:dernier|dernière)|il y a',
    ranges: {
      ordinals: ['première', '(?:deuxième|seconde)', 'troisième', 'quatrième', 'dernière'],
      half: 'moitié|quinzaine',
      of: "(?:de |d['’]|du mois de |du mois d['’])",
      early: 'début(?: de)?',
      middle: 'mi|milieu(?: de)?',
      late: 'fin(?: de)?',
      until: "avant|avant la|d['’]ici|jusqu['’]à|jusqu['’]à la",
      between: 'entre',
      and: 'et',
      to: "au|à|jusqu['’]au",
    },
  },
  spanish: {
    months: MONTHS.spanish,
    weekdays: '(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)',
    numbers: list('cero un dos tres cuatro cinco seis siete ocho nueve diez'),
    dayBeforeYesterday: 'anteayer|antier',
    yesterday: 'ayer',
    today: 'hoy|esta mañana|esta noche',
    lastWeek: 'semana pasada',
    thisWeek: 'esta semana',
    lastWeekend: 'fin de semana pasado',
    lastMonth: 'mes pasado',
    thisMonth: 'este mes',
    units: { day: 'días?', week: 'semanas?', month: 'mes(?:es)?' },
    happens: list(
      'pasó pasa ocurrió sucedió dijo dice dicho contó contado escribió escribe escrito mencionó habló decidió decide decidido acordó acordado anunció anunciado informó discutió',
    ),
    asks: 'cuándo|cuánto tiempo|qué (?:día|mes|año|hora|fecha)',
    other: 'mañana|recientemente|fin de semana|año pasado|hace',
    ranges: {
      ordinals: ['primera', 'segunda', 'tercera', 'cuarta', 'última'],
      half: 'mitad|quincena',
      of: 'de(?:l mes de)? ',
      early: '(?:principios|comienzos|inicios) de',
      middle: 'mediados de',
      late: '(?:finales|fines) de',
      until: 'antes de|hasta|para',
      between: 'entre',
      and: 'y',
      to: 'al?|hasta',
    },
  },
  italian: {
    months: MONTHS.italian,
    weekdays: '(?:luned|marted|mercoled|gioved|venerd)ì|sabato|domenica',
    numbers: list('zero un due tre quattro cinque sei sette otto nove dieci'),
    dayBeforeYesterday: "l['’]altro ieri|altroieri",
    yesterday: 'ieri',
    today: 'oggi|stamattina|stasera',
    lastWeek: 'settimana scorsa|scorsa settimana',
    thisWeek: 'questa settimana',
    lastWeekend: 'fine settimana scorso|scorso fine settimana',
    lastMonth: 'mese scorso|scorso mese',
    thisMonth: 'questo mese',
    units: { day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]' },
    happens: list(
      'successo succede accaduto accadde detto dice disse raccontato scritto scrive scrisse menzionato parlato deciso decise concordato annunciato annunciò riferito discusso',
    ),
    asks: 'quando|quanto tempo|(?:che|quale) (?:giorno|mese|anno|ora|data)|a che ora',
    other: 'domani|recentemente|fine settimana|anno scorso|scorso anno',
    ranges: {
      ordinals: ['prima', 'seconda', 'terza', 'quarta', 'ultima'],
      half: 'metà|quindicina',
      of: "(?:di |d['’]|del mese di )",
      early: 'inizio(?: di)?',
      middle: 'metà(?: di)?',
      late: 'fine(?: di)?',
      until: 'entro|entro la|prima di|fino a',
      between: '(?:tra|fra)',
      and: 'e',
      to: 'al|fino al',
    },
  },
  portuguese: {
    months: MONTHS.portuguese,
    weekdays: '(?:segunda|terça|quarta|quinta|sexta)-feira|sábado|domingo',
    numbers: list('zero um dois três quatro cinco seis sete oito nove dez'),
    dayBeforeYesterday: 'anteontem',
    yesterday: 'ontem',
    today: 'hoje|esta manhã|esta noite',
    lastWeek: 'semana passada',
    thisWeek: 'esta semana',
    lastWeekend: 'fim de semana passado',
    lastMonth: 'mês passado',
    thisMonth: 'este mês',
    units: { day: 'dias?', week: 'semanas?', month: 'm[eê]s(?:es)?' },
    happens: list(
      'aconteceu acontece passou disse diz dito contou escreveu escreve escrito mencionou falou decidiu decidido combinou combinado anunciou anunciado relatou discutiu',
    ),
    asks: 'quando|quanto tempo|que (?:dia|mês|ano|horas?|data)',
    other: 'amanhã|recentemente|fim de semana|ano passado',
    ranges: {
      ordinals: ['primeira', 'segunda', 'terceira', 'quarta', 'última'],
      half: 'metade|quinzena',
      of: 'd[eo] (?:mês de )?',
      early: '(?:início|começo|princípios?) de',
      middle: 'meados de',
      late: '(?:fim|final|fins|finais) de',
      until: 'até|até o|antes do',
      between: 'entre',
      and: 'e',
      to: 'ao?|até',
    },
  },
  dutch: {
    months: MONTHS.dutch,
    weekdays: '(?:maan|dins|woens|donder|vrij|zater|zon)dag',
    numbers: list('nul een twee drie vier vijf zes zeven acht negen tien'),
    dayBeforeYesterday: 'eergisteren',
    yesterday: 'gisteren',
    today: 'vandaag|vanmorgen|vanavond',
    lastWeek: '(?:vorige|afgelopen) week',
    thisWeek: 'deze week',
    lastWeekend: '(?:vorig|afgelopen) weekend',
    lastMonth: '(?:vorige|afgelopen) maand',
    thisMonth: 'deze maand',
    units: { day: 'dag(?:en)?', week: 'weken|week', month: 'maand(?:en)?' },
    happens: list(
      'gebeurde gebeurd gebeurt zei zegt gezegd vertelde verteld schreef schrijft geschreven noemde genoemd besloot besloten beslist beslissen afgesproken meldde gemeld besproken',
    ),
    asks: 'wanneer|hoe ?lang|hoe laat|welk(?:e)? (?:jaar|maand|dag|datum)',
    other: 'morgen|onlangs|weekend|geleden|vorig jaar',
    ranges: {
      ordinals: ['eerste', 'tweede', 'derde', 'vierde', 'laatste'],
      half: 'helft',
      of: '(?:van|in) ',
      early: 'begin',
      middle: 'half|medio|midden',
      late: 'einde?(?: van)?',
      until: 'tot|voor|uiterlijk',
      between: 'tussen',
      and: 'en',
      to: 'tot(?: en met)?|t/m',
    },
  },
};

/** Returns how a language speaks of times. */
export function dateWords(language = 'english'): DateWords {
  return TABLES[language] ?? ENGLISH;
}

/** Returns the months of a language, January first, as a date is written in it. */
export function monthNames(language: string): readonly string[] {
  const { months } = dateWords(language);
  return dateWords(language) === ENGLISH ? months.map((name) => name[0]!.toUpperCase() + name.slice(1)) : months;
}

/** Returns the short names of a month, 1 to 12, in a language and in English, as tables write them between slashes or dots: `Mar`, `mrt`. */
export function shortMonthNames(language: string, month: number): readonly string[] {
  const english = shortMonths('english', month).map((name) => name[0]!.toUpperCase() + name.slice(1));
  const names = dateWords(language) === ENGLISH ? [] : shortMonths(language, month);
  return [...names, ...english.filter((name) => !names.includes(name.toLowerCase()))];
}
