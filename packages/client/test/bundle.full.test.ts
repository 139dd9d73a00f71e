// What a page loads of the client: few bytes, and nothing but the package itself.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');

for (const [door, maxBytes] of [
  ['index', 10_000],
  ['checkout', 8_000],
] as const)
  test(`${door}: a bundle for browsers is small, and is made of the package alone`, async (t) => {
    // For a browser it fails where a module of Node is imported.
    const { outputFiles, metafile } = await build({
      entryPoints: [path.join(ROOT, `dist/src/doors/${door}.js`)],
      absWorkingDir: ROOT,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
    });
    const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
    t.true(bytes <= maxBytes, `${bytes} bytes`);
    const parts = Object.keys(metafile.inputs);
    t.true(parts.length > 5);
    t.deepEqual(
      parts.filter((file) => !file.startsWith('dist/src/')),
      [],
    );
  });

test('an installation needs nothing else', (t) => {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as object;
  const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies'];
  t.deepEqual(
    kinds.filter((kind) => kind in manifest),
    [],
  );
});
