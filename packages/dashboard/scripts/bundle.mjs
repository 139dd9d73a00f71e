// Bundles the page for browsers into dist/page: its script with preact and uplot and their licences, its style sheet, and
// what is served as it is. With `--watch` script and styles again and again.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, context } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'src', 'page');
const out = path.join(root, 'dist', 'page');

const options = {
  entryPoints: [path.join(page, 'main.tsx'), path.join(page, 'style.css')],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};
if (process.argv.includes('--watch')) await (await context(options)).watch();
else await build(options);

for (const name of ['index.html', 'icon.svg']) cpSync(path.join(page, name), path.join(out, name));

const { resolve } = createRequire(import.meta.url);
const licences = ['preact', 'uplot'].map((name) => {
  const manifest = resolve(`${name}/package.json`);
  const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = path.dirname(manifest);
  const texts = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
  return [
    `${name} ${version} (${license})`,
    ...texts.map((file) => readFileSync(path.join(folder, file), 'utf8')),
  ];
});
writeFileSync(path.join(out, 'LICENSES.txt'), licences.flat().join('\n\n'));
