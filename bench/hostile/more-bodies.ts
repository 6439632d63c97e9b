import { around, listed, STRUCTURED } from './fill.js';

/** Accents in an order that normalising has to sort, two bytes each. */
const accents = (count: number): string => '\u0301\u0316'.repeat(count / 2);
const inMessage = (unit: string) => (size: number) =>
  around(
    '{"session_id":"s","domain":"h","text":"a ',
    unit,
    '"}',
  )((Math.min(size, 999_000) / Buffer.byteLength(unit)) * unit.length);
const QUERY = '{"index_name":"i","query_vector":[1,1,1,1],"filter":';

/** Numbers, names, accents, marks, filters, edges: what the kinds of `bodies.ts` lack. */
export const MORE_HOSTILE_JSON: Readonly<Record<string, (size: number) => string>> = {
  'a number of very many digits': around('{"top_k":', '9', '}'),
  'a fraction of very many digits': around('{"min_confidence":0.', '3', '}'),
  'numbers of a thousand digits': listed('{"concept_ids":[', () => '9'.repeat(1000), ']}'),
  'one long key': around('{"', 'k', '":1}'),
  'long keys': listed('{', (i) => `"${'k'.repeat(2000)}${i}":1`, '}'),
  'one long key of a concept': around(`${STRUCTURED}{"name":"n","properties":{"`, 'k', '":1}}]}'),
  'text after the end': around('{}', ' {}', ''),
  accents: (size) => `{"context":"a${accents(size / 2 - 40)}"}`,
  'rules of accents': listed(`${STRUCTURED}],"rules":[`, (i) => `{"text":"Rule ${i}${accents(4900)}"}`, ']}'),
  'descriptions of accents': listed(STRUCTURED, (i) => `{"name":"n${i}","description":"a${accents(49_000)}"}`, ']}'),
  'names of accents': listed(STRUCTURED, (i) => `{"name":"${i}${accents(480)}"}`, ']}'),
  'a message of accents': (size) => `{"session_id":"s","domain":"h","text":"a${accents(Math.min(size, 999_000) / 2)}"}`,
  'a message of full stops': inMessage('. '),
  'a message of initials': inMessage('A.'),
  'a message of brackets': inMessage('['),
  'a message of line ends': inMessage('a\\n'),
  'a message of commands': inMessage('You must not use A with B. '),
  'a message of families': inMessage('\u{1f469}\u200d\u{1f467}'),
  'a message of ideographs': inMessage('\u6771'),
  'conditions of a filter': listed(`${QUERY}{"$or":[`, (i) => `{"a":${i}}`, ']}}'),
  'values of a filter': listed(`${QUERY}{"a":{"$in":[`, (i) => `${i}`, ']}}}'),
  'texts of a filter': listed(`${QUERY}{"a":{"$in":[`, (i) => `"v${i}"`, ']}}}'),
  'a path of a filter': around(`${QUERY}{"`, 'a.', 'a":1}}'),
  edges: listed(`${STRUCTURED}],"edges":[`, (i) => `{"source":"a${i}","target":"b${i}","relation":"USES"}`, ']}'),
  'edges of one pair': listed(`${STRUCTURED}],"edges":[`, () => '{"source":"a","target":"b","relation":"USES"}', ']}'),
  'concepts of one name': listed(STRUCTURED, () => '{"name":"n"}', ']}'),
  'concepts of rules': listed(
    `${STRUCTURED}],"rules":[`,
    (i) => `{"text":"t${i}","concepts":[${Array.from({ length: 9000 }, (_, j) => `"c${j}"`).join(',')}]}`,
    ']}',
  ),
  'concepts of an edit': listed('{"domain":"h","type":"add_rule","text":"t","concepts":[', (i) => `"c${i}"`, ']}'),
  'paths of a job': listed('{"domain":"h","paths":[', (i) => `"/p${i}"`, ']}'),
  'arms to reset': listed('{"arm_ids":[', (i) => `"a${i}"`, '],"learner":"l"}'),
  'documents of vectors': listed('{"index_name":"i","vectors":[[1]],"documents":[', (i) => `"d${i}"`, ']}'),
};
