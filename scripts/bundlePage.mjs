// Bundles the dashboard's page for browsers: its script with preact and uplot, its style sheet, and what is served as it is. With `--watch`
// the first two again and again.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { build, context } from 'esbuild';

const page = path.join('src', 'dashboard', 'page');
const out = path.join(process.env.WALLET_COMPANION_OUT ?? 'dist', page);

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
