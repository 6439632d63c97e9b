import { normaliseName } from '../../core/ids.js';
import type { ConceptAssertion, EdgeAssertion, Passage, RuleAssertion } from '../../core/model.js';
import { slicer } from '../../core/slices.js';
import { sentencePieces } from '../../core/text/sentences.js';
import { isListItem, isTableRow } from '../parse/lines.js';
import { sentenceEdges } from './edges.js';
import { type FoundRule, sentenceRule } from './rules.js';
import { collectTerms, type Term, type Terms, termsIn } from './terms.js';

/** Confidence of what is found without a model. */
const PLAIN_CONFIDENCE = 0.6;

export interface Extracted {
  readonly concepts: readonly ConceptAssertion[];
  readonly edges: readonly EdgeAssertion[];
  readonly rules: readonly RuleAssertion[];
}

/**
 * What running text says by its form, without a model: typed edges between names and terms, and rules (instructions,
 * obligations, definitions). Concepts are asserted only for ends of these edges and for what rules name; names that are
 * merely mentioned become entities by linking.
 */
export async function extract(passages: readonly Passage[], signal?: AbortSignal): Promise<Extracted> {
  const terms = await collectTerms(passages);
  const found = new Findings();
  const pause = slicer();
  for (const passage of passages) {
    for (const sentence of sentencesOf(passage.text)) readSentence(sentence, { passage, terms, found });
    await pause();
    signal?.throwIfAborted();
  }
  return found.result();
}

/** Sentences one by one, however short: an instruction may be. */
function sentencesOf(text: string): string[] {
  return sentencePieces(text).map((piece) => text.slice(piece.start, piece.end));
}

function readSentence(
  sentence: string,
  { passage, terms, found }: { passage: Passage; terms: Terms; found: Findings },
): void {
  if (isTableRow(sentence) || sentence.length > 1000) return;
  const named = termsIn(sentence, terms);
  for (const { source, target, relation } of sentenceEdges(sentence, named)) {
    found.addEdge(source, target, { relation, evidence: sentence.replace(/\s+/gu, ' ') });
  }
  const rule = sentenceRule(sentence, { item: isListItem(sentence), terms: named, sections: terms.sections });
  if (rule === undefined) return;
  // A single word in code is too little to be what a rule is about; its first words may be the verb.
  const telling = named.filter(
    (term) =>
      terms.headings.has(term.key) ||
      (term.key.includes(' ') && !(rule.form === 'imperative' && opens(sentence, term))),
  );
  found.addRule(rule, telling, passage);
}

function opens(sentence: string, term: Term): boolean {
  return !/[\p{L}\p{N}]{2}/u.test(sentence.slice(0, term.start));
}

/** Collects without repeating: the first sentence that says something counts. */
class Findings {
  private readonly concepts = new Map<string, ConceptAssertion>();
  private readonly edges = new Map<string, EdgeAssertion>();
  private readonly rules = new Map<string, RuleAssertion>();

  addEdge(source: Term, target: Term, said: { relation: string; evidence: string }): void {
    const edge: EdgeAssertion = {
      source: source.name,
      target: target.name,
      relation: said.relation,
      confidence: PLAIN_CONFIDENCE,
      properties: { evidence: said.evidence },
    };
    const key = JSON.stringify([normaliseName(edge.source), edge.relation, normaliseName(edge.target)]);
    if (this.edges.has(key)) return;
    this.edges.set(key, edge);
    this.addConcept(source);
    this.addConcept(target);
  }

  addRule(rule: FoundRule, named: readonly Term[], passage: Passage): void {
    if (this.rules.has(rule.text)) return;
    const names = [...new Set(named.map((term) => term.name))];
    for (const term of named) this.addConcept(term);
    if (rule.defines !== undefined) this.addConcept(rule.defines, rule.text);
    this.rules.set(rule.text, {
      text: rule.text,
      category: 'general',
      confidence: PLAIN_CONFIDENCE,
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

  /** A definition is the description of what it defines. */
  private addConcept(term: Term, description?: string): void {
    const key = normaliseName(term.name);
    const known = this.concepts.get(key);
    if (known !== undefined && (description === undefined || known.description !== undefined)) return;
    this.concepts.set(key, {
      name: known?.name ?? term.name,
      ...(description === undefined ? {} : { description }),
      confidence: PLAIN_CONFIDENCE,
    });
  }
}
