import type { Generated } from 'kysely';

/** What people changed by hand. */
export interface EditTables {
  /** The log: one row an edit; it counts until it is undone. */
  edit: {
    ref: Generated<number>;
    /** Public id. */
    id: string;
    domain: number;
    type: string;
    /** What it changes, as `targetsOf` names it; a change of a relation also concerns `other`. */
    target: string;
    other: string | null;
    /** JSON: the edit as it was requested, and what was visible before it. */
    body: string;
    before: string;
    created_at: string;
    undone_at: string | null;
  };
  /** Messages that an edit hides: passages as JSON, from which undoing writes them again. */
  removed_message: {
    source_id: string;
    /** As in `session_message`. */
    identity: string;
    turn: number;
    /** Name of the domain. */
    domain: string;
    body: string;
  };
}
