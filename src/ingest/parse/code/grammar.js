import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import treeSitter from '@vscode/tree-sitter-wasm';

/** @typedef {import('@vscode/tree-sitter-wasm').Node} Node */

/** Processor time that the tree of one file may take, in milliseconds: written code takes less than 500 for each megabyte. */
const MOST_MS = 5000;

const folder = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
/** @type {Map<string, Promise<import('@vscode/tree-sitter-wasm').Language>>} */
const grammars = new Map();

/**
 * Returns what `read` makes of the root of a text's tree by a grammar; undefined where the tree would take too long. What is no code of that
 * language has a tree too, with nodes of errors. The tree is gone afterwards: it lies outside of the heap.
 * @template T
 * @param {string} grammar @param {string} text @param {(root: Node) => T} read
 * @returns {Promise<T | undefined>}
 */
export async function withTree(grammar, text, read) {
  const known = await grammarOf(grammar);
  const parser = new treeSitter.Parser();
  try {
    parser.setLanguage(known);
    const began = process.cpuUsage();
    const tree = parser.parse(text, null, { progressCallback: () => isOver(began) });
    if (tree === null) return undefined;
    try {
      return read(tree.rootNode);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

/** @param {NodeJS.CpuUsage} began */
function isOver(began) {
  const { user, system } = process.cpuUsage(began);
  return user + system > MOST_MS * 1000;
}

/** @param {string} name */
async function grammarOf(name) {
  ready ??= treeSitter.Parser.init();
  await ready;
  const known = grammars.get(name) ?? treeSitter.Language.load(join(folder, `tree-sitter-${name}.wasm`));
  grammars.set(name, known);
  return known;
}

/** @type {Promise<void> | undefined} */
let ready;
