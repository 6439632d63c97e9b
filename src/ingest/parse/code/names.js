import { DEEPEST, declaratorsOf, functionGiven, givenTo, isNamedByValue } from './given.js';

/** @typedef {import('@vscode/tree-sitter-wasm').Node} Node */
/** @typedef {import('./languages.js').Language} Language */

const LONGEST_NAME = 120;
/** Nodes of scripts that are called as what they are given to. */
const GIVEN = new Set(['assignment_expression', 'call_expression', 'call', 'pair', 'export_statement']);
/** The first argument of a call that says what the call is of: a text, and in Ruby a class or a symbol. */
const SAYS_WHAT = /string$|^(?:constant|scope_resolution|simple_symbol)$/u;

/** Returns the name that a node declares, or the names, divided by commas; empty where it declares none. @param {Node} node @param {Language} language */
export function nameOf(node, language) {
  if (GIVEN.has(node.type)) return givenName(node).slice(0, LONGEST_NAME);
  const [named, ...more] = namesIn(node);
  const own = (named?.text ?? implemented(node)).replace(/<[^<>]{0,100}>/gu, '').replace(/\s+/gu, ' ');
  const receiver = receiverOf(node);
  const name = receiver === null || own === '' ? own : `${receiver.text}${language.joint}${own}`;
  return name.length <= LONGEST_NAME ? withOthers(name, more) : '';
}

/** Returns the nodes of the names that a node declares. @param {Node} node @returns {Node[]} */
function namesIn(node) {
  const own = node.childForFieldName('name');
  if (own !== null) return [own];
  const given = declaratorsOf(node).flatMap((one) => one.childrenForFieldName('name').filter((name) => name !== null));
  const last = declaredName(node);
  return given.length > 0 || last === null ? given : [last];
}

/** Returns a name with those behind it, as many as there is room for. @param {string} name @param {readonly Node[]} others */
function withOthers(name, others) {
  let names = name;
  for (const { type, text } of others) {
    // A grammar gives the comma between two names as a part of them.
    if (type === ',') continue;
    if (names.length + text.length + 2 > LONGEST_NAME) break;
    names += `, ${text}`;
  }
  return names;
}

/** Returns the name of what a script gives a function to: `exports.load` of an assignment, `app.get('/rows')` of a call. @param {Node} node */
function givenName(node) {
  if (node.type === 'call_expression' || node.type === 'call') {
    const [first] = node.childForFieldName('arguments')?.namedChildren ?? [];
    const isNamed = functionGiven(node) !== undefined && first != null && SAYS_WHAT.test(first.type);
    return isNamed ? `${calledIn(node)}(${first.text})` : '';
  }
  if (!isNamedByValue(node)) return '';
  const own = givenTo(node)?.childForFieldName('name')?.text;
  return own ?? node.childForFieldName(node.type === 'pair' ? 'key' : 'left')?.text ?? 'default';
}

/** Returns what a node calls: `app.get` of a script, `describe` of `RSpec.describe` in Ruby. @param {Node} call */
function calledIn(call) {
  return (call.childForFieldName('function') ?? call.childForFieldName('method'))?.text;
}

/** Returns what an `impl` of Rust is of: `Store`, `Display for Store`. @param {Node} node */
function implemented(node) {
  if (node.type !== 'impl_item') return '';
  const [trait, type] = ['trait', 'type'].map(
    (field) => node.childForFieldName(field)?.text.replace(/<.*>/su, '') ?? '',
  );
  return trait === '' ? (type ?? '') : `${trait} for ${type}`;
}

/** Returns the name within declarators of C, which stand around it: `int *main(void)`. @param {Node} node */
function declaredName(node) {
  let inner = node.childForFieldName('declarator');
  for (let depth = 0; inner !== null && depth < DEEPEST; depth += 1) {
    const next = inner.childForFieldName('declarator');
    if (next === null) return inner;
    inner = next;
  }
  return node.namedChildren.find((child) => child?.type === 'function_name' || child?.type === 'simple_name') ?? null;
}

/** Returns the type that a method of Go is of: `Store` of `func (s *Store) Load()`. @param {Node} node */
function receiverOf(node) {
  const receiver = node.type === 'method_declaration' ? node.childForFieldName('receiver') : null;
  return receiver?.descendantsOfType('type_identifier')[0] ?? null;
}
