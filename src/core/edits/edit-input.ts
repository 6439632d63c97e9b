import type { JsonObject } from '../model.js';

/** What an edit does. */
export type EditType =
  | 'add_concept'
  | 'change_concept'
  | 'add_edge'
  | 'change_edge'
  | 'remove_edge'
  | 'add_rule'
  | 'change_rule'
  | 'remove_rule'
  | 'merge'
  | 'remove_message'
  | 'remove_session';

/** An edit as it is requested; which members a type takes says `EDIT_MEMBERS`. */
export interface EditInput {
  readonly domain: string;
  readonly type: EditType;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly source?: string | undefined;
  readonly relation?: string | undefined;
  readonly target?: string | undefined;
  readonly new_relation?: string | undefined;
  readonly confidence?: number | undefined;
  readonly properties?: JsonObject | undefined;
  readonly rule_id?: string | undefined;
  readonly text?: string | undefined;
  readonly category?: string | undefined;
  readonly concepts?: readonly string[] | undefined;
  readonly from_id?: string | undefined;
  readonly into_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly node_id?: string | undefined;
}

type Member = Exclude<keyof EditInput, 'domain' | 'type'>;

/** What a type of edit takes. */
export interface EditMembers {
  readonly required: readonly Member[];
  /** At least one of these. */
  readonly some?: readonly Member[];
  /** Exactly one of these. */
  readonly one?: readonly Member[];
  readonly optional?: readonly Member[];
}

const EDGE = ['source', 'relation', 'target'] as const;

/** Which members each type of edit takes. */
export const EDIT_MEMBERS: Readonly<Record<EditType, EditMembers>> = {
  add_concept: { required: ['name'], optional: ['description'] },
  change_concept: { required: ['id'], some: ['name', 'description'] },
  add_edge: { required: EDGE, optional: ['confidence', 'properties'] },
  change_edge: { required: EDGE, some: ['new_relation', 'confidence', 'properties'] },
  remove_edge: { required: EDGE },
  add_rule: { required: ['text'], optional: ['name', 'category', 'confidence', 'concepts'] },
  change_rule: { required: ['rule_id'], some: ['text', 'category', 'confidence', 'concepts'] },
  remove_rule: { required: ['rule_id'] },
  merge: { required: ['from_id', 'into_id'] },
  remove_message: { required: ['session_id'], one: ['message_id', 'node_id'] },
  remove_session: { required: ['session_id'] },
};
