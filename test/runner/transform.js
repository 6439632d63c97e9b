import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { buildSync, transformSync, version } from 'esbuild';

/**
 * Globals of the language that sources use in inner loops. In a realm made by `node:vm` each use of a global asks the
 * realm's interceptor, which takes 125 ns; a constant of the module takes 2 ns.
 */
const GLOBALS = [
  ...['Array', 'BigInt', 'Boolean', 'Infinity', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise', 'Set'],
  ...['String', 'Float32Array', 'Float64Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Uint8Array', 'Uint16Array'],
  ...['Uint32Array', 'Buffer'],
];
const TARGET = { target: 'es2022', logLevel: 'error' };
const TYPES = { format: 'esm', loader: 'ts', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } };
/** Beside the code, not in it: every test file would read and compile it again with each module. */
const MAP = { sourcemap: 'external', sourcesContent: false };
const OWN = readFileSync(new URL(import.meta.url));

/** Removes the types, and makes the globals that a module uses constants of the module. */
const transformer = {
  canInstrument: false,

  process(source, path, { supportsStaticESM }) {
    if (isOfPackage(path)) return { code: withConstants(bundled(path, supportsStaticESM ? 'esm' : 'cjs')) };
    const { code, map } = transformSync(source, { ...TARGET, ...TYPES, ...MAP, sourcefile: path });
    return { code: withConstants(code), map };
  },

  getCacheKey(source, path) {
    const about = isOfPackage(path) ? manifest(path) : '';
    const hash = createHash('sha1').update(OWN).update(version).update(about);
    return hash.update(path).update('\0').update(source).digest('hex');
  },
};

const isOfPackage = (path) => path.includes(`${sep}node_modules${sep}`);

/** The whole package in one module: its hundreds of modules would be resolved, read and linked anew for each test file. */
function bundled(path, format) {
  const options = { ...TARGET, format, entryPoints: [path], bundle: true, platform: 'node', write: false };
  return buildSync(options).outputFiles[0].text;
}

/** The description of the package that a file of it belongs to, which tells its version. */
function manifest(path) {
  const folder = dirname(path);
  try {
    const text = readFileSync(`${folder}/package.json`, 'utf8');
    if (JSON.parse(text).version !== undefined) return text;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return manifest(folder);
}

function withConstants(code) {
  const imports = (code.match(/^import\b[^;]*;/gm) ?? []).join('\n');
  const names = GLOBALS.filter((name) => {
    const word = new RegExp(`\\b${name}\\b`, 'u');
    const declared = new RegExp(`\\b(?:class|const|function|let|var)\\s+${name}\\b`, 'u');
    return word.test(code) && !word.test(imports) && !declared.test(code);
  });
  return names.length === 0 ? code : `const { ${names} } = globalThis;${code}`;
}

export default transformer;
