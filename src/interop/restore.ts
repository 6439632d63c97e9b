import { canonicalJson } from '../core/canonical-json.js';
import { SvcError } from '../core/errors.js';
import { groupBy } from '../core/group-by.js';
import { contentHash, ruleId } from '../core/ids.js';
import { type JsonObject, type Manifest, type RuleAssertion, touchedBy } from '../core/model.js';
import { isLonger, LONGEST } from '../ingest/structured-checks.js';
import { checkManifest } from '../ledger/manifest/check-manifest.js';
import { validateSeed } from './validate.js';

export interface RestoredSeed {
  readonly persona: string;
  /** One manifest per domain; derived rules are left out, since edges make them again. */
  readonly manifests: readonly Manifest[];
  /** Derived rules of the rule set. */
  readonly derived: number;
}

export interface RestoreOptions {
  /** Identity and label of the source, for example the file's name. */
  readonly name: string;
  /** Domain of all rules; each in the domain that its provenance names when none. */
  readonly domain?: string | undefined;
}

interface SeedRule {
  readonly rule: string;
  readonly category: string;
  readonly context?: string;
  readonly antipattern?: string;
  readonly rationale?: string;
  readonly tags?: readonly string[];
  readonly provenance: {
    readonly id: string;
    readonly domain: string;
    readonly derivation: 'explicit' | 'derived';
    readonly confidence: number;
    readonly source_concepts?: readonly string[];
    /** Beyond the schema, so of any type. */
    readonly passages?: unknown;
  };
}

/** Makes manifests of a rule set's explicit rules. Throws `invalid_input` that lists what is wrong with the rule set. */
export function restoredSeed(seed: unknown, options: RestoreOptions): RestoredSeed {
  const errors = validateSeed(seed);
  if (errors.length > 0) {
    throw new SvcError('invalid_input', `The rule set is not valid: ${errors.slice(0, 3).join('; ')}.`, {
      member: 'seed',
      errors,
    });
  }
  const { persona, rules } = seed as { persona: string; rules: readonly SeedRule[] };
  const explicit = rules.filter(({ provenance }) => provenance.derivation === 'explicit');
  const byDomain = groupBy(explicit, ({ provenance }) => options.domain ?? provenance.domain);
  const manifests = [...byDomain].map(([domain, own]) => ({
    domain,
    source: { domain, kind: 'upload' as const, key: options.name, label: options.name },
    content_hash: contentHash(canonicalJson(own)),
    concepts: [],
    edges: [],
    rules: own.map(assertionOf),
    passages: [],
    warnings: [],
  }));
  // All domains are checked before the first is written.
  for (const manifest of manifests) ofSeed(() => checkRules(manifest));
  return { persona, derived: rules.length - explicit.length, manifests };
}

/** Checks what the schema of rule sets leaves open: the domain, and the length of rules. */
function checkRules(manifest: Manifest): void {
  checkManifest(manifest);
  const long = manifest.rules.find(({ text }) => isLonger(text, LONGEST.rule));
  if (long === undefined) return;
  const sentence = `a rule has ${long.text.length} characters; at most ${LONGEST.rule} are allowed.`;
  throw new SvcError('invalid_input', sentence);
}

/** Runs a check whose errors name members of a manifest; throws them as errors of the rule set. */
function ofSeed(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new SvcError('invalid_input', `The rule set is not valid: ${error.message}`, { member: 'seed' });
  }
}

function assertionOf({ rule, category, provenance, ...texts }: SeedRule): RuleAssertion {
  const { id, domain, confidence, source_concepts = [] } = provenance;
  const stating = Array.isArray(provenance.passages) ? provenance.passages : [];
  const concepts = touchedBy({ source_concepts, passages: stating.filter((one) => typeof one === 'string') });
  const { context, antipattern, rationale, tags } = texts;
  const metadata = Object.fromEntries(
    Object.entries({ context, antipattern, rationale, tags }).filter(([, value]) => value !== undefined),
  ) as JsonObject;
  return {
    text: rule,
    category,
    confidence,
    ...(id === ruleId(domain, { text: rule }) || !id.startsWith('rule:') ? {} : { name: id.slice('rule:'.length) }),
    ...(concepts.length === 0 ? {} : { concepts }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
