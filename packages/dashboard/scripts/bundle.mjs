// Bundles the pages for browsers into dist/page: their scripts with the packages that it is made of and their licences, its style sheet, and
// what is served as it is; and beside it receipt.html, which has all of that in itself. With `--watch` script and styles again and again.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { licencesOf, packagesIn } from '../../../scripts/licences.mjs';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'src', 'page');
const out = path.join(root, 'dist', 'page');

/** What uplot hangs on itself for charts of other kinds, a tenth of the script. A version that spells them otherwise is refused. */
const UNUSED = /^\t+(?:\(paths\.(?:linear|bars|spline) +?= .*\)|uPlot\.(?:join|fmtDate|tzDate) +?= .*);$/gm;
const withoutUnused = {
  name: 'uplot without what no page draws',
  setup: ({ onLoad }) =>
    onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      if (text.match(UNUSED)?.length !== 6) throw new Error(`${file} is not as expected`);
      return { contents: text.replace(UNUSED, '') };
    }),
};

const options = {
  plugins: [withoutUnused],
  entryPoints: {
    main: path.join(page, 'main.tsx'),
    device: path.join(page, 'device', 'main.tsx'),
    scanner: path.join(page, 'device', 'scanner.ts'),
    style: path.join(page, 'style.css'),
  },
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
else {
  writeLicences(await build({ ...options, metafile: true }));
  await writeReceiptCheck();
}

for (const name of ['index.html', 'device.html', 'icon.svg', 'app.webmanifest'])
  cpSync(path.join(page, name), path.join(out, name));
cpSync(
  fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')),
  path.join(out, 'zxing.wasm'),
);

/** Writes those of every package outside this workspace that was bundled. */
function writeLicences({ metafile }) {
  const compiledIn =
    'zxing-cpp (Apache-2.0), compiled into zxing.wasm by zxing-wasm: the text is in LICENSE-APACHE\n';
  writeFileSync(path.join(out, 'LICENSES.txt'), `${licencesOf(packagesIn(metafile))}\n${compiledIn}`);
}

/**
 * The page that checks receipts, as one file that is opened from a disk as well as from any server. Its policy lets it load and send nothing;
 * script and style are allowed by their hashes.
 */
async function writeReceiptCheck() {
  const entryPoints = [path.join(page, 'receipt', 'main.tsx')];
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints,
    format: 'iife',
    metafile: true,
    write: false,
  });
  const script = outputFiles[0].text;
  if (/<\/script|<!--/i.test(script)) throw new Error('The script would end its element.');
  const style = readFileSync(path.join(out, 'style.css'), 'utf8');
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  const licences = licencesOf(packagesIn(metafile)).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const parts = { POLICY: policy, STYLE: style, LICENCES: licences, SCRIPT: script };
  const template = readFileSync(path.join(page, 'receipt.html'), 'utf8');
  writeFileSync(
    path.join(root, 'dist', 'receipt.html'),
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name]),
  );
}
