/** Recognises a relation by the words between two names. */
export interface RelationPattern {
  readonly relation: string;
  /** Matches the whole text between the two names, lower case, single spaces. */
  readonly between: RegExp;
  /** True where the second name is the edge's source ("is used by"). */
  readonly inverse: boolean;
}

const ADVERB =
  '(?:(?:also|always|currently|directly|indirectly|explicitly|fully|generally|heavily|internally|itself|mainly|normally|now|only|primarily|still|strictly|typically|usually|then) )?';
const ARTICLE = '(?: (?:the|a|an|its|their|our|both|an own|the same|the so-called))?';
const BE = `(?:is|are|was|were|remains?|became|becomes) ${ADVERB}`;

/** `{be}` is any form of "to be" and a space; | separates alternatives. Verbs in the forms that come after a name. */
const PHRASES: ReadonlyArray<readonly [relation: string, forward: string, inverse?: string]> = [
  [
    'REQUIRES',
    'requires?|needs?|depends? (?:up)?on|relies on|rely on|cannot (?:run|start|work) without|{be}dependent on',
    '{be}(?:required|needed) by|{be}a (?:dependency|prerequisite|requirement) (?:of|for)',
  ],
  [
    'USES',
    'uses?|employs?|calls?|reads? from|writes? to|connects? to|runs? on|{be}built (?:up)?on|{be}powered by|makes? use of',
    '{be}(?:used|called|employed) by',
  ],
  [
    'PART_OF',
    '{be}one of|{be}(?:a |one )?(?:part|component|module|subsystem|subsidiary|division|subdivision|branch|member) of|forms? part of',
    '',
  ],
  [
    'CONTAINS',
    'contains?|includes?|comprises?|consists? of|{be}(?:composed|made up) of',
    '{be}(?:contained|included) in',
  ],
  ['IMPLEMENTS', 'implements?|realises?|realizes?|{be}an implementation of', '{be}implemented by'],
  ['SUPPORTS', 'supports?', '{be}supported by'],
  ['CONTRADICTS', 'contradicts?|conflicts? with|{be}incompatible with|{be}in conflict with', '{be}contradicted by'],
  [
    'REFINES',
    'refines?|extends?|speciali[sz]es|{be}a (?:refinement|extension|speciali[sz]ation) of',
    '{be}(?:refined|extended) by',
  ],
  ['CHALLENGES', 'challenges?|disputes?', '{be}(?:challenged|disputed) by'],
  [
    'ALTERNATIVE_TO',
    '{be}(?:an|one|the) alternatives? to|can (?:replace|be used instead of)|{be}a (?:drop-in )?(?:replacement|substitute) for',
    '{be}replaceable (?:by|with)',
  ],
  ['SIMILAR_TO', '{be}(?:very |quite |closely )?(?:similar to|like)|resembles?', ''],
  ['BELONGS_TO', 'belongs? to|{be}owned by', 'owns?'],
  ['INSTANCE_OF', '{be}(?:an? |one of )?(?:kind|type|form|instance|example|case) of|{be}an?', ''],
];

export const RELATION_PATTERNS: readonly RelationPattern[] = PHRASES.flatMap(([relation, forward, inverse]) => [
  pattern(relation, forward, false),
  ...(inverse === undefined || inverse === '' ? [] : [pattern(relation, inverse, true)]),
]);

/** Matches whatever one of the patterns matches: a single test rejects nearly every text. */
export const ANY_RELATION = between(
  PHRASES.flatMap(([, forward, inverse]) => [
    forward,
    ...(inverse === undefined || inverse === '' ? [] : [inverse]),
  ]).join('|'),
);

function pattern(relation: string, phrases: string, inverse: boolean): RelationPattern {
  return { relation, between: between(phrases), inverse };
}

function between(phrases: string): RegExp {
  return new RegExp(`^${ADVERB}(?:${phrases.replaceAll('{be}', BE)})${ARTICLE}$`, 'u');
}
