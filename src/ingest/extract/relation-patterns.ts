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

/** What stands between two names: verbs in the forms that come after a name, and what follows a form of "to be"; | separates alternatives. */
interface Phrases {
  readonly verbs?: string;
  readonly be?: string;
}

const PHRASES: ReadonlyArray<readonly [relation: string, forward: Phrases, inverse?: Phrases]> = [
  [
    'REQUIRES',
    {
      verbs: 'requires?|needs?|depends? (?:up)?on|relies on|rely on|cannot (?:run|start|work) without',
      be: 'dependent on',
    },
    { be: '(?:required|needed) by|a (?:dependency|prerequisite|requirement) (?:of|for)' },
  ],
  [
    'USES',
    {
      verbs: 'uses?|employs?|calls?|reads? from|writes? to|connects? to|runs? on|makes? use of',
      be: 'built (?:up)?on|powered by',
    },
    { be: '(?:used|called|employed) by' },
  ],
  [
    'PART_OF',
    {
      verbs: 'forms? part of',
      be: 'one of|(?:a |one )?(?:part|component|module|subsystem|subsidiary|division|subdivision|branch|member) of',
    },
  ],
  [
    'CONTAINS',
    { verbs: 'contains?|includes?|comprises?|consists? of', be: '(?:composed|made up) of' },
    { be: '(?:contained|included) in' },
  ],
  ['IMPLEMENTS', { verbs: 'implements?|realises?|realizes?', be: 'an implementation of' }, { be: 'implemented by' }],
  ['SUPPORTS', { verbs: 'supports?' }, { be: 'supported by' }],
  [
    'CONTRADICTS',
    { verbs: 'contradicts?|conflicts? with', be: 'incompatible with|in conflict with' },
    { be: 'contradicted by' },
  ],
  [
    'REFINES',
    { verbs: 'refines?|extends?|speciali[sz]es', be: 'a (?:refinement|extension|speciali[sz]ation) of' },
    { be: '(?:refined|extended) by' },
  ],
  ['CHALLENGES', { verbs: 'challenges?|disputes?' }, { be: '(?:challenged|disputed) by' }],
  [
    'ALTERNATIVE_TO',
    {
      verbs: 'can (?:replace|be used instead of)',
      be: '(?:an|one|the) alternatives? to|a (?:drop-in )?(?:replacement|substitute) for',
    },
    { be: 'replaceable (?:by|with)' },
  ],
  ['SIMILAR_TO', { verbs: 'resembles?', be: '(?:very |quite |closely )?(?:similar to|like)' }],
  ['BELONGS_TO', { verbs: 'belongs? to', be: 'owned by' }, { verbs: 'owns?' }],
  ['INSTANCE_OF', { be: '(?:an? |one of )?(?:kind|type|form|instance|example|case) of|an?' }],
];

export const RELATION_PATTERNS: readonly RelationPattern[] = PHRASES.flatMap(([relation, forward, inverse]) => [
  { relation, between: between([forward]), inverse: false },
  ...(inverse === undefined ? [] : [{ relation, between: between([inverse]), inverse: true }]),
]);

/** Matches whatever one of the patterns matches: a single test rejects nearly every text. */
export const ANY_RELATION = between(
  PHRASES.flatMap(([, forward, inverse]) => (inverse === undefined ? [forward] : [forward, inverse])),
);

/** The forms of "to be" stand once in a pattern: V8 compiles it at its first use, and again after a collection has dropped the code. */
function between(phrases: readonly Phrases[]): RegExp {
  const verbs = phrases.flatMap((phrase) => phrase.verbs ?? []);
  const be = phrases.flatMap((phrase) => phrase.be ?? []);
  const alternatives = [...verbs, ...(be.length === 0 ? [] : [`${BE}(?:${be.join('|')})`])];
  return new RegExp(`^${ADVERB}(?:${alternatives.join('|')})${ARTICLE}$`, 'u');
}
