import { stringify } from 'yaml';
import { groupBy } from '../../core/group-by.js';
import { normalise } from '../../core/text/fold.js';
import { contradictsOf } from '../rule-source.js';
import type { EnrichedRule, Target } from '../types.js';
import { markdownText, oneLine } from './clean-text.js';
import { textsById } from './flat-yaml.js';

export interface MarkdownOptions {
  readonly personaName: string;
  /** Domains that the rules are of, for the introduction. */
  readonly domains?: readonly string[] | undefined;
}

/** Strictest first. */
const SEVERITIES = ['error', 'warning', 'info'];

/** Writes a rules file for coding agents (AGENTS.md): rules by category, the strictest first. */
export class AgentsTarget implements Target<string> {
  constructor(private readonly options: MarkdownOptions) {}

  serialize(rules: readonly EnrichedRule[]): string {
    return `# ${markdownText(this.options.personaName)}\n\n${introduction(rules, this.options)}\n${sections(rules)}`;
  }
}

/** Writes a skill file (SKILL.md): front matter with name and description, then the rules by category. */
export class SkillTarget implements Target<string> {
  constructor(private readonly options: MarkdownOptions) {}

  serialize(rules: readonly EnrichedRule[]): string {
    const { personaName } = this.options;
    const front = stringify(
      { name: skillName(personaName), description: oneLine(description(rules, this.options)) },
      { schema: 'core', compat: 'yaml-1.1', lineWidth: 0 },
    );
    return `---\n${front}---\n\n# ${markdownText(personaName)}\n\n${introduction(rules, this.options)}\n${sections(rules)}`;
  }
}

/** Returns a name of lower-case letters, digits and hyphens, at most 64 characters. */
export function skillName(personaName: string): string {
  const name = normalise(personaName, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'rules' : name;
}

function description(rules: readonly EnrichedRule[], { personaName, domains }: MarkdownOptions): string {
  const topics = domains ?? [...new Set(rules.map(({ rule }) => rule.domain))];
  const about = topics.length === 0 ? '' : ` about ${topics.slice(0, 5).join(', ')}`;
  return `Rules of ${personaName}${about}. Read them before working on what they name.`.slice(0, 1024);
}

function introduction(rules: readonly EnrichedRule[], options: MarkdownOptions): string {
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  return `${markdownText(description(rules, options))} ${count}, strictest first within a category.\n`;
}

function sections(rules: readonly EnrichedRule[]): string {
  const byCategory = [...groupBy(rules, ({ rule }) => oneLine(rule.category) || 'general')];
  byCategory.sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = textsById(rules);
  return byCategory.map(([category, own]) => `## ${markdownText(category)}\n\n${items(own, texts)}`).join('\n');
}

function items(rules: readonly EnrichedRule[], texts: ReadonlyMap<string, string>): string {
  const strictness = (rule: EnrichedRule): number =>
    Math.max(0, SEVERITIES.indexOf(String(rule.rule.metadata.template_severity)));
  return [...rules]
    .sort((a, b) => strictness(a) - strictness(b))
    .map((rule) => `- ${markdownText(rule.rule.text)}\n${notes(rule, texts)}`)
    .join('');
}

function notes({ rule, context, antipattern, rationale }: EnrichedRule, texts: ReadonlyMap<string, string>): string {
  const lines = [
    ['When', context],
    ['Avoid', antipattern],
    ['Why', rationale],
    ...contradictsOf(rule).map((id) => ['Contradicts', texts.get(id) ?? id] as const),
  ] as const;
  return lines
    .filter(([, text]) => text !== undefined && oneLine(text) !== '')
    .map(([label, text]) => `  - ${labelled(label, oneLine(text!))}\n`)
    .join('');
}

/** Returns a note behind its label; one that begins with the label's own word has none: "When X changes." */
function labelled(label: string, text: string): string {
  const own = text.toLowerCase().startsWith(`${label.toLowerCase()} `);
  return own ? markdownText(text) : `${label}: ${markdownText(text)}`;
}
