import { PAST } from './imperative-verbs.js';

const NUMBER = '(?:\\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twelve|other|second|third|few)';
const UNIT =
  '(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|shifts?|weekdays?|seasons?|' +
  'spring|summer|autumn|fall|winter|morning|noon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|' +
  'uses?|washes|cycles?|runs?|batch(?:es)?|km|kilomet(?:er|re)s?|miles?|operating hours)';
/** How often something is to be done, at the end of a sentence. */
const HOW_OFTEN = `(?:(?:at least |about )?(?:once |twice )?(?:every|each) (?:${NUMBER} )?${UNIT}|(?:at least )?(?:once|twice|\\d{1,2} times|(?:three|four) times) (?:a|per) ${UNIT}|daily|weekly|monthly|quarterly|yearly|annually)`;
/** First words that are no verb in its base form, or one of what happens or is felt, though an article follows them. */
const NO_VERB = new Set(
  (
    'about above across after again against all along also although amid among and around as at because before behind below beneath ' +
    'beside besides between beyond both but by despite down during either even except for from given half here how if in inside ' +
    'instead into just last like maybe near neither next nor not now of off often on once only onto opposite or out outside over ' +
    'past per perhaps quite rather save since so soon still than that then there these this though through throughout till to ' +
    'today together tomorrow tonight toward towards under underneath unless unlike until up upon via what when where whereas ' +
    'whether which while who whom whose why with within without yesterday yet ' +
    'am are be been can could did do does had has have is may might must shall should was were will would ' +
    'got had held kept lost made met paid said sent sold spent stood taught told thought understood won built bought caught cost cut ' +
    'fed felt found fought heard hid hit hurt laid led left lent let lit meant put quit read rid set shot shut slept split spread ' +
    'swept wept ' +
    'rain snow hail love hate adore enjoy relish savour savor imagine picture dream guess behold win earn lose'
  ).split(' '),
);
/** A name behind an article, or one that does something, belongs to the name in front: "Peter the Great". "The OPUS probes" are things. */
const EPITHET = /^the \p{Lu}\p{Ll}+(?:$| \p{Ll}*[^s\P{Ll}]s(?!\p{L}))/u;
/** What says that a sentence tells something, not that it asks for it. */
const TELLS =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|will|would|can|could|may|might|does|did|i|we|they|you|it)(?!\p{L})/iu;
const ORDER = new RegExp(
  `^(?<verb>\\p{Lu}\\p{Ll}{2,}) (?<object>(?:the|an?|all|both|any|each|every|your|its|their)(?= ) [^,.;:()]{2,100}?) ${HOW_OFTEN}[.!]?$`,
  'u',
);

/**
 * Returns whether an English sentence asks for something at intervals, by whatever verb: "Calibrate the probes every 14 days." An article behind the first
 * word tells a verb from a noun, and what does not end as participles, adverbs and plurals do is its base form.
 */
export function isRecurringOrder(sentence: string): boolean {
  const { verb, object } = ORDER.exec(sentence)?.groups ?? {};
  if (verb === undefined || object === undefined || TELLS.test(object) || EPITHET.test(object)) return false;
  const word = verb.toLowerCase();
  return !/(?:(?<!e)ed|ing|ly|[^s]s)$/u.test(word) && !NO_VERB.has(word) && !PAST.has(word);
}
