import { TsJestTransformer } from 'ts-jest';

/**
 * Globals of the language that sources use in inner loops. In a realm made by `node:vm` each use of a global asks the
 * realm's interceptor, which takes 125 ns; a constant of the module takes 2 ns.
 */
const GLOBALS = [
  ...['Array', 'BigInt', 'Boolean', 'Infinity', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise', 'Set'],
  ...['String', 'Float32Array', 'Float64Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Uint8Array', 'Uint16Array'],
  ...['Uint32Array', 'Buffer'],
];

/** Removes the types with ts-jest, which packages have none of, and makes the globals that a module uses constants of the module. */
class Transformer extends TsJestTransformer {
  process(code, path, ...given) {
    return withConstants(isOfPackage(path) ? { code } : super.process(code, path, ...given));
  }

  async processAsync(code, path, ...given) {
    return withConstants(isOfPackage(path) ? { code } : await super.processAsync(code, path, ...given));
  }

  getCacheKey(...given) {
    return `${super.getCacheKey(...given)}-${GLOBALS.length}`;
  }
}

const isOfPackage = (path) => path.includes('/node_modules/');

function withConstants(result) {
  const imports = (result.code.match(/^import\b[^;]*;/gm) ?? []).join('\n');
  const names = GLOBALS.filter((name) => {
    const word = new RegExp(`\\b${name}\\b`, 'u');
    const declared = new RegExp(`\\b(?:class|const|function|let|var)\\s+${name}\\b`, 'u');
    return word.test(result.code) && !word.test(imports) && !declared.test(result.code);
  });
  return names.length === 0 ? result : { ...result, code: `const { ${names} } = globalThis;${result.code}` };
}

export default { createTransformer: (options) => new Transformer(options) };
