/** @typedef {import('@vscode/tree-sitter-wasm').Node} Node */

/** Nodes that are looked into, below each other: more has no code that a person wrote. */
export const DEEPEST = 30;
export const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function']);
/** Values that hold pieces of their own. */
export const HOLDING = new Set(['object', 'class']);

/**
 * Returns the node whose pieces a declaration holds: of a class its body, of an object of functions itself, of a call the body of the function or block that it is given.
 * @param {Node} node @returns {Node}
 */
export function bodyOf(node) {
  const value = givenTo(node);
  if (value?.type === 'object') return value;
  return (functionGiven(node) ?? (value?.type === 'class' ? value : node)).childForFieldName('body') ?? node;
}

/** Returns what a node gives to a name, behind all names that it gives it to: `const a = module.exports = {}`. @param {Node} node @returns {Node | undefined} */
export function givenTo(node) {
  let given = declaratorsOf(node)[0] ?? node;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const next = given.childForFieldName(given.type === 'assignment_expression' ? 'right' : 'value');
    if (next === null) return given === node ? undefined : given;
    given = next;
    if (given.type !== 'assignment_expression') return given;
  }
  return undefined;
}

/** Returns whether a value is a function, a class or an object, so that its name is the one that it is given to. @param {Node} node */
export function isNamedByValue(node) {
  const type = givenTo(node)?.type ?? '';
  return FUNCTIONS.has(type) || HOLDING.has(type);
}

/** Returns the function that a call is given last, or the block of Ruby; undefined for none. @param {Node} node */
export function functionGiven(node) {
  if (node.type === 'call') return node.childForFieldName('block') ?? undefined;
  const last = node.type === 'call_expression' ? node.childForFieldName('arguments')?.namedChildren.at(-1) : undefined;
  return last != null && FUNCTIONS.has(last.type) ? last : undefined;
}

/** Returns what gives values to names, of a declaration with such: of `const a = 1, b = 2` both. @param {Node} node @returns {Node[]} */
export function declaratorsOf(node) {
  return node.namedChildren.flatMap((child) => {
    if (child?.type === 'var_spec_list') return declaratorsOf(child);
    return child !== null && /^variable_declarator$|_spec$/u.test(child.type) ? [child] : [];
  });
}
