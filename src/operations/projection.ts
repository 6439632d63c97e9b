import { Type } from '@sinclair/typebox';
import { loadOptions } from './ingest.js';
import { defaulted, operation, optional } from './operation.js';
import type { Constraint } from './schema/constraints.js';
import { constrained } from './schema/constraints.js';
import { shownAs } from './schema/shown.js';
import { Confidence, DomainName, IngestResult } from './shapes.js';

const Target = Type.Union(
  ['seed', 'yaml', 'agents', 'skill'].map((name) => Type.Literal(name)),
  { description: 'seed: rule set of the interchange format; yaml: flat list; agents: AGENTS.md; skill: SKILL.md.' },
);
const Persona = Type.String({ minLength: 1, maxLength: 200, description: 'Whom the rules are for; names the file.' });

/** What is written into pending is a rule set. */
const pendingIsSeed: Constraint = {
  keywords: () => ({
    anyOf: [{ properties: { pending: { enum: [false, null] } } }, { properties: { target: { enum: ['seed', null] } } }],
  }),
  complaint: ({ pending, target }) =>
    pending === true && target !== 'seed'
      ? { member: 'pending', sentence: 'pending goes with target seed only; leave one of them out.' }
      : undefined,
};

export const project = operation({
  name: 'project',
  summary: 'Project rules into a rule-set file.',
  rules: { variant: 'variant is one that the templates have.' },
  input: constrained(
    Type.Object({
      persona: Persona,
      domains: optional(Type.Array(DomainName, { maxItems: 1000, description: 'All domains when omitted or empty.' })),
      target: defaulted(Target, 'seed'),
      version: defaulted(Type.Integer({ minimum: 1, description: "Raised by the persona's author." }), 1),
      categories: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000, description: 'Only these.' })),
      min_confidence: defaulted(Confidence, 0),
      include_derived: defaulted(Type.Boolean({ description: 'Whether rules of edges are projected too.' }), true),
      variant: optional(Type.String({ maxLength: 64, description: 'Variant in which derived rules read.' })),
      llm: defaulted(Type.Boolean({ description: 'Whether the configured language model enriches the rules.' }), false),
      pending: defaulted(
        Type.Boolean({ description: 'Whether the rule set is written into pending (target seed).' }),
        false,
      ),
      emit_signal: defaulted(Type.Boolean({ description: 'Whether an event announces the pending file.' }), true),
    }),
    pendingIsSeed,
  ),
  output: Type.Object({
    target: Type.String(),
    rule_count: Type.Integer(),
    ruleset: optional(Type.Unknown({ description: 'The rule set, for target seed.' })),
    content: optional(Type.String({ description: 'The file, for the other targets.' })),
    path: optional(Type.String({ description: 'Where the pending file lies.' })),
    warnings: Type.Array(Type.String()),
  }),
  run: async (service, input, context) => {
    const domains = input.domains === undefined || input.domains.length === 0 ? undefined : input.domains;
    const { persona, target, version, variant, llm, categories, min_confidence, include_derived } = input;
    const result = await service.projections.project({
      persona,
      domains,
      target: target as 'seed',
      version,
      variant,
      llm,
      filters: { categories, min_confidence, include_derived },
      signal: context.signal,
    });
    if (!input.pending) return { ...result, warnings: [...result.warnings] };
    const path = await service.interop.writePending(result.ruleset, {
      persona,
      domain: domains?.join(',') ?? 'all',
      emitSignal: input.emit_signal,
    });
    return { ...result, warnings: [...result.warnings], path };
  },
});

export const ingestSeed = operation({
  name: 'ingest_seed',
  summary: 'Bring the explicit rules of a rule set back into the graph.',
  rules: {
    seed: 'An explicit rule has a text of 1 to 10,000 characters and, where domain is not given, names a domain as DELETE /v1/domains/{name} takes it.',
  },
  idempotent: true,
  input: Type.Object({
    seed: shownAs(Type.Object({}, { additionalProperties: true, description: 'A rule set, schema version 1.0.' }), {
      $ref: '#/components/schemas/RuleSet',
    }),
    name: defaulted(Type.String({ minLength: 1, maxLength: 1024, description: 'Identity of the source.' }), 'seed'),
    /** Domain of all rules; each in the domain that its provenance names when omitted. */
    domain: optional(DomainName),
  }),
  output: Type.Object({
    persona: Type.String(),
    results: Type.Array(IngestResult),
    warnings: Type.Array(Type.String()),
  }),
  run: async (service, { seed, name, domain }, context) => {
    const { persona, results, warnings } = await service.interop.ingestSeed(
      seed,
      { name, domain },
      loadOptions(context),
    );
    return { persona, results: [...results], warnings: [...warnings] };
  },
});
