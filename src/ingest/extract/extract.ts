import { slicer } from '../../core/async/slices.js';
import { normaliseName } from '../../core/ids.js';
import type { ConceptAssertion, EdgeAssertion, Passage, RuleAssertion } from '../../core/model.js';
import { languageOfPassage } from '../../core/text/language.js';
import { sentencePieces } from '../../core/text/sentences.js';
import { isListItem, isTableRow } from '../parse/lines.js';
import { Correspondence } from './correspondence.js';
import { sentenceEdges } from './edges.js';
import type { Navigation } from './navigation.js';
import { type FoundRule, sentenceRule } from './rules.js';
import { collectTerms, type Term, type Terms, termsIn } from './terms.js';

/** Confidence of an assertion found without a model. */
const CONFIDENCE = 0.6;

export interface Extracted {
  readonly concepts: readonly ConceptAssertion[];
  readonly edges: readonly EdgeAssertion[];
  readonly rules: readonly RuleAssertion[];
}

export interface ExtractOptions {
  /** Sentences that state no rule: they are links alone. Those that come up are taken out of it. */
  readonly navigation?: Navigation | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds assertions in running text by its form, without a model: typed edges between names and terms, and rules
 * (instructions, obligations, definitions). Concepts are asserted only for the endpoints of these edges and for what rules
 * name; names that are merely mentioned become entities by linking. Gives way to the event loop.
 */
export async function extract(
  passages: readonly Passage[],
  { navigation, signal }: ExtractOptions = {},
): Promise<Extracted> {
  const terms = await collectTerms(passages);
  const found = new Assertions();
  const pause = slicer();
  const correspondence = new Correspondence(passages[0]);
  for (const passage of passages) {
    correspondence.enter(passage);
    const language = languageOfPassage(passage);
    for (const { sentence, describesOption } of sentencesOf(passage.text))
      readSentence(sentence, { passage, language, terms, navigation, correspondence, found, describesOption });
    await pause();
    signal?.throwIfAborted();
  }
  return found.result();
}

/** A line that names an option of a program: "-e, --exclude PATTERN", "--tag TAG", "-name PATTERN"; not an item without a space, "-Never run". */
const OPTION = /^[ \t]*`?(?:--\p{L}|-\p{L}(?![\p{L}-])|-\p{Ll}[\w-]{1,30}(?:[ =]<?\p{Lu}+>?)?`?$)[^.!?\n]{0,80}$/mu;

/** A sentence that says what is to be done, not what an option does: "Never use it in production.", "You must stop the service first." */
const FOR_READERS = /^\s*(?:Always|Never|Only|Please|Make sure|Be sure|Ensure)\s|(?<!\p{L})must(?!\p{L})/u;
/** The same below the first sentence: the first says what the option does ("Do not follow links."). */
const PROHIBITION = /^\s*(?:Do not|Don['’]t|Avoid)\s/u;

/** Yields the sentences, short ones apart: an instruction may be short. The paragraph below an option says what the option does. */
function* sentencesOf(text: string): Generator<{ readonly sentence: string; readonly describesOption: boolean }> {
  /** Sentences from the last option on; 0 where none stands above in the paragraph. */
  let below = 0;
  let last = 0;
  for (const { start, end } of sentencePieces(text)) {
    const sentence = text.slice(start, end);
    if (/\n\s*\n/u.test(text.slice(last, start))) below = 0;
    below = OPTION.test(sentence) ? 1 : below && below + 1;
    last = end;
    const isForReaders = below > 1 && (FOR_READERS.test(sentence) || (below > 2 && PROHIBITION.test(sentence)));
    yield { sentence, describesOption: below > 0 && !isForReaders };
  }
}

interface Reading {
  readonly passage: Passage;
  readonly language: string;
  readonly terms: Terms;
  readonly navigation: Navigation | undefined;
  readonly correspondence: Correspondence;
  readonly found: Assertions;
  readonly describesOption: boolean;
}

function readSentence(sentence: string, reading: Reading): void {
  const { passage, language, terms, navigation, found } = reading;
  const isRequest = reading.correspondence.isRequest(sentence, passage);
  if (isTableRow(sentence) || sentence.length > 1000) return;
  const named = termsIn(sentence, terms, language);
  for (const { source, target, relation } of sentenceEdges(sentence, named)) {
    found.addEdge(source, target, { relation, evidence: sentence.replace(/\s+/gu, ' ') });
  }
  const rule = sentenceRule(sentence, { item: isListItem(sentence), terms: named, sections: terms.sections, language });
  if (rule === undefined || isRequest || reading.describesOption || navigation?.take(passage.title, sentence) === true)
    return;
  // The first words of an instruction may be its verb.
  const about = named.filter(
    (term) => terms.headings.has(term.key) || !(rule.form === 'imperative' && opens(sentence, term)),
  );
  // A single word is too little to become a concept by a rule; where there is one of that name, the rule is about it.
  const subjects = about.filter((term) => terms.headings.has(term.key) || term.key.includes(' '));
  found.addRule(rule, { subjects, about, passage });
}

function opens(sentence: string, term: Term): boolean {
  return !/[\p{L}\p{N}]{2}/u.test(sentence.slice(0, term.start));
}

/** What a rule names, where it stands. */
interface NamedIn {
  /** Names that become concepts. */
  readonly subjects: readonly Term[];
  /** All that it names. */
  readonly about: readonly Term[];
  readonly passage: Passage;
}

/** Collects assertions without repetition: of equal ones the first counts. */
class Assertions {
  private readonly concepts = new Map<string, ConceptAssertion>();
  private readonly edges = new Map<string, EdgeAssertion>();
  private readonly rules = new Map<string, RuleAssertion>();

  addEdge(source: Term, target: Term, found: { relation: string; evidence: string }): void {
    const edge: EdgeAssertion = {
      source: source.name,
      target: target.name,
      relation: found.relation,
      confidence: CONFIDENCE,
      properties: { evidence: found.evidence },
    };
    const key = JSON.stringify([normaliseName(edge.source), edge.relation, normaliseName(edge.target)]);
    if (this.edges.has(key)) return;
    this.edges.set(key, edge);
    this.addConcept(source);
    this.addConcept(target);
  }

  addRule(rule: FoundRule, { subjects, about, passage }: NamedIn): void {
    if (this.rules.has(rule.text)) return;
    const names = [...new Set(about.map((term) => term.name))];
    for (const term of subjects) this.addConcept(term);
    if (rule.defines !== undefined) this.addConcept(rule.defines, rule.text);
    this.rules.set(rule.text, {
      text: rule.text,
      category: 'general',
      confidence: CONFIDENCE,
      // The passage that states it, so that the rule comes with it, and the terms it names.
      concepts: [passage.id, ...names],
      metadata: { form: rule.form },
    });
  }

  result(): Extracted {
    return {
      concepts: [...this.concepts.values()],
      edges: [...this.edges.values()],
      rules: [...this.rules.values()],
    };
  }

  /** Adds a concept; a definition is the description of the concept that it defines. */
  private addConcept(term: Term, description?: string): void {
    const key = normaliseName(term.name);
    const known = this.concepts.get(key);
    if (known !== undefined && (description === undefined || known.description !== undefined)) return;
    this.concepts.set(key, {
      name: known?.name ?? term.name,
      ...(description === undefined ? {} : { description }),
      confidence: CONFIDENCE,
    });
  }
}
