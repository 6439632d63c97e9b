import type { TSchema } from '@sinclair/typebox';
import { EDIT_MEMBERS, type EditMembers } from '../../core/edits/edit-input.js';
import { atLeastOne, type Constraint, exactlyOne } from '../schema/constraints.js';

type Properties = Readonly<Record<string, TSchema>>;

/** Requires the members of the edit's type, and none of another type's. */
export const byType: Constraint = {
  keywords: (properties) => ({
    oneOf: Object.entries(EDIT_MEMBERS).map(([type, members]) => branch(type, members, properties)),
  }),
  complaint: (given) => {
    const type = String(given.type);
    const members = (EDIT_MEMBERS as Readonly<Record<string, EditMembers>>)[type];
    if (members === undefined) {
      return { member: 'type', sentence: `type is missing; send one of ${Object.keys(EDIT_MEMBERS).join(', ')}.` };
    }
    for (const member of members.required) {
      if (given[member] !== undefined) continue;
      return { member, sentence: `${member} is missing; type ${type} needs ${members.required.join(', ')}.` };
    }
    const known = new Set<string>(takenBy(members));
    for (const member of Object.keys(given)) {
      if (known.has(member) || given[member] === undefined) continue;
      const sentence = `${member} does not belong to type ${type}, which takes ${[...known].slice(2).join(', ')}; leave it out.`;
      return { member, sentence };
    }
    if (members.some !== undefined) return atLeastOne(...members.some).complaint(given);
    return members.one === undefined ? undefined : exactlyOne(...members.one).complaint(given);
  },
};

function takenBy({ required, some = [], one = [], optional = [] }: EditMembers): string[] {
  return ['domain', 'type', ...required, ...some, ...one, ...optional];
}

function branch(type: string, members: EditMembers, properties: Properties): object {
  const known = new Set(takenBy(members));
  const foreign = Object.keys(properties).filter((name) => !known.has(name));
  return {
    title: type,
    required: ['type', ...members.required],
    properties: {
      type: { const: type },
      ...Object.fromEntries(members.required.map((name) => [name, { type: properties[name]?.type as string }])),
      // Null counts as absent.
      ...Object.fromEntries(foreign.map((name) => [name, { type: 'null' }])),
    },
    ...(members.some === undefined ? {} : atLeastOne(...members.some).keywords(properties)),
    ...(members.one === undefined ? {} : exactlyOne(...members.one).keywords(properties)),
  };
}
