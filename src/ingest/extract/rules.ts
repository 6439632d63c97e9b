import { mayBeEnglish } from '../../core/text/language.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { type Token, tokenize } from '../../core/text/tokens.js';
import { IMPERATIVE_VERBS, NO_OBJECT, NOUN_MODIFIERS, PAST, SAYS_WHAT, TAKES_CLAUSE } from './imperative-verbs.js';
import { isRecurringOrder } from './recurring-orders.js';
import { ruleFormIn } from './rule-forms.js';
import type { Term } from './terms.js';

export type RuleForm = 'imperative' | 'obligation' | 'definition';

export interface FoundRule {
  readonly text: string;
  readonly form: RuleForm;
  /** The document's own term that a definition defines. */
  readonly defines?: Term;
}

const LONGEST = 400;
const SHORTEST = 12;

/** "always", "never" and the like in front, followed by what reads as a verb. */
const ABSOLUTE =
  /^(?:(?:Always|Never)\s+(?!(?:is|was|are|were|been|has|had|having|before|again|mind|the|a|an|in|on|to|known|one)\b)\p{Ll}{2,}(?<!ed|ing)\b|(?:Do not|Don['’]t|Please(?! (?:note|be aware|see|refer))|Avoid|Ensure|Make sure|Be sure|Remember to|Take care (?:to|not to)|Only ever|Under no circumstances)\s+[\p{Ll}`"\d])/u;

const OBLIGATION =
  /(?<!\p{L})(?:must(?: (?:not|never|always|only|also))?|shall(?: not)?|should(?: (?:not|never|always|only|also))?|may (?:not|only|never)|(?:is|are) (?:(?:not )?(?:required|allowed|permitted) to|not (?:allowed|permitted))|(?:is|are) (?:forbidden|prohibited|mandatory))(?!\p{L})/u;

/** Permission of some is prohibition of others. */
const EXCLUSIVE =
  /^(?:(?:Only|Nothing|Nobody|No one|No \p{Ll}+)\s[^,.;]{0,60}?(?<!\p{L})(?:may|can|must|should)|(?:At most|No more than|Not more than)\s[^,.;]{0,60}?(?<!\p{L})(?:may|must|should))(?!\p{L})/u;

/** What is demanded of whoever it concerns. */
const IMPERSONAL = /^It is (?:\p{Ll}+ly )?(?:not (?:allowed|permitted)|forbidden|prohibited|mandatory) to \p{Ll}/u;

/** What a prohibition does, which then is no order: "No parking near the school helps children." A word right behind "the" or "in" is no verb. */
const DONE = String.raw`(?<!\p{L})(?<!(?:the|an?|this|any|all|your|our|its|their|in|on|at|near|during|before|after|without|and|or) )(?!(?:sports|sales|goods|news|always|games|days|nights|weeks|months|years|hours|weekends|holidays) )\p{Ll}{2,}[^s\P{Ll}]s (?!(?:and|or|of|in|on|at|to|for|from|by|with|without|near|next|during|before|after|while|when|unless|if|except|until|between|that|which|who|only|please|is|are)(?!\p{L}))\p{Ll}`;
/** A prohibition without a verb. */
const VERBLESS = new RegExp(
  String.raw`^(?:(?:From now on|Effective immediately|As of (?:now|today)|Starting (?:now|today)),? no (?!one|longer|matter|doubt)\p{Ll}+|No (?!building|meeting)\p{Ll}+ing (?:in|on|at|near|after|before|during|without|while|inside|outside)) (?!.*${DONE})(?!.*(?<!\p{L})(?:is|are|has|have|can|could|will|would|does|do|came|\p{Ll}+ed)(?!\p{L}))`,
  'u',
);

/** A day until which something is to be done: its year tells no history. */
const DEADLINE =
  /(?<!\p{L})(?:by|before|until|till|bis(?: zum)?|vor dem|hasta el|antes del?|avant le|jusqu['’]au|entro il|até) (?:the )?(?:\d{1,2}\.\s?\d{1,2}\.\s?|(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:of |de )?)?\p{L}{3,10}\.? (?:\d{1,2}, |de )?)20\d\d(?!\p{N})/gu;
const YEAR = /(?<![\p{L}\p{N}])(?:1[5-9]|20)\d\d(?![\p{L}\p{N}])/u;

/** What is done with whatever a clause says: "Log whatever happens." */
const WHATEVER = /^(?:what|who|which|how)ever$|^(?:any|every)(?:thing|one|body)$/u;

/** Narratives, opinions and reports are no rules. */
const NARRATIVE =
  /(?<!\p{L})(?:was|were|had|did|said|says|argue[sd]?|believe[sd]?|claim(?:s|ed)?|felt|thought|decide[sd]?|stated?|wrote|suggest(?:s|ed)?|recommended|concluded|realiz?s?ed|he|she|his|her|him|I|my|(?:should|must|shall) (?:have (?:been|\p{Ll}+ed)|be noted|not be confused))(?!\p{L})/u;

/** A word in capitals on a line of its own is a heading, and no verb: "NAME" above what a manual page is of. */
const BELOW_CAPITALS = /^\s*\p{Lu}{3,}\n/u;

const GENERIC_DEFINITION =
  /^(?:An?|Any) (?<subject>[\p{Ll}`"“][^,.;:()]{0,60}?) (?:is (?:an?|any)|means|refers to|denotes|stands for) (?!example|way|subclass)/u;
const NO_SUBJECT =
  /(?<!\p{L})(?:example|way|problem|reason|result|feature|note|question|idea|thing|point|case|difference|part|kind)(?!\p{L})/u;
const TERM_DEFINITION =
  /^(?:The |An? )?(?<subject>[^,.;:()]{2,60}?) (?:means|refers to|is defined as|denotes|stands for|is the|is an?|are the) /u;

/**
 * Returns the rule that a sentence states, if it does: an instruction, an obligation, or a definition of a common noun or of a
 * section's own term. `item` is true for a list item, where a verb in front suffices.
 */
export function sentenceRule(
  sentence: string,
  context: {
    readonly item: boolean;
    readonly terms: readonly Term[];
    readonly sections: ReadonlySet<string>;
    /** The language of the text that the sentence is of, as `languageOf` names it. */
    readonly language?: string | undefined;
  },
): FoundRule | undefined {
  if (BELOW_CAPITALS.test(sentence)) return undefined;
  const text = cleaned(sentence);
  if (text.length < SHORTEST || text.length > LONGEST || !isProse(text)) return undefined;
  if (YEAR.test(text.replace(DEADLINE, ' '))) return undefined;
  // Words of a narrative in English are other words in these: "was", "her", "I".
  const form = context.language === undefined ? undefined : ruleFormIn(text, context.language);
  if (form !== undefined) return { text, form };
  if (NARRATIVE.test(text)) return undefined;
  if (ABSOLUTE.test(text) || VERBLESS.test(text) || isInstruction(text, context) || isRecurringOrder(text))
    return { text, form: 'imperative' };
  if (EXCLUSIVE.test(text) || IMPERSONAL.test(text) || isObligation(text)) return { text, form: 'obligation' };
  if (isCommonDefinition(text)) return { text, form: 'definition' };
  const defines = definedTerm(text, context.terms, context.sections);
  return defines === undefined ? undefined : { text, form: 'definition', defines };
}

/** What stands before an item of a list, or numbers a clause: "4.2.1", "§ 3 (2)", "(a)". A number with one dot may be an amount or a time. */
const MARK =
  /^\s*(?:[-*+•‣▪◦]|\d{1,3}[.)]|[a-z]\)|(?:\d{1,3}(?:\.\d{1,3}){2,4}[.)]?|\d{1,3}\.\d{1,3}[.)]|§ ?\d{1,4}\p{Ll}?(?: Abs\. ?\d{1,2})?(?: ?\(\d{1,2}\))?|\((?:\d{1,3}|[a-z]|[ivx]{1,5})\))(?=\s+["“‘]?\p{Lu}(?!\p{Lu})))\s+/u;

/** Returns the text without list mark, number of its clause and check box. */
export function withoutMark(sentence: string): string {
  return sentence.replace(MARK, '').replace(/^\[[ xX]\]\s+/u, '');
}

/** Returns the text without list mark and check box, on one line. */
function cleaned(sentence: string): string {
  return withoutMark(sentence)
    .replace(/\s{2,}|[^\S ]/gu, ' ')
    .trim()
    .replace(/(?<!\.)\.\.$/u, '.');
}

/** Returns false for a question, a quotation, a table row or code. */
function isProse(text: string): boolean {
  if (
    /[?？:：]["'”’)]*$/u.test(text) ||
    /[|¦]|\/\/|-->/u.test(text) ||
    /^[‘«{[<$>]|["“”]/u.test(text) ||
    /[{}|;=<>]{2}|\(\)/u.test(text)
  )
    return false;
  return /^\P{Ll}/u.test(text) && text.split(' ').length >= 2;
}

/** What a noun that looks like a verb does: "Merge to `main` builds an image." */
const DOES = /^\p{L}+ to (?:the |an? )?[`\p{L}\p{N}_./-]+ \p{Ll}{2,}s (?:an?|the|every|all|its|no)(?!\p{L})/u;

/** In front of an instruction: when it is to be followed, before a comma or a colon. */
const CONDITION =
  /^(?:If|When|Before|After|Unless|Once|While|Whenever|Until)\s[^,]{3,120},\s+(?:then |first |also )?(?<rest>\p{Ll}.*)$/u;
const LABEL =
  /^(?:(?:Allergic|Intolerant|Sensitive|Resistant|Allergy|Intolerance) (?:to|of)|In case of|In the event of|In an emergency|If|When|Whenever|Unless)(?!\p{L})[^,.:;()]{0,80}:\s+(?:then |first |always |never )?(?<rest>\p{Ll}.*)$/u;

/** Returns true where a verb in its base form opens the sentence and an object comes after it. */
function isInstruction(
  text: string,
  { item, terms }: { readonly item: boolean; readonly terms: readonly Term[] },
): boolean {
  const clause = CONDITION.exec(text) ?? LABEL.exec(text);
  const rest = (clause?.groups?.rest ?? text).replace(
    /^(?:[Ff]irst|Then|Next|Finally|Instead|Afterwards),? (?=\p{Ll})/u,
    '',
  );
  const [verb, object] = tokenize(rest.slice(0, 80));
  if (verb === undefined || object === undefined || verb.start > 0) return false;
  if (!IMPERATIVE_VERBS.has(verb.norm) || NO_OBJECT.has(object.norm) || object.norm.endsWith("'s")) return false;
  if (!/^\s+[`"“(]?$/u.test(rest.slice(verb.end, object.start))) return false;
  if (!mayBeEnglish(text) || DOES.test(rest)) return false;
  if (item) return true;
  if (isCompound(rest, { verb, object })) return false;
  const head = tokenize(text.slice(0, 160)).slice(1, clause === null ? 9 : 3);
  const named = terms.some((term) => term.name.startsWith(object.text));
  if (clause === null && !named && /^(?:\p{Lu}\p{Ll}|\p{N})/u.test(object.text)) return false;
  return !head.some((token) => token.norm === 'is' || token.norm === 'are' || token.norm === 'has');
}

/** Returns true for two nouns and what is said of them: "Share prices fell sharply.", "Run time grew.", "Set work goes to the office." */
function isCompound(text: string, { verb, object }: { readonly verb: Token; readonly object: Token }): boolean {
  if (!NOUN_MODIFIERS.has(verb.norm)) return false;
  const [next] = tokenize(text.slice(object.end, object.end + 60));
  if (next === undefined || /\S/u.test(text.slice(object.end, object.end + next.start))) return false;
  if (PAST.has(next.norm)) return true;
  if (next.norm === 'instead') return false;
  if (
    SAYS_WHAT.has(next.norm) &&
    !TAKES_CLAUSE.has(verb.norm) &&
    !WHATEVER.test(object.norm) &&
    !isStopWord(object.norm)
  )
    return true;
  if (!/[^s]s$/u.test(object.norm)) return false;
  return /^\p{Ll}/u.test(next.text) && !isStopWord(next.norm) && !next.norm.endsWith('ly');
}

/** Returns true for a modal verb in the main clause, with a subject that is neither a pronoun nor part of a report. */
function isObligation(text: string): boolean {
  const modal = OBLIGATION.exec(text);
  if (modal === null) return false;
  const before = text.slice(0, modal.index).trim();
  const subject = before.slice(before.lastIndexOf(',') + 1).replace(/^\s*(?:and|but|or|so|which|who)(?!\p{L})/u, '');
  const words = subject.split(/\s+/u).filter((word) => word !== '').length;
  if (words === 0 || words > 10 || /(?<!\p{L})(?:that|whether|who|how|why|what)(?!\p{L})/u.test(subject)) return false;
  if (/may or\s*$/u.test(before)) return false;
  return !/^(?:it|this|that|these|those|they|we|some|such)(?!\p{L})/iu.test(subject.trim());
}

function isCommonDefinition(text: string): boolean {
  const subject = GENERIC_DEFINITION.exec(text)?.groups?.subject;
  return (
    subject !== undefined &&
    subject.split(' ').length <= 4 &&
    !/\p{Lu}\p{Ll}/u.test(subject) &&
    !NO_SUBJECT.test(subject)
  );
}

/** Returns the section's own term that the sentence opens with and defines. */
function definedTerm(text: string, terms: readonly Term[], sections: ReadonlySet<string>): Term | undefined {
  const named = TERM_DEFINITION.exec(text)?.groups?.subject;
  if (named === undefined || text.indexOf(named) > 4) return undefined;
  return terms.find((term) => sections.has(term.key) && sameName(term.name, named));
}

function sameName(a: string, b: string): boolean {
  const bare = (name: string): string =>
    name
      .replace(/["'“”‘’`*]/gu, '')
      .toLowerCase()
      .trim();
  return bare(a) === bare(b);
}
