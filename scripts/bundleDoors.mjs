// Makes the modules that other programs import (`exports` in package.json) whole: code and types of every package that they need
// come along, because an installation has none of these packages.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { licencesOf, packagesIn } from './licences.mjs';

const out = path.resolve(process.env.WALLET_COMPANION_OUT ?? 'dist');
const compiled = path.join(out, 'src', 'ipc');
const doors = path.join(out, 'ipc');
const types = path.join(doors, 'types');
const modulesFolder = path.resolve('node_modules');

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = Object.keys(exports).flatMap((door) => /^\.\/ipc\/(\w+)$/.exec(door)?.[1] ?? []);

rmSync(doors, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: names.map((name) => path.join(compiled, `${name}.js`)),
  outdir: doors,
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
  metafile: true,
});
writeFileSync(path.join(doors, 'LICENSES.txt'), licencesOf(packagesIn(metafile)));

/** Modules in declarations, as the compiler writes them. */
const REFERENCE = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g;
const PACKAGE = /^((?:@[^/]+\/)?[^/]+)(.*)$/;

/** The declaration that a module names; undefined for Node's own. */
function declarationOf(module, from) {
  if (module.startsWith('node:')) return undefined;
  if (module.startsWith('.')) return path.resolve(path.dirname(from), module.replace(/\.[jt]s$/, '.d.ts'));
  const [, name, door] = PACKAGE.exec(module);
  const folder = path.join(modulesFolder, name);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { types: ofDoor, import: imported } = manifest.exports[`.${door}`];
  // Beside an ES module, where a package has CommonJS too.
  return path.join(folder, imported?.replace(/\.js$/, '.d.ts') ?? ofDoor);
}

/** The folders between two declarations stay as they are. */
const placeOf = (file) =>
  path.join(
    types,
    file.startsWith(modulesFolder + path.sep)
      ? path.join('packages', path.relative(modulesFolder, file))
      : path.relative(path.join(out, 'src'), file),
  );

const copied = new Set();
function copyTypes(file) {
  if (copied.has(file)) return;
  copied.add(file);
  const place = placeOf(file);
  const text = readFileSync(file, 'utf8').replaceAll(REFERENCE, (whole, before, quote, module) => {
    const target = declarationOf(module, file);
    if (target === undefined) return whole;
    copyTypes(target);
    const named = path.relative(path.dirname(place), placeOf(target)).split(path.sep).join('/');
    const relative = named.startsWith('.') ? named : `./${named}`;
    return `${before}${quote}${relative.replace(/\.d\.ts$/, '.js')}${quote}`;
  });
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}
for (const name of names) copyTypes(path.join(compiled, `${name}.d.ts`));
