import { conceptId } from '../../core/ids.js';
import type { JsonObject } from '../../core/model.js';

/** The ids of an edge's nodes, and its relation in upper case. */
export interface EdgeName {
  readonly source: string;
  readonly relation: string;
  readonly target: string;
}

/** What an edit may say of a rule. */
export interface RuleParts {
  readonly text?: string | undefined;
  readonly category?: string | undefined;
  readonly confidence?: number | undefined;
  /** Names or ids of the concepts it touches. */
  readonly concepts?: readonly string[] | undefined;
}

/** What an edit may say of an edge. */
export interface EdgeParts {
  readonly confidence?: number | undefined;
  readonly properties?: JsonObject | undefined;
}

/** What one edit does. Nodes are named by id. */
export type EditBody =
  | { readonly type: 'add_concept'; readonly id: string; readonly name: string; readonly description: string }
  | {
      readonly type: 'change_concept';
      readonly id: string;
      readonly name?: string | undefined;
      readonly description?: string | undefined;
    }
  | ({ readonly type: 'add_edge' } & EdgeName & EdgeParts)
  | ({ readonly type: 'change_edge'; readonly new_relation?: string | undefined } & EdgeName & EdgeParts)
  | ({ readonly type: 'remove_edge' } & EdgeName)
  | ({ readonly type: 'add_rule'; readonly rule_id: string; readonly text: string } & RuleParts)
  | ({ readonly type: 'change_rule'; readonly rule_id: string } & RuleParts)
  | { readonly type: 'remove_rule'; readonly rule_id: string }
  | { readonly type: 'merge'; readonly from_id: string; readonly into_id: string; readonly merge_id?: string }
  | MessageRemoval
  | SessionRemoval;

export interface MessageRemoval {
  readonly type: 'remove_message';
  readonly session_id: string;
  /** Id of the session's source. */
  readonly source_id: string;
  /** As `session_message` keeps it. */
  readonly identity: string;
}

export interface SessionRemoval {
  readonly type: 'remove_session';
  readonly session_id: string;
  readonly source_id: string;
}

/** Returns true where an edit hides messages. */
export function isMessageRemoval(body: EditBody): body is MessageRemoval | SessionRemoval {
  return body.type === 'remove_message' || body.type === 'remove_session';
}

/** An edit as the log keeps it. */
export interface EditRecord {
  readonly edit_id: string;
  readonly domain: string;
  readonly body: EditBody;
  /** What was visible before, for people; empty where the edit adds. */
  readonly before: JsonObject;
  /** ISO 8601. */
  readonly created_at: string;
  readonly undone_at: string | null;
}

/** `active`: it counts. `inert`: what it changes does not exist now; it counts again with it. `undone`: it was undone. */
export type EditState = 'active' | 'inert' | 'undone';

export interface EditFilter {
  readonly domain?: string | undefined;
  /** Only edits of these domains. */
  readonly domains?: readonly string[] | undefined;
  /** False leaves out those that were undone. */
  readonly undone?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

export const EDITS_LABEL = 'edits';

/** Returns the source that the edits of a domain are assertions of. */
export const editsSource = (domain: string) =>
  ({ domain, kind: 'edits', key: EDITS_LABEL, label: EDITS_LABEL }) as const;

/** Returns what an edit of a domain changes, as texts to look it up by. */
export function targetsOf(body: EditBody, domain: string): { readonly target: string; readonly other: string | null } {
  switch (body.type) {
    case 'add_concept':
      return { target: conceptTarget(body.id), other: null };
    case 'change_concept': {
      const { id, name } = body;
      return { target: conceptTarget(id), other: name === undefined ? null : namedTarget(conceptId(domain, name)) };
    }
    case 'add_edge':
    case 'remove_edge':
      return { target: edgeTarget(body), other: null };
    case 'change_edge': {
      const { new_relation: relation } = body;
      return { target: edgeTarget(body), other: relation === undefined ? null : edgeTarget({ ...body, relation }) };
    }
    case 'add_rule':
    case 'change_rule':
    case 'remove_rule':
      return { target: ruleTarget(body.rule_id), other: null };
    case 'merge':
      return { target: mergeTarget(body.from_id), other: null };
    case 'remove_message':
      return { target: messageTarget(body), other: null };
    case 'remove_session':
      return { target: sessionTarget(body), other: null };
  }
}

export const conceptTarget = (id: string): string => `concept|${id}`;
/** Names a concept by what sources that call it by its new name mean. */
export const namedTarget = (id: string): string => `named|${id}`;
export const ruleTarget = (id: string): string => `rule|${id}`;
export const mergeTarget = (fromId: string): string => `merge|${fromId}`;
export const edgeTarget = ({ source, relation, target }: EdgeName): string => `edge|${source}|${relation}|${target}`;
export const sessionTarget = ({ source_id }: { readonly source_id: string }): string => `session|${source_id}`;
export const messageTarget = (message: { readonly source_id: string; readonly identity: string }): string =>
  `message|${message.source_id}|${message.identity}`;
