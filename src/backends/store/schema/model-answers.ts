import type { Generated } from 'kysely';

/** Answers of language models, kept so that the same text is not sent twice. Safe to empty at any time. */
export interface ModelAnswerTables {
  model_answer: {
    /** Grows: the lowest are the oldest. */
    id: Generated<number>;
    model: string;
    /** SHA-256 in hex of all that decides the answer. */
    key: string;
    /** JSON of the requested schema. */
    answer: string;
  };
}
