import type { TSchema } from '@sinclair/typebox';

/** What must never stand in a log or a span: keys, passwords in addresses, texts of documents, questions and rules. */
export const PLANTED = {
  apiKey: 'planted-api-key-7f3a',
  wrongKey: 'planted-wrong-key-91bc',
  hmac: 'planted-hmac-secret-5d20',
  learningKey: 'planted-learning-key-33aa',
  learningPassword: 'planted-learning-password',
  llmKey: 'planted-llm-key-c081',
  sourcePassword: 'planted-source-password',
  sourceUser: 'planted-source-user',
  document: 'planteddocumentword',
  question: 'plantedquestionword',
  rule: 'plantedruleword',
  reason: 'plantedreasonword',
  prompt: 'plantedpromptword',
  queryString: 'plantedquerystring',
  upload: 'planteduploadword',
  member: 'plantedmemberword',
  answer: 'plantedanswerword',
} as const;

/** A connection string of a database that does not answer. */
export const CONNECTION = `postgres://${PLANTED.sourceUser}:${PLANTED.sourcePassword}@127.0.0.1:9/shop`;

/** Returns an input with a planted text in every member, of the type that the schema asks for where that is one of text. */
export function plantedInput(schema: TSchema): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  return Object.fromEntries(properties.map(([name, member]) => [name, plantedValue(name, member)]));
}

function plantedValue(name: string, { type, items }: TSchema): unknown {
  if (name === 'connection_string') return CONNECTION;
  if (type === 'array') return [plantedValue(name, (items ?? {}) as TSchema)];
  if (type === 'object') return { [PLANTED.member]: PLANTED.member, text: PLANTED.document };
  if (type === 'number' || type === 'integer') return 1;
  return type === 'boolean' ? false : `${PLANTED.document} ${PLANTED.member}`;
}
