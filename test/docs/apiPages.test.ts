// The reference in the packages' docs/api is what the doc comments say, and what can be called has one.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

const { apiPages, undocumented } = (await import(
  pathToFileURL(path.resolve('scripts/apiPages.mjs')).href
)) as {
  apiPages(): ReadonlyMap<string, string>;
  undocumented(): readonly string[];
};

test('the pages are up to date (npm run generate)', (t) => {
  const pages = apiPages();
  t.true(pages.size > 20);
  const written = [...new Set([...pages.keys()].map((page) => path.posix.dirname(page)))].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  );
  t.deepEqual(written.sort(), [...pages.keys()].sort());
  for (const [page, text] of pages) t.true(readFileSync(page, 'utf8') === text, page);
});

test('every function and class of a door says what it does', (t) => {
  t.deepEqual(undocumented(), []);
});

test('the pages show no name of a door without its declaration, and each type once', (t) => {
  for (const [name, text] of apiPages()) {
    t.notRegex(text, /```ts\n\n?```/, name);
    const declared = [...text.matchAll(/^(?:interface|class) (\w+)/gm)].map(([, type]) => type);
    t.is(new Set(declared).size, declared.length, name);
  }
});
