import { fold } from './fold.js';

/** Small words inside names, in the languages that have them: "Bank of England", "Vincent van Gogh", "Rio de Janeiro". */
export const CONNECTORS: ReadonlySet<string> = new Set(
  (
    'of the de von van der den ter ten del della delle di da do dos das du des la le les los las el al bin ibn ben bat ' +
    'y e i et und zu zum zur am an upon af av och og ap ab'
  ).split(' '),
);

/** Months and weekdays, as English writes them: never an entity on their own. */
export const CALENDAR: ReadonlySet<string> = new Set(
  (
    'january february march april may june july august september october november december jan feb mar apr jun jul aug ' +
    'sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri ' +
    'sat sun bc ad bce ce'
  ).split(' '),
);

/** Those of languages that write them with a capital or may begin a line with one. Those that are names too are left out. */
const CALENDARS: Readonly<Record<string, string>> = {
  german:
    'januar februar marz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag',
  dutch: 'januari februari maart augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  spanish: 'enero febrero septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado',
  french:
    'janvier fevrier juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche',
  italian: 'gennaio febbraio luglio settembre ottobre dicembre lunedi martedi mercoledi giovedi venerdi',
  portuguese: 'janeiro fevereiro setembro outubro dezembro',
};

const calendars = new Map<string | undefined, ReadonlySet<string>>();

/** Returns the months and weekdays in English and in the language of a text; in all languages where that is not told. */
export function calendarOf(language: string | undefined): ReadonlySet<string> {
  const known = calendars.get(language);
  if (known !== undefined) return known;
  const lists = language === undefined ? Object.values(CALENDARS) : [CALENDARS[language] ?? ''];
  const words = new Set([...CALENDAR, ...lists.flatMap((list) => list.split(' '))]);
  calendars.set(language, words);
  return words;
}

/** After the first word of a sentence these show that it is a verb or an adverb, not a name: "Restart the service". */
export const AFTER_NO_NAME: ReadonlySet<string> = new Set(
  (
    'the a an all any each every no some this that these those its his her their our your my it them him us me you i we ' +
    'he she they there on by with to from at as into if when where how whether until unless only not for in upon'
  ).split(' '),
);

/** The same in languages that write nouns and verbs small: articles, prepositions and who acts. */
const AFTER_NO_NAME_IN: Readonly<Record<string, string>> = {
  french:
    'le la les un une des du de au aux a en dans sur sous chez par pour avec sans vers ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs que si comme ou quand je tu il elle on ils elles',
  spanish:
    'el la los las lo un una unos unas de del a al en por para con sin sobre entre hasta desde mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta estos estas ese esa esos esas que si como cuando donde yo ella nosotros ellos ellas usted ustedes',
  italian:
    'il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello nella nei negli nelle con su sul sullo sulla sui sugli sulle per tra fra mio mia miei mie tuo tua suo sua questo questa questi queste quello quella che se come quando dove io lui lei noi voi loro',
  portuguese:
    'o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem sobre entre ate meu minha seu sua nosso nossa este esta esse essa que se como quando onde eu ele ela eles elas voce',
  dutch:
    'de het een van in op aan bij met naar voor door uit over onder om tot mijn jouw haar ons onze dit dat deze die ik je jij hij zij ze wij we jullie als dat',
};
/** Words without their vowel before what they belong to, in front of which stands no name: "Parfait, j'apporte le café". Others stand before a verb: "Paul n'a pas …". */
const ELIDED_ARTICLE = /^(?:d|l|j|qu|un|all|dall|dell|nell|sull)'/u;

const afterNoName = new Map<string, ReadonlySet<string>>();

/** Returns whether a folded word shows in a language that the first word of a sentence, before it, is a verb, an adverb or a noun written small elsewhere. */
export function followsNoName(norm: string, language: string | undefined): boolean {
  if (AFTER_NO_NAME.has(norm)) return true;
  const list = AFTER_NO_NAME_IN[language ?? ''];
  if (list === undefined) return false;
  const words = afterNoName.get(language!) ?? new Set(list.split(' '));
  afterNoName.set(language!, words);
  return words.has(norm) || ((language === 'french' || language === 'italian') && ELIDED_ARTICLE.test(norm));
}

/** Returns whether a language is one that writes nouns small, other than English. */
export function writesNounsSmall(language: string | undefined): boolean {
  return language !== undefined && language in AFTER_NO_NAME_IN;
}

/** Labels of what stands behind a colon in letters, minutes and lists, folded. */
export const LABELS: ReadonlySet<string> = new Set(
  (
    'contact contacts lieu adresse telephone tel mobile courriel mail email date dates heure horaire horaires duree objet sujet ' +
    'present presents presente presentes absent absents excuse excuses excusee excusees prix tarif tarifs montant total note notes remarque ' +
    'attention important rappel exemple secretaire president presidente tresorier tresoriere responsable animateur ' +
    'contacto lugar direccion telefono movil correo fecha hora horario horarios asunto tema asistentes presentes ausentes ' +
    'precio precios importe nota notas observaciones ojo aviso ejemplo encargado encargada responsable ' +
    'contatto contatti luogo indirizzo telefono cellulare posta data ora orario orari oggetto tema presenti assenti prezzo ' +
    'prezzi importo totale nota note avviso esempio attenzione ingredienti procedimento preparazione ' +
    'contato local endereco celular assunto preco precos valor observacao aviso exemplo ' +
    'contactpersoon plaats adres telefoon datum tijd onderwerp aanwezig afwezig prijs bedrag opmerking let voorbeeld'
  ).split(' '),
);

/** Words before the name of whom a line greets or thanks. */
export const GREETINGS: ReadonlySet<string> = new Set(
  'bonjour bonsoir salut merci hola gracias ciao grazie buongiorno buonasera ola obrigado obrigada bedankt'.split(' '),
);

/** Adverbs and conjunctions that open a sentence with a capital: never a name on their own. Stop words are apart. */
export const NEVER_NAMES: ReadonlySet<string> = new Set(
  (
    'always never often usually sometimes seldom rarely again already almost perhaps maybe please however therefore ' +
    'moreover furthermore otherwise instead meanwhile nevertheless nonetheless thus hence still now today tomorrow ' +
    'yesterday soon later finally afterwards additionally alternatively accordingly besides indeed likewise similarly ' +
    'first second third next last once twice everything everyone everybody nothing nobody something someone somebody ' +
    'anything anyone many most much more less few several another others else even ever rather quite well yes okay ok ' +
    'immer nie niemals oft manchmal jedoch deshalb trotzdem außerdem dennoch vielleicht bitte zuerst danach heute morgen ' +
    'gestern toujours jamais souvent parfois cependant pourtant ensuite enfin siempre nunca también además entonces ' +
    'después ahora sempre mai spesso inoltre quindi altijd nooit vaak echter ' +
    'cordialement madame monsieur mesdames messieurs oui parfait dommage rien désolé ' +
    'désolée finalement buenos buenas alguien nadie perfecto saludos atentamente señor señora finalmente ' +
    'qualcuno nessuno adesso perfetto signor signora ' +
    'senhor senhora alguém ninguém iemand niemand'
  )
    .split(' ')
    .map(fold)
    .concat(...GREETINGS),
);

/** Honorifics and ranks that a name may be written without. */
export const HONORIFICS: ReadonlySet<string> = new Set(
  (
    'mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess emperor empress pope saint st ' +
    'president general captain colonel major sergeant admiral lieutenant reverend rev father bishop archbishop ' +
    'cardinal count countess duke duchess baron baroness judge justice senator governor'
  ).split(' '),
);

/** How people are addressed; texts name the same person with and without. Ranks such as king and bishop tell persons apart. */
export const ADDRESSES: ReadonlySet<string> = new Set(
  'mr mrs ms mx dr prof professor herr herrn frau monsieur madame mme mlle señor señora sr sra senhor senhora signor signora'
    .split(' ')
    .map(fold),
);

export const ARTICLES: ReadonlySet<string> = new Set(
  'the a an der die das le la les el los las il lo gli un une uno una ein eine'.split(' '),
);
