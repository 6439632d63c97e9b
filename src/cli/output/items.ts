import { decimal, section, shortened, table } from './output.js';

/** A returned item, as every retrieval operation has it. */
export interface Item {
  readonly id: string;
  readonly content: string;
  readonly score: number;
  readonly domain: string;
}

export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly domain: string;
  readonly category: string;
  readonly confidence: number;
  readonly relevance: number;
  readonly derivation: string;
}

/** Ranked items for people. */
export function itemTable(items: readonly Item[]): string {
  return table(
    items.map((item, i) => ({ ...item, rank: i + 1 })),
    [
      { title: '#', of: (item) => item.rank, right: true },
      { title: 'Score', of: (item) => decimal(item.score), right: true },
      { title: 'Domain', of: (item) => item.domain },
      { title: 'Content', of: (item) => shortened(item.content), wide: 2 },
      { title: 'Id', of: (item) => item.id },
    ],
  );
}

/** Rules for people. */
export function ruleTable(rules: readonly Rule[]): string {
  return table(rules, [
    { title: 'Relevance', of: (rule) => decimal(rule.relevance), right: true },
    { title: 'Kind', of: (rule) => rule.derivation },
    { title: 'Category', of: (rule) => rule.category },
    { title: 'Rule', of: (rule) => shortened(rule.text), wide: 1 },
  ]);
}

export function rulesSection(rules: readonly Rule[]): string {
  return rules.length === 0 ? '' : `\n\n${section('Rules that apply', ruleTable(rules))}`;
}
