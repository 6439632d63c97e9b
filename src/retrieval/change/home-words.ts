import { dateWords } from '../dates/date-words.js';
import { bounded } from '../dates/dates.js';
import { type Attribute, attribute, patterns } from './attribute.js';

/** What one lives in or near, and what is called nothing else. */
const DWELLINGS =
  'flat|apartment|house|city|town|village|suburbs?|countryside|coast|parents|new (?:home|place|room|studio|address)';
/** What one moves to and lives in, among what one may move to: "a new flat", and not "the sales department". */
const DWELLING =
  '(?!(?:an?|the|my|our|his|her|their|another|using) ' +
  `(?!(?:\\p{L}+ ){0,2}(?:${DWELLINGS}|home|place|room|studio)))`;

/** Programs and services that teams move to; none is known as a place. */
const PROGRAMS =
  '(?:ms|microsoft|google|apple|amazon) \\p{L}+|slack|teams|discord|mattermost|zoom|telegram|whatsapp|notion|confluence|jira|trello|asana|' +
  'linear|basecamp|airtable|clickup|todoist|obsidian|evernote|outlook|gmail|protonmail|github|gitlab|bitbucket|jenkins|figma|' +
  'postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|redis|kafka|neo4j|elasticsearch|opensearch|grafana|prometheus|datadog|' +
  'kubernetes|docker|podman|terraform|aws|azure|gcp|hetzner|heroku|vercel|netlify|cloudflare|linux|ubuntu|debian|fedora|windows|' +
  'macos|android|ios|python|typescript|javascript|kotlin|golang|react|vue|svelte|django|chrome|firefox|spotify|netflix|' +
  'shopify|wordpress|salesforce|hubspot|zendesk|stripe|paypal';

const { weekdays, months, yesterday, lastWeek, thisWeek, lastWeekend, lastMonth, thisMonth } = dateWords('english');
/** "Oslo", "Aix-en-Provence", "New York City, USA". */
const FROM = "from (?!(?:the|my|our) )(?<from>(?:\\p{L}(?:\\p{L}|['’-])*,? ){1,5}?)";
/** Where one moves to, from a place or not: an appointment moves to another day, a team to another program, and "from the lighting team" is no place. */
const TO_A_DWELLING = `(?:${FROM})?(?:back )?(?:to|into) (?!(?:tears|${PROGRAMS}|(?:${weekdays}|${months.join('|')})s?)(?!\\p{L}))${DWELLING}\\p{L}+`;
const WHEN = [
  ...[yesterday, lastWeek, thisWeek, lastWeekend, lastMonth, thisMonth, 'last year', 'this year'],
  `in (?:${months.join('|')})`,
  '(?:weeks?|months?|years?) ago',
].join('|');

/** Where one lives. */
export const HOME: Attribute = {
  ...attribute(
    [
      'lives?|living|resid\\p{L}+|home|home ?town|address|city|town|country',
      'wohn\\p{L}*|leb(?:e|st|t|en)|adresse|stadt|habit\\p{L}*|vi(?:s|t|vez|vons)|ville',
      'viv\\p{L}+|direcci(?:ó|o)n|ciudad|mor(?:o|as?|am)|endere(?:ç|c)o|cidade|abit\\p{L}+|indirizzo|citt(?:à|a)',
      'woont?|wonen|adres|stad',
    ],
    [
      `WHO (?:moved|relocated) (?:back )?${TO_A_DWELLING}`,
      '(?:bin|sind) (?:\\S+ ){1,6}(?:um)?gezogen',
      "(?:j['’]ai|nous avons) (?:\\S+ )?d(?:é|e)m(?:é|e)nag(?:é|e)",
      '(?:me|nos) (?:\\S+ )?mud(?:é|e|ado|amos|ei)|mudei-me|mudámo-nos',
      '(?:mi sono|ci siamo) trasferit[oaie]',
      '(?:ben|zijn) (?:\\S+ ){1,6}verhuisd',
    ],
    [
      'WHO (?:lives?|living|resides?) (?:in|at|on|near|with|together|here)',
      '(?:ich|wir) (?:\\S+ )?(?:wohnen?|leben?)|(?:wohnen?|leben?) (?:ich|wir)',
      "j['’]habite|nous habitons|je vis|nous vivons|viv(?:o|imos|iamo)|mor(?:o|amos)|abit(?:o|iamo)",
      '(?:ik|we|wij) (?:\\S+ )?(?:woon|wonen)|(?:woon|wonen) (?:ik|we|wij)',
    ],
  ),
  notes: {
    states: patterns(`^(?:(?:just|finally|recently|have) ){0,2}(?:moved|relocated) (?:back )?${TO_A_DWELLING}`),
    cues: bounded(`boxes|unpack\\p{L}*|landlord|landlady|neighbou?rs?|neighbou?rhood|rent|${DWELLINGS}|${WHEN}`, 'u'),
  },
};

const RENTS = 'rent|(?:kalt|warm)?miete|loyer|alquiler|renta|aluguel|renda|affitto|huur';
/** Somebody else's: "his rent is 1200 euros". */
const NOT_OF_OTHERS =
  "(?<!(?:his|her|their|your|['’]s|s['’]|seine|ihre|eure|deine|son|leur|ton|su|tu|seu|suo|zijn|haar|hun) (?:\\p{L}+ )?)";
/** "700 euros a month in" */
const SUM = '(?:[^\\s\\d]+ ){0,2}?[€$£]?\\d\\S*(?: [^\\s\\d]+){0,4}?';

/** What one pays for where one lives. */
export const RENT: Attribute = attribute(
  // Who asks what he pays for it means the same.
  [RENTS, 'pays?|paying|(?:be)?zahl(?:e|t|en)|paie|payons|pag(?:o|a|amos|hiamo)|betaal'],
  [
    `${NOT_OF_OTHERS}(?:${RENTS})(?: (?:for|of|für|de|du|del|da|do|van) (?:\\p{L}+ )?(?:${DWELLINGS}|place|room|wohnung|haus|zimmer|appartement|piso|casa|woning))?` +
      '(?: (?!(?:for|of|für|de|del|van) )[^\\s\\d]+){0,4} [€$£]?\\d[\\d.,]*',
    `WHO (?:pays?|paid|paying|(?:be)?zahl(?:e|t|en)|paie|payons|betaal|betalen) ${SUM} (?:${RENTS})`,
    `(?:zahle|zahlen) (?:ich|wir) ${SUM} (?:${RENTS})|(?:pago|pagamos|paghiamo) ${SUM} (?:${RENTS})`,
  ],
);
