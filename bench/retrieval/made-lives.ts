import { type Random, seededRandom } from '../../src/core/random.js';
import type { DevelopmentSet, Passage, Question } from './data.js';

const MEN = words(
  'Anton Bernard Carlo Dmitri Edgar Felipe Gustav Henrik Igor Jacques Karl Leon Marco Nils Otto Pavel Rafael Stefan Tomas Viktor William Robert Arthur Kurt Luis Mario Erik Hans Juan Peter',
);
const WOMEN = words(
  'Agnes Beatrice Clara Dorothea Elena Florence Greta Helena Irina Judith Katarina Louise Margit Nora Olga Paula Rosa Sofia Teresa Vera Anna Maria Ingrid Emma Lucia',
);
const SURNAMES = words(
  'Almqvist Barbieri Castellan Dragomir Eklund Fontanelle Gorecki Halvorsen Ivanek Jankowicz Kessler Lindqvist Moravec Nadolski Oberholt Petrescu Quintero Rasmus Sandoval Tervonen Urbanek Valdesi Wexford Yarrow Zelinka Ashcombe Brandt Corbeau Delacourt Engström Ferrante Grimaldi Hartwig Ibarra Jovanic Korhonen Larsson Marchetti Novotny Olsen Pellegrin Romanov Santini Thorsen Vasari Weiss',
);
const COUNTRIES = (
  [
    ['Sweden', 'Swedish', 'Uppsala Malmö Karlstad'],
    ['Italy', 'Italian', 'Bergamo Lecce Parma'],
    ['France', 'French', 'Angers Nantes Lille'],
    ['Germany', 'German', 'Kassel Lübeck Ulm'],
    ['Mexico', 'Mexican', 'Puebla Oaxaca Durango'],
    ['Poland', 'Polish', 'Lublin Toruń Radom'],
    ['Austria', 'Austrian', 'Linz Graz Steyr'],
    ['Brazil', 'Brazilian', 'Recife Natal Santos'],
    ['Canada', 'Canadian', 'Halifax Regina Guelph'],
    ['India', 'Indian', 'Pune Mysore Nagpur'],
  ] as const
).map(([country, people, towns]) => ({ country, people, towns: words(towns) }));
const TITLE_HEADS = words(
  'Silent Golden Last Broken Hidden Distant Burning Secret Lonely Crimson Forgotten Midnight Northern Paper Wooden Restless Gentle Stolen Second Winter Empty Borrowed Velvet Narrow',
);
const TITLE_TAILS = words(
  'River Garden Letter Bridge Summer Window Crown Harbor Witness Station Promise Mountain Lantern Orchard Mirror Voyage Kingdom Shadow Market Stranger Engine Island Violin Doctor',
);
const GENRES = words('drama comedy crime western war romance');
const MONTHS = words('January February March April May June July August September October November December');

/** Work of those who make and marry, women and men; all others are fathers. */
const OF_BOTH = new Set(['film director', 'singer', 'actress', 'dancer', 'writer', 'pianist']);

interface Person {
  readonly name: string;
  readonly man: boolean;
  readonly work: string;
  readonly home: (typeof COUNTRIES)[number];
  readonly born: string;
  readonly birthplace: string;
  readonly died: string | undefined;
  readonly father: Person | undefined;
  readonly mother: string | undefined;
  spouse: Person | undefined;
}

interface Work {
  readonly title: string;
  readonly kind: 'film' | 'song';
  readonly maker: Person;
  readonly text: string;
}

/**
 * Makes an encyclopaedia of people who never lived, with their parents and spouses, films and songs, and questions over two to four of its
 * passages: one link after another, and two branches that are compared. `seed`: the same seed makes the same set.
 */
export function madeLives(seed: number): DevelopmentSet {
  const random = seededRandom(seed);
  const taken = new Set<string>();
  const people: Person[] = [];
  const person = (work: string, father?: Person): Person => {
    const man = OF_BOTH.has(work) ? random() < 0.5 : true;
    const one = makePerson(random, { work, father, man, taken });
    people.push(one);
    return one;
  };
  const makers = Array.from({ length: 90 }, (_, i) => {
    const grandfather = person(pick(random, words('painter merchant judge general banker')));
    const father = person(pick(random, words('actor professor architect surgeon poet')), grandfather);
    const maker = person(i < 60 ? 'film director' : 'singer', father);
    const spouse = person(pick(random, words('actress dancer writer pianist')), person('landowner'));
    maker.spouse = spouse;
    spouse.spouse = maker;
    return maker;
  });
  const works = makers.flatMap((maker, i) =>
    Array.from({ length: i % 2 === 0 ? 3 : 2 }, () => makeWork(random, maker, taken)),
  );
  const place = new Map<Person | Work, number>();
  const passages: Passage[] = [];
  for (const one of shuffled(random, [...people, ...works])) {
    place.set(one, passages.length);
    passages.push(
      'title' in one ? { title: one.title, text: one.text } : { title: one.name, text: lifeOf(random, one) },
    );
  }
  const at = (...some: Array<Person | Work>): number[] => some.map((one) => place.get(one)!);
  return { name: 'Made lives', passages, questions: questionsOn(random, { makers, works, at }) };
}

function questionsOn(
  random: Random,
  {
    makers,
    works,
    at,
  }: { readonly makers: Person[]; readonly works: Work[]; readonly at: (...some: Array<Person | Work>) => number[] },
): Question[] {
  const role = (work: Work): string => (work.kind === 'film' ? 'director' : 'performer');
  const each = <T>(count: number, from: readonly T[], make: (one: T) => Question | undefined): Question[] =>
    shuffled(random, from)
      .flatMap((one) => make(one) ?? [])
      .slice(0, count);
  const films = works.filter(({ kind }) => kind === 'film');
  const pairs = <T>(from: readonly T[]): Array<[T, T]> => {
    const mixed = shuffled(random, from);
    return mixed.slice(0, mixed.length >> 1).map((one, i) => [one, mixed[mixed.length - 1 - i]!]);
  };
  const attributes = [
    (of: string) => `Where was the ${of} born?`,
    (of: string) => `What nationality is the ${of}?`,
    (of: string) => `When is the birthday of the ${of}?`,
    (of: string) => `Who is the father of the ${of}?`,
    (of: string) => `Who is married to the ${of}?`,
  ];
  return [
    ...each(30, works, (work) => ({
      question: pick(random, attributes)(`${role(work)} of ${work.kind} ${work.title}`),
      gold: at(work, work.maker),
      kind: 'two hops',
    })),
    ...each(20, works, (work) => ({
      question: `${pick(random, ['When was', 'Where was'])} the father of the ${role(work)} of ${work.kind} ${work.title} born?`,
      gold: at(work, work.maker, work.maker.father!),
      kind: 'three hops',
    })),
    ...each(20, makers, (one) => ({
      question: `Who is the paternal grandfather of ${one.name}?`,
      gold: at(one, one.father!),
      kind: 'relatives',
    })),
    ...each(20, makers, (one) => ({
      question: `Who is ${one.name}'s father-in-law?`,
      gold: at(one, one.spouse!),
      kind: 'relatives',
    })),
    ...each(20, pairs(makers), ([a, b]) => ({
      question: `${pick(random, ['Who was born first,', 'Who is older,', 'Who was born later,'])} ${a.name} or ${b.name}?`,
      gold: at(a, b),
      kind: 'comparison',
    })),
    ...each(20, pairs(films), ([a, b]) => ({
      question: `Which film came out first, ${a.title} or ${b.title}?`,
      gold: at(a, b),
      kind: 'comparison',
    })),
    ...each(40, pairs(films), ([a, b]) =>
      a.maker === b.maker
        ? undefined
        : {
            question: pick(random, [
              `Which film has the director who was born first, ${a.title} or ${b.title}?`,
              `Do both films, ${a.title} and ${b.title}, have directors from the same country?`,
              `Which film has the director who was born later, ${a.title} or ${b.title}?`,
              `Are the directors of both films ${a.title} and ${b.title} from the same country?`,
            ]),
            gold: at(a, b, a.maker, b.maker),
            kind: 'two branches',
          },
    ),
  ];
}

function makePerson(
  random: Random,
  { work, father, man, taken }: { work: string; father: Person | undefined; man: boolean; taken: Set<string> },
): Person {
  const home = father !== undefined && random() < 0.8 ? father.home : pick(random, COUNTRIES);
  const surname = father === undefined ? pick(random, SURNAMES) : father.name.split(' ').at(-1)!;
  let name = '';
  do {
    const middle = random() < 0.25 ? ` ${pick(random, [...'ABCDEFGHJKLMNPRSTVW'])}.` : '';
    name = `${pick(random, man ? MEN : WOMEN)}${middle} ${name === '' ? surname : pick(random, SURNAMES)}`;
  } while (taken.has(name));
  taken.add(name);
  const year = father === undefined ? 1820 + Math.floor(random() * 60) : Number(father.born.slice(-4)) + 24;
  return {
    ...{ name, man, work, home, father, spouse: undefined },
    born: date(random, year),
    birthplace: pick(random, home.towns),
    died: random() < 0.7 ? date(random, year + 50 + Math.floor(random() * 30)) : undefined,
    mother: random() < 0.5 ? `${pick(random, WOMEN)} ${pick(random, SURNAMES)}` : undefined,
  };
}

function lifeOf(
  random: Random,
  { name, man, work, home, born, birthplace, died, father, mother, spouse }: Person,
): string {
  const [he, his, child] = man ? ['He', 'His', 'son'] : ['She', 'Her', 'daughter'];
  const parents = mother === undefined ? father?.name : `${father?.name} and ${mother}`;
  return [
    died === undefined
      ? `${name} (born ${born} in ${birthplace}) is a ${home.people} ${work}.`
      : `${name} (${born} – ${died}) was a ${home.people} ${work}, born in ${birthplace}.`,
    ...(father === undefined
      ? []
      : [
          pick(random, [
            `${he} was the ${child} of ${parents}.`,
            `${his} father was the ${father.work} ${father.name}.`,
            `Born to ${parents}, ${he.toLowerCase()} grew up in ${birthplace}.`,
          ]),
        ]),
    ...(spouse === undefined
      ? []
      : [pick(random, [`${he} married ${spouse.name}.`, `${he} was married to the ${spouse.work} ${spouse.name}.`])]),
    pick(random, [
      `${he} studied in ${pick(random, home.towns)} and travelled widely before settling down.`,
      `${his} papers are kept in the archive of ${pick(random, home.towns)}.`,
      `${he} received several awards for a life's work.`,
      `Little is known of ${his.toLowerCase()} early years.`,
    ]),
  ].join(' ');
}

function makeWork(random: Random, maker: Person, taken: Set<string>): Work {
  const kind = maker.work === 'singer' ? 'song' : 'film';
  const year = Number(maker.born.slice(-4)) + 28 + Math.floor(random() * 25);
  const name = `${pick(random, ['The ', ''])}${pick(random, TITLE_HEADS)} ${pick(random, TITLE_TAILS)}`;
  const title = taken.has(name) ? `${name} (${year} ${kind})` : name;
  taken.add(name);
  const genre = pick(random, GENRES);
  const cast = `${pick(random, MEN)} ${pick(random, SURNAMES)} and ${pick(random, WOMEN)} ${pick(random, SURNAMES)}`;
  const text =
    kind === 'song'
      ? `"${name}" is a song by ${maker.home.people} singer ${maker.name}, released in ${year}. It reached number ${1 + Math.floor(random() * 40)} on the ${maker.home.people} charts.`
      : pick(random, [
          `${name} is a ${year} ${maker.home.people} ${genre} film directed by ${maker.name} and starring ${cast}.`,
          `${name} is a ${genre} film of ${year}. It was directed by ${maker.name} and stars ${cast}.`,
          `${name} is a ${year} ${genre} film written and directed by ${maker.name}. The cast includes ${cast}.`,
        ]);
  return { title, kind, maker, text };
}

function date(random: Random, year: number): string {
  return `${1 + Math.floor(random() * 28)} ${pick(random, MONTHS)} ${year}`;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

function shuffled<T>(random: Random, from: readonly T[]): T[] {
  const mixed = [...from];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

function words(text: string): string[] {
  return text.split(' ');
}
