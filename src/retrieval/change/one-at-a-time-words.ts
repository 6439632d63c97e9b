import { type Attribute, attribute, owned } from './attribute.js';
import { HOME, RENT } from './home-words.js';

/** What no employer is called. */
const NO_EMPLOYER =
  '(?!home|night|noon|weekends|least|last|all|once|first|it|me|us|them|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|midnight|dawn|him|her|you|on|in|up|the (?:moment|end|top|bottom)|\\d)(?:\\p{L}|\\d)+';

/** What people own and work in; "a business account" is none. */
const OWN_BUSINESS =
  '(?:practice|business|company|firm|studio|shop|agency|restaurant|bakery|caf(?:é|e))' +
  '(?=[.,;!…]|$| (?:in|on|at|with|near|of|and|called|where|that|together|since|last|this)(?!\\p{L}))';

const WORK = attribute(
  [
    'works?|working|jobs?|employ(?:er|ed)|company|for a living|profession',
    'arbeit(?:e|est|et|en|geber)?|firma|job|beruf|travail\\p{L}*|entreprise|m(?:é|e)tier|employeur|trabaj\\p{L}+|empresa|empleo',
    'trabalh\\p{L}+|emprego|lavor\\p{L}+|azienda|werkt?|werken|baan|bedrijf|werkgever',
  ],
  [
    `WHO (?:works?|working) (?:at|for|as) ${NO_EMPLOYER}`,
    `WHO (?:have|has) (?:\\p{L}+ )?worked (?:at|for|as) ${NO_EMPLOYER}`,
    `WHO (?:started|starts?|starting|begin|began) (?:work(?:ing)? |a (?:new )?job )?(?:at|as|with) ${NO_EMPLOYER}`,
    'WHO joined (?!the|an?|my|our|in)\\p{L}+',
    'WHO (?:got|found|took|have|accepted|starts?|started|landed) (?:an?|the|my) (?:\\p{L}+ ){0,2}(?:job|position|post)',
    'WHO (?:was|got) (?:hired|laid off|fired)',
    'WHO (?:quit|left|lost|changed|switched) (?:(?:my|the|his|her|our) )?(?:jobs?|company|employer)',
    'my (?:new )?(?:job|employer) is',
    `WHO (?:have|has|run|runs) (?:my|our|his|her|their) own (?:\\p{L}+ )?${OWN_BUSINESS}`,
    `WHO (?:opened|opens|founded|set up|started) (?:my|our|his|her|their|an?) (?:own )?(?:\\p{L}+ )?${OWN_BUSINESS}`,
    'WHO (?:am|is|are|became|become|went) (?:self-employed|freelanc\\p{L}+|retired(?! from (?:the|our|my|an?) ))|WHO retired(?= (?:in|last|this|from|yesterday)|[.!,]?$)',
    'WHO (?:bin|ist|sind|habe mich|hat sich) (?:\\S+ ){0,3}?(?:selbst(?:st)?(?:ä|ae)ndig|in rente|pensioniert)',
    'WHO (?:arbeite|arbeitet|arbeiten|jobbe|jobbt) (?:\\S+ ){0,2}?(?:bei|f(?:ü|ue)r|als|im|in der)',
    'arbeite(?:n)? (?:ich|wir) (?:\\S+ ){0,2}?(?:bei|f(?:ü|ue)r|als|im|in der)',
    'WHO (?:habe|hat|haben) (?:\\S+ ){0,3}?(?:bei|als) (?:\\S+ ){1,3}?(?:angefangen|angeheuert|gek(?:ü|ue)ndigt)',
    'habe ich (?:\\S+ ){0,3}?(?:bei|als) (?:\\S+ ){1,3}?(?:angefangen|angeheuert|gek(?:ü|ue)ndigt)',
    'WHO (?:fange|f(?:ä|ae)ngt|beginne|beginnt) (?:\\S+ ){0,3}?(?:bei|als)',
    'WHO (?:habe|hat) (?:\\S+ ){0,2}?(?:eine?n? )?neuen? (?:Job|Stelle|Arbeit)',
    'WHO (?:travaille|bosse) (?:chez|pour|à|au|comme|dans)',
    'WHO (?:ai |as? |avons )?(?:commenc(?:é|e)|(?:é|e)t(?:é|e) embauch(?:é|e)e?) (?:\\S+ ){0,2}?(?:chez|comme)',
    'WHO (?:ai |as? )?(?:trouv(?:é|e)|d(?:é|e)croch(?:é|e)) un (?:\\S+ )?(?:emploi|travail|poste|boulot)',
    '(?<!(?:el|mi|un|su|del|al|o|meu|um) )traba(?:jo|lho) (?:en|para|como|na|no|em)',
    'WHO traba(?:ja|lha) (?:en|para|como|na|no|em)',
    '(?:empec(?:é|e)|comec(?:ei)) (?:a traba(?:j|lh)ar )?(?:en|como|na|no|em)',
    '(?<!(?:il|mio|un|suo|del|al) )lavoro (?:alla|alle|al|in|per|come|da)',
    'ho (?:iniziato|cominciato) (?:a lavorare )?(?:alla|alle|al|in|per|come|da)',
    'WHO (?:werk|werkt|werken) (?:bij|voor|als)',
    'WHO (?:ben|heb|heeft) (?:\\S+ ){0,3}?bij (?:\\S+ ){1,3}?begonnen',
  ],
);

const VEHICLE = owned(
  [
    'cars?|vehicle|drives?|driving|auto|wagen|fahre|f(?:ä|ae)hrt|voiture|conduit|conduis|roule',
    'coche|carro|conduzco|conduce|conduzo|conduz|macchina|guida|guido|rijdt?',
  ],
  'cars?|van|suv|auto|wagen|voiture|coche|carro|macchina|vw|volkswagen|(?:s|š)koda|audi|bmw|mercedes|opel|vauxhall|ford|fiat|renault|peugeot|citro(?:ë|e)n' +
    '|dacia|toyota|honda|mazda|nissan|hyundai|kia|volvo|tesla|cupra|subaru|suzuki|mitsubishi|jeep|lexus|porsche|jaguar|chevrolet|chevy|land rover|alfa romeo',
  [
    'WHO drives? (?:an?|my|our|his|her) (?!lot|bit|long)\\p{L}+',
    'WHO (?:fahre|f(?:ä|ae)hrt|fahren) (?:\\S+ )?einen',
    'WHO (?:roule|conduis|conduit) (?:en|une?)',
    'conduzco un|conduzo um|guido una',
    'WHO rijdt? (?:in )?een',
  ],
);

const BICYCLE = owned(
  ['bikes?|bicycle|cycles?|rides?|fahrrad|rad|v(?:é|e)lo|bici(?:cleta|cletta)?|fiets'],
  'bike|bicycle|fahrrad|rad|v(?:é|e)lo|bici(?:cleta|cletta)?|fiets',
);

const PHONE = owned(
  [
    '(?:phone|mobile|smartphone)(?! numbers?)|handy|telefon|t(?:é|e)l(?:é|e)phone|portable',
    'm(?:ó|o)vil|tel(?:é|e)fono|telem(?:ó|o)vel|celular|cellulare|telefoon|mobiel',
  ],
  'phone|mobile|smartphone|handy|iphone|pixel|fairphone|samsung|galaxy|nokia|motorola|huawei|xiaomi|oneplus',
);

const BELOVED =
  'boyfriend|girlfriend|partner|husband|wife|fianc(?:é|e)e?|freund(?:in)?|partnerin|verlobter?|mann|frau|copain|copine|mari|femme|compagn\\p{L}+|conjointe?' +
  '|novi[oa]|marido|mujer|pareja|namorad[oa]|ragazz[oa]|fidanzat[oa]|marito|moglie|compagn[oa]|vriend(?:in)?';

const PARTNER = attribute(
  [`${BELOVED}|spouse|dating|married|engaged|single|together with|relationship|zusammen|verheiratet`],
  [
    `(?:my|mein|meine|mon|ma|mi|mijn|(?:il |la )?mi[oa]|(?:o |a )?(?:meu|minha)) (?:\\S+ )?(?:${BELOVED}) (?:is called|is named|hei(?:ß|ss)t|s['’]appelle|se llama|chama-se|si chiama|heet)`,
    'WHO (?:am |is |are )?(?:seeing|dating) (?!(?:an?|the|my|our) (?:\\p{L}+ )?(?:doctor|dentist|therapist|specialist)|dr|how|what|that|this|things?|it)\\p{L}+',
    'WHO (?:back )?together (?:now|since|with)',
    'WHO (?:got |get )?(?:married|engaged)',
    'WHO (?:am|is|are) (?:single(?!-| (?:parent|mum|mom|mother|dad|father|child))|an? couple(?! of)|in a relationship)',
    'WHO (?:bin|ist|sind) (?:single|ein paar|in einer beziehung)',
    'WHO (?:split up|broke up|separated|divorced)',
    '(?:left|dumped) me(?! (?:an?|the|my|some|with|alone|behind|at|in|on|to))',
    'WHO (?:bin|ist|sind) (?:\\S+ ){0,6}?(?:zusammen|verlobt|verheiratet)',
    'WHO haben uns (?:\\S+ )?getrennt',
    'hat mich verlassen|wir haben (?:\\S+ ){0,3}geheiratet',
    "m['’]a quitt(?:é|e)e?|nous sommes s(?:é|e)par(?:é|e)e?s|(?:on s['’]est|on a) (?:s(?:é|e)par(?:é|e)e?s?|rompu)",
    'WHO sor[st] avec',
    'WHO (?:suis|est|sommes) (?:\\S+ )?en couple',
    'salgo con|(?:hemos )?rompi(?:mos|do)|nos separamos|namoro com|separ(?:á|a)mo-nos|termin(?:á|a)mos',
    '(?:mi sono|ci siamo) (?:lasciat|separat|fidanzat|sposat)[oaie]|(?:sto|esco) con',
    'WHO (?:heb|heeft|hebben) (?:\\S+ ){0,3}?verkering|(?:we|wij) zijn (?:\\S+ ){0,3}?uit elkaar',
  ],
  [`(?:my|mein|meine|mon|ma|mi|mijn|mi[oa]|meu|minha) (?:${BELOVED})|crush`],
);

/** Whom one goes to or works for, one of each kind. */
const ROLE =
  'doctor|gp|dentist|physician|p(?:a|ae)?ediatrician|therapist|physio(?:therapist)?|\\p{L}{3,}ologist|hairdresser|barber|lawyer|boss|manager|landlord|landlady|coach|trainer|teacher' +
  '|\\p{L}*(?:arzt|ärztin)|friseur(?:in)?|chefin?|vermieter(?:in)?|anwalt|m(?:é|e)decin|dentiste|coiffeu(?:r|se)|patronn?e?|propri(?:é|e)taire|avocate?' +
  '|m(?:é|e)dic[oa]|dentista|peluquer[oa]|jef[ea]|caser[oa]|cabeleireir[oa]|chefe|senhori[oa]|parrucchier[ea]|cap[oa]|(?:huis|tand)arts|kapper|baas|huisbaas';

const GOES_TO = attribute(
  [ROLE],
  [
    `my (?:new )?(?<what>${ROLE}) (?:is|['’]s)`,
    `is (?:now )?my (?:new )?(?<what>${ROLE})`,
    `WHO (?:go|goes|going|went|see|sees|with|switched|changed|moved|found|got|have) (?:to |over to )?(?:an? (?:new )?(?<what>${ROLE})|(?:the |our )?(?:new )?(?:dr|doctor))`,
    `meine? (?:neue?r? )?(?<what>${ROLE}) (?:ist|hei(?:ß|ss)t)`,
    'WHO (?:gehe|geht|gehen|bin|ist|wechsle) (?:\\S+ ){0,3}?(?:zu|bei) (?:\\S+ )?(?:dr|doktor)',
    `m(?:on|a) (?:nouve(?:au|l|lle) )?(?<what>${ROLE}) (?:est|s['’]appelle)`,
    'WHO (?:vais|va|suis|vois) (?:\\S+ ){0,2}?(?:chez|par|voir)? ?(?:le |la )?(?:dr|docteure?)',
    `mi (?:nuev[oa] )?(?<what>${ROLE}) (?:es|se llama)`,
    'voy (?:\\S+ )?(?:al|a la) (?:dr|dra|doctora?)|vado (?:\\S+ )?(?:dal|dalla) (?:dott\\p{L}*)|vou (?:\\S+ )?(?:ao|à) (?:dr|dra)',
    `(?:il mio|la mia|o meu|a minha|mijn) (?:\\S+ )?(?<what>${ROLE}) (?:è|é|is|si chiama|chama-se|heet)`,
    'WHO (?:ga|gaat|zit) (?:\\S+ )?(?:naar|bij) (?:dr|dokter)',
  ],
);

const SCHOOLS =
  'school|primary|secondary|academy|kindergarten|nursery|college|university|montessori|waldorf|\\p{L}*schule|gymnasium|kita|universit(?:ä|ae)t|uni' +
  '|(?:é|e)cole|lyc(?:é|e)e|coll(?:è|e)ge|maternelle|cr(?:è|e)che|universit(?:é|e)|fac|escuela|colegio|instituto|universidad|escola|col(?:é|e)gio|universidade|scuola|liceo|asilo|universit(?:à|a)|universiteit|basisschool';

const SCHOOL = attribute(
  [SCHOOLS],
  [
    `WHO (?:go|goes|going|attends?|attending|started|starts|starting|joined|joins|moved|moves|moving|switched|changes|changed|transferred|enrolled)(?: school)? (?:to |at |in |into )?(?:the |an? )?(?:\\S+ ){0,3}?(?:${SCHOOLS})`,
    `WHO (?:geht|gehe|kommt|komme|wechselt|wechsle|besucht|besuche|studiert|studiere) (?:\\S+ ){0,3}?(?:auf|aufs|an|in|die|das)?(?: \\S+){0,2}? ?(?:${SCHOOLS})`,
    `WHO (?:va|vais|est|suis|entre|rentre|passe) (?:\\S+ )?(?:à|au|en|dans) (?:\\S+ ){0,1}?(?:l['’])?(?:${SCHOOLS})`,
    `WHO (?:va|vai|empieza|entra|estudia|estuda|frequenta) (?:\\S+ )?(?:a|al|en|no|na|para|à|ao|alla|il|la) (?:\\S+ )?(?:${SCHOOLS})`,
    `WHO (?:gaat|ga|zit) (?:\\S+ ){0,2}?(?:naar|op) (?:\\S+ ){0,2}?(?:${SCHOOLS})`,
  ],
);

const DIETS =
  'vegetarian|vegan|pescatarian|vegetarisch|vegetarier(?:in)?|veganer(?:in)?|v(?:é|e)g(?:é|e)tarien(?:ne)?|v(?:é|e)g(?:é|e)talien(?:ne)?|vegetarian[oa]|vegan[oa]|veganistisch';
const FOODS =
  'meat|fish|everything|dairy|pork|animals|fleisch|fisch|alles|viande|poisson|carne|pescado|peixe|pesce|vlees|vis';

const DIET = attribute(
  [
    `eats?|diet|${DIETS}|meat|fish|iss(?:t|e)|esse|ern(?:ä|ae)hr\\p{L}*|fleisch|fisch|mange(?:s|nt)?|r(?:é|e)gime|viande|poisson`,
    'comen?|como|dieta|carne|pescado|peixe|mangi[oa]?|pesce|eet|vlees|vis',
  ],
  [
    `WHO (?:(?:an?|been|become|became|turned|gone|went|fully|strictly|mostly) ){0,3}(?:${DIETS})`,
    `WHO (?:eats?|eating|stopped eating|started eating|gave up|given up|cut out) (?:no |only )?(?:${FOODS})`,
    `WHO (?:lebe|lebt|bin|ist|esse|isst|ern(?:ä|ae)hre|ern(?:ä|ae)hrt) (?:\\S+ ){0,3}?(?:${DIETS}|${FOODS})`,
    `WHO (?:suis|est|deviens|devient|mange) (?:\\S+ ){0,2}?(?:${DIETS}|${FOODS})`,
    `(?:soy|sou|sono|me he hecho|me hice|tornei-me|sono diventat[oa]|como|mangio) (?:\\S+ ){0,1}?(?:${DIETS}|${FOODS})`,
    `WHO (?:ben|eet) (?:\\S+ ){0,2}?(?:${DIETS}|${FOODS})`,
  ],
);

const BANK = attribute(
  ['banks?|account|konto|banque|compte|banco|cuenta|conta|banca|conto|rekening'],
  [
    'WHO bank(?:s|ing)? with|my (?:bank|account) is',
    'WHO (?:opened|have|has|got) (?:an|my|our|his|her) account (?:with|at)',
    'WHO (?:switched|changed|moved) (?:my |our )?(?:bank|banks|account|accounts|to (?:\\S+ ){0,2}bank)',
    'mein konto (?:\\S+ ){0,3}?bei|(?:habe|haben) (?:\\S+ ){0,3}?(?:ein|mein|das) konto bei|konto (?:\\S+ ){0,3}?bei (?:\\S+ ){0,3}?(?:er(?:ö|oe)ffnet|habe)',
    'WHO (?:bin|ist|sind) (?:\\S+ ){0,2}?(?:bei|zur?|zum) (?:\\S+ ){0,3}?(?:\\p{L}*bank|sparkasse)',
    "WHO (?:suis|est) (?:à|chez|pass(?:é|e)e? (?:à|chez)) (?:\\S+ )?banque|mon compte est|j['’]ai ouvert un compte",
    'mi cuenta est(?:á|a)|abr(?:í|i) una cuenta|a minha conta|abri uma conta|il mio conto|ho aperto un conto|mijn rekening|rekening geopend',
  ],
);

const GYM = attribute(
  ['gym|fitness\\p{L}*|salle de sport|gimnasio|gin(?:á|a)sio|palestra|sportschool'],
  [
    'WHO (?:go|goes|going|joined|joins|train|trains|switched|changed|moved) (?:to |at )?(?:the |an? )?(?:\\S+ ){0,3}?(?:gym|gyms)',
    'my (?:new )?gym is',
    'WHO (?:gehe|geht|trainiere|trainiert|wechsle) (?:\\S+ ){0,3}?(?:fitness\\p{L}*|gym)',
    'WHO (?:vais|va) (?:\\S+ ){0,2}?salle de sport|voy al gimnasio|vou ao gin(?:á|a)sio|vado in palestra',
  ],
);

const FAVOURITE = attribute(
  ['favou?rite|lieblings\\p{L}+|pr(?:é|e)f(?:é|e)r(?:é|e)e?|favorit[oae]|preferid[oa]|preferit[oa]|lievelings\\p{L}+'],
  [
    'my (?:new |all-time )?favou?rite (?:new )?(?<what>\\p{L}+) (?:\\S+ ){0,2}?(?:is|are)',
    "(?:is|are|['’]s) (?:\\p{L}+ )?my (?:new )?favou?rite (?<what>\\p{L}+)",
    'meine? (?:neue?r? )?lieblings(?<what>\\p{L}+) (?:ist|sind|hei(?:ß|ss)t)',
    '(?:ist|sind) (?:\\S+ )?meine? (?:neue?r? )?lieblings(?<what>\\p{L}+)',
    "m(?:on|a) (?<what>\\p{L}+) pr(?:é|e)f(?:é|e)r(?:é|e)e? (?:est|c['’]est)",
    'mi (?<what>\\p{L}+) favorit[oa] es',
    '(?:il mio|la mia) (?<what>\\p{L}+) preferit[oa] è',
    '(?:o meu|a minha) (?<what>\\p{L}+) preferid[oa] é',
    'mijn lievelings(?<what>\\p{L}+) is',
  ],
);

/** What a person has one of at a time. */
export const ONE_AT_A_TIME: readonly Attribute[] = [
  HOME,
  RENT,
  WORK,
  VEHICLE,
  BICYCLE,
  PHONE,
  PARTNER,
  GOES_TO,
  SCHOOL,
  DIET,
  BANK,
  GYM,
  FAVOURITE,
];
