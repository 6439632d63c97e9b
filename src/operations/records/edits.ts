import { Type } from '@sinclair/typebox';
import { EDIT_MEMBERS, type EditInput, type EditType } from '../../core/edits/edit-input.js';
import { defaulted, operation, optional } from '../operation.js';
import { constrained } from '../schema/constraints.js';
import { dryRun, undone, undoStatus } from '../schema/dry-run.js';
import { Confidence, DomainName, LENGTH, Properties } from '../shapes.js';
import { byType } from './by-type.js';

const WORDS = '\\S';
const EditKind = Type.Unsafe<EditType>({
  type: 'string',
  enum: Object.keys(EDIT_MEMBERS),
  description: `What to do: ${Object.keys(EDIT_MEMBERS).join(', ')}.`,
});
const Concept = (what: string) => optional(Type.String({ pattern: WORDS, maxLength: 2000, description: what }));
const Relation = (what: string) =>
  optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$', description: what }));

const listed = {
  edit_id: Type.String(),
  domain: Type.String(),
  type: Type.String(),
  state: Type.Union([Type.Literal('active'), Type.Literal('inert'), Type.Literal('undone')], {
    description: 'active: it counts. inert: what it changes does not exist now. undone: it was undone.',
  }),
  change: Properties,
  before: Properties,
  created_at: Type.String(),
  undone_at: Type.Union([Type.String(), Type.Null()]),
  warnings: optional(Type.Array(Type.String())),
};
const Edit = Type.Object(listed);

export const edit = operation({
  name: 'edit',
  summary: 'Change what the graph says by hand; the change outranks every other source until it is undone.',
  rules: {
    id: 'id, source, target, from_id and into_id name concepts of the domain.',
    name: 'name is not that of another concept of the domain.',
    relation: 'relation is that of an edge from source to target; of a new one there is none yet.',
    rule_id: 'rule_id names an explicit rule of the domain.',
    session_id: 'session_id names a session of the domain that was not removed.',
  },
  input: constrained(
    Type.Object({
      domain: DomainName,
      type: EditKind,
      id: Concept('change_concept: id of the concept.'),
      name: optional(
        Type.String({
          pattern: WORDS,
          maxLength: LENGTH.name,
          description: 'add_concept, change_concept: its name. add_rule: makes the id `rule:<name>`.',
        }),
      ),
      description: optional(
        Type.String({
          maxLength: LENGTH.description,
          description: 'add_concept, change_concept: what the concept is; may be empty.',
        }),
      ),
      source: Concept('Edits of edges: id or name of the concept that the edge leads from.'),
      relation: Relation('Edits of edges: type of the edge, such as REQUIRES.'),
      target: Concept('Edits of edges: id or name of the concept that the edge leads to.'),
      new_relation: Relation('change_edge: its type from now on.'),
      confidence: optional(Confidence),
      properties: optional(Properties),
      rule_id: optional(
        Type.String({ pattern: WORDS, maxLength: 2000, description: 'change_rule, remove_rule: id of the rule.' }),
      ),
      text: optional(
        Type.String({ pattern: WORDS, maxLength: LENGTH.rule, description: 'add_rule, change_rule: the rule.' }),
      ),
      category: optional(Type.String({ pattern: WORDS, maxLength: 256, description: 'add_rule, change_rule.' })),
      concepts: optional(
        Type.Array(Type.String({ pattern: WORDS, maxLength: LENGTH.id }), {
          maxItems: 10_000,
          description:
            'add_rule, change_rule: names or ids of concepts it applies to; those its text names when omitted.',
        }),
      ),
      from_id: Concept('merge: id of the concept that goes.'),
      into_id: Concept('merge: id of the concept that stands for it.'),
      session_id: optional(
        Type.String({ minLength: 1, maxLength: LENGTH.id, description: 'remove_message, remove_session.' }),
      ),
      message_id: optional(
        Type.String({
          minLength: 1,
          maxLength: LENGTH.id,
          description: 'remove_message: the id that it was sent with.',
        }),
      ),
      node_id: Concept('remove_message: id of a passage of the message, where it has no message_id.'),
    }),
    byType,
  ),
  output: Edit,
  // The body was JSON.
  run: (service, input) => service.edits.make(input as EditInput),
});

export const edits = operation({
  name: 'edits',
  summary: 'List the changes that people made by hand, the newest first, undone ones too.',
  readOnly: true,
  input: Type.Object({
    domain: optional(DomainName),
    undone: defaulted(Type.Boolean({ description: 'Whether undone ones are listed too.' }), true),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Edits to list at most.' }), 100),
    offset: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Edits to pass over.' }), 0),
  }),
  output: Type.Object({ edits: Type.Array(Edit), total: Type.Integer() }),
  run: (service, input) => service.edits.list(input),
});

export const editUndo = operation({
  name: 'edit_undo',
  summary: 'Undo a change by hand: the graph is as if it had never been made.',
  input: Type.Object({
    edit_id: Type.String({ minLength: 1, maxLength: LENGTH.id, description: 'Id of the edit, as the list shows it.' }),
    dry_run: dryRun('Only shows the edit that would be undone; `status` is `dry_run` then.'),
  }),
  output: Type.Object({ ...listed, status: undoStatus('the edit') }),
  run: async (service, { edit_id, dry_run }) => undone(await service.edits.undo(edit_id, { dryRun: dry_run }), dry_run),
});
