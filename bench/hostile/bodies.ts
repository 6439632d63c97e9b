import { around, listed, STRUCTURED } from './fill.js';
import { MORE_HOSTILE_JSON } from './more-bodies.js';

/** Hostile JSON by name, made for a size in characters; every member that some route reads as text, list or object occurs. */
export const HOSTILE_JSON: Readonly<Record<string, (size: number) => string>> = {
  'keys of one object': listed('{', (i) => `"k${i}":${i}`, '}'),
  'keys of nested objects': around('{"context":{"a":', '{"b":1},"c":', '1}}'),
  'keys in a list of objects': listed('{"concepts":[', (i) => `{"name":"n${i}"}`, '],"domain":"h"}'),
  'open lists': around('{"context":', '[', ''),
  'an object in an object in an object': around('', '{"a":', ''),
  'empty lists in a list': around('{"candidates":[', '[],', '[]]}'),
  'empty objects in a list': around('{"vectors":[', '{},', '{}]}'),
  'one rule': around(`${STRUCTURED}],"rules":[{"text":"`, 'must not x ', '"}]}'),
  'a rule of distinct words': (size) =>
    `${STRUCTURED}],"rules":[{"text":"${Array.from({ length: size / 10 }, (_, i) => `word${i}`).join(' ')}"}]}`,
  'rules at their longest': listed(
    `${STRUCTURED}],"rules":[`,
    (i) => `{"text":"Rule ${i} ${'must not x '.repeat(900)}"}`,
    ']}',
  ),
  'rules of distinct words': listed(
    `${STRUCTURED}],"rules":[`,
    (i) => `{"text":"${Array.from({ length: 900 }, (_, j) => `w${i}x${j}`).join(' ')}"}`,
    ']}',
  ),
  'one description': around(`${STRUCTURED}{"name":"n","description":"`, 'word ', '"}]}'),
  'descriptions at their longest': listed(
    STRUCTURED,
    (i) => `{"name":"n${i}","description":"${'word '.repeat(19_999)}"}`,
    ']}',
  ),
  'one name': around(`${STRUCTURED}{"name":"`, 'n', '"}]}'),
  'names at their longest': listed(STRUCTURED, (i) => `{"name":"${i} ${'n '.repeat(240)}"}`, ']}'),
  'properties of many members': listed(
    STRUCTURED,
    (i) =>
      `{"name":"n${i}","properties":{${Array.from({ length: 900 }, (_, j) => `"p${j}":"${'v'.repeat(30)}"`).join(',')}}}`,
    ']}',
  ),
  'a question': around('{"context":"', 'why ', '"}'),
  'a learner context': around('{"learner":"l","candidates":[{"id":"a"}],"context":{"a":"', 'x', '"}}'),
  'keys of a learner context': listed(
    '{"learner":"l","candidates":[{"id":"a"}],"context":{',
    (i) => `"k${i}":${i}`,
    '}}',
  ),
  'candidates of a learner': listed('{"learner":"l","candidates":[', (i) => `{"id":"arm${i}"}`, ']}'),
  'numbers of a vector': around('{"index_name":"i","vectors":[[', '1,', '1]]}'),
  'many vectors': around('{"index_name":"i","vectors":[', '[0.1,0.2,0.3,0.4],', '[1,1,1,1]]}'),
  'a list of names': listed('{"context":"why","domains":[', (i) => `"d${i}"`, ']}'),
  'a list of ids': listed('{"concept_ids":[', (i) => `"h:${i}"`, ']}'),
  outcomes: listed('{"query_id":"q","outcomes":{', (i) => `"h:${i}":"accepted"`, '}}'),
  escapes: around('{"text":"', '\\u0000', '","domain":"h"}'),
  'half surrogate pairs': around('{"context":"', '\\ud800', '"}'),
  'escaped quotes': around('{"text":"', '\\"', '","domain":"h","session_id":"s"}'),
  'a text of one word': around('{"text":"', 'a', '","domain":"h","session_id":"s"}'),
  'a text of words': around('{"text":"', 'The keeper counts. ', '","domain":"h","session_id":"s"}'),
  'a message at its longest': (size) =>
    around('{"session_id":"s","domain":"h","text":"', 'Ann met Bo in Rome. ', '"}')(Math.min(size, 999_000)),
  'a message of one word': (size) =>
    around('{"session_id":"s","domain":"h","text":"', 'a', '"}')(Math.min(size, 999_000)),
  'a message of distinct names': (size) =>
    `{"session_id":"s","domain":"h","text":"${Array.from({ length: Math.min(size, 900_000) / 12 }, (_, i) => `Name${i} Q`).join(' ')}"}`,
  'white space': around('{', ' ', '}'),
  'bytes that are not JSON': around('', '\u00ff', ''),
  ...MORE_HOSTILE_JSON,
};
