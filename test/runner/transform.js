import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { buildSync, version } from 'esbuild';
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
/** Where ts-jest puts the source map: every test file would read and compile it again with each module. */
const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,([A-Za-z0-9+/=]+)\s*$/u;
const OWN = readFileSync(new URL(import.meta.url));

/**
 * Removes the types with ts-jest, makes one module of a package of many, and makes the globals that a module uses constants of the
 * module.
 */
class Transformer extends TsJestTransformer {
  process(source, path, options) {
    if (isOfPackage(path)) return { code: withConstants(bundled(path, options.supportsStaticESM ? 'esm' : 'cjs')) };
    return beside(super.process(source, path, options));
  }

  async processAsync(source, path, options) {
    if (isOfPackage(path)) return this.process(source, path, options);
    return beside(await super.processAsync(source, path, options));
  }

  getCacheKey(source, path, options) {
    const hash = createHash('sha1')
      .update(OWN)
      .update(super.getCacheKey(source, path, options));
    if (isOfPackage(path)) hash.update(version).update(manifest(path));
    return hash.digest('hex');
  }
}

const isOfPackage = (path) => path.includes(`${sep}node_modules${sep}`);

/** Takes the source map out of the code. */
function beside({ code }) {
  const [comment, map] = INLINE_MAP.exec(code) ?? [];
  if (comment === undefined) return { code: withConstants(code) };
  return { code: withConstants(code.slice(0, -comment.length)), map: withoutSources(map) };
}

/** The sources lie where the map says. */
function withoutSources(base64) {
  const { sourcesContent: _, ...map } = JSON.parse(Buffer.from(base64, 'base64').toString());
  return map;
}

/** The whole package in one module: its hundreds of modules would be resolved, read and linked anew for each test file. */
function bundled(path, format) {
  const target = { target: 'es2022', logLevel: 'error', platform: 'node' };
  return buildSync({ ...target, format, entryPoints: [path], bundle: true, write: false }).outputFiles[0].text;
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

export default { createTransformer: (options) => new Transformer(options) };
