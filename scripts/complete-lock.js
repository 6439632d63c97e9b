// `node scripts/complete-lock.js`: names in package-lock.json the optional packages of other platforms. npm leaves them
// out where the registry at hand does not carry them, and `npm ci` then refuses the file, here and everywhere else.
// Run it after `npm install`; it changes nothing where nothing is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = Object.entries(lock.packages).flatMap(([place, entry]) =>
  Object.entries(place === '' ? {} : (entry.optionalDependencies ?? {}))
    .filter(([name]) => !isListed(place, name))
    .map(([name, range]) => [`node_modules/${name}`, described(name, range, entry)]),
);
if (added.length > 0) {
  const entries = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(entries);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(`${added.length} package(s) of other platforms added\n`);

/** As Node finds it: in the package's own node_modules, then in each one above. */
function isListed(place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (Object.hasOwn(lock.packages, `${folder === '' ? '' : `${folder}/`}node_modules/${name}`)) return true;
    if (folder === '') return false;
  }
}

/** Such packages carry system, processor and C library in their name and are asked for by exact version. */
function described(name, range, parent) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((word) => words.includes(word));
  const cpu = PROCESSORS.filter((word) => words.includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => /^gnu(e|$)/.test(word))
      ? ['glibc']
      : [];
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}
