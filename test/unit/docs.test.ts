// The hand-written pages against what they describe.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ERRORS } from '../../src/protocol/errors.ts';
import { CONFIG_KEYS } from '../../src/storage/config/configValues.ts';

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownIn('docs'), ...markdownIn('src')];

const operations = readFileSync('docs/operations.md', 'utf8');

/** First cells of the rows of every table. */
const rowNames = (text: string): string =>
  [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join();

/** What the build makes is in no clone, and not where people read the pages. */
const ignored = readFileSync('.gitignore', 'utf8')
  .split('\n')
  .filter((line) => /^\/\w/.test(line))
  .map((line) => line.slice(1));

test('links between the pages lead somewhere', (t) => {
  for (const page of pages) {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#]+)/g)) {
      if (/^https?:/.test(target)) continue;
      const file = path.join(path.dirname(page), target).replaceAll(path.sep, '/');
      t.true(existsSync(file), `${page} links to ${target}`);
      t.false(
        ignored.some((made) => file.startsWith(made)),
        `${page} links to ${target}, which is not in git`,
      );
    }
  }
});

/** As the usual renderers make it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

test('links to a heading find it', (t) => {
  for (const page of pages) {
    for (const [, target = '', anchor] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)) {
      const file = target === '' ? page : path.join(path.dirname(page), target);
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)];
      const anchors = headings.map(([, heading = '']) => anchorOf(heading));
      t.true(anchors.includes(anchor ?? ''), `${page} links to ${target}#${anchor}`);
    }
  }
});

for (const name of ['client', 'dashboard', 'fleet', 'devnet'])
  test(`packages/${name}: every door is in the README's list`, (t) => {
    const read = (file: string): string => readFileSync(`packages/${name}/${file}`, 'utf8');
    const { exports } = JSON.parse(read('package.json')) as { exports: object };
    const doors = Object.keys(exports).filter((door) => door !== './package.json');
    const listed = [...read('README.md').matchAll(/^\| `(\.[\w/]*)` \|/gm)].map(([, door]) => door);
    t.deepEqual(listed.sort(), doors.sort());
  });

test('README leads to every page of the API reference', (t) => {
  const readme = readFileSync('README.md', 'utf8');
  t.deepEqual(
    readdirSync('docs/api').filter((name) => !readme.includes(`](docs/api/${name})`)),
    [],
  );
});

test('every decision is in the list of decisions', (t) => {
  const list = readFileSync('docs/decisions/README.md', 'utf8');
  const decisions = readdirSync('docs/decisions').filter((name) => /^\d{4}-/.test(name));
  t.deepEqual(
    decisions.filter((name) => !list.includes(`](${name})`)),
    [],
  );
});

test('docs/operations.md has every key of config.json', (t) => {
  const rows = rowNames(operations);
  t.deepEqual(
    CONFIG_KEYS.filter((key) => !rows.includes(`\`${key}\``)),
    [],
  );
});

test('docs/operations.md says what to do about every error', (t) => {
  const rows = rowNames(operations);
  // These come from a mistaken call, and their text says what is wrong with it.
  const obvious = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];
  const left = Object.keys(ERRORS).filter(
    (code) => !code.startsWith('INVALID_') && !obvious.includes(code) && !rows.includes(`\`${code}\``),
  );
  t.deepEqual(left, []);
});
