// The hand-written pages against what they describe.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ERRORS } from '../../src/protocol/errors.ts';
import { CONFIG_KEYS } from '../../src/storage/config/configValues.ts';

/** Sorted, with `/` on every system; nothing that is installed or built. */
const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name).replaceAll(path.sep, '/'))
    .filter((file) => ending.test(file) && !/(?:^|\/)(?:node_modules|dist|target)\//.test(file))
    .sort();

const docs = filesIn('docs', /\.md$/);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...docs,
  ...['src', 'packages', 'packaging', 'test'].flatMap((folder) => filesIn(folder, /\.md$/)),
];

const read = (file: string): string => readFileSync(file, 'utf8');
const configuration = read('docs/operations/configuration.md');
const errorPage = read('docs/operations/errors.md');

/** First cells of the rows of every table. */
const rowNames = (text: string): string =>
  [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join();

/** What the build makes is in no clone, and not where people read the pages. */
const ignored = read('.gitignore')
  .split('\n')
  .filter((line) => /^\/\w/.test(line))
  .map((line) => line.slice(1));

/** The text without code: what looks like a link or a heading there is none. */
const prose = (page: string): string =>
  read(page)
    .replaceAll(/^( *)```.*?^\1```/gms, '')
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[\]([]/g, '_'));

interface Link {
  readonly page: string;
  readonly target: string;
  /** From the repository's root. */
  readonly file: string;
  readonly anchor: string | undefined;
}

const linksOf = (page: string): Link[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [name = '', anchor] = target.split('#');
      const file = name === '' ? page : path.posix.join(path.posix.dirname(page), name);
      return { page, target, file, anchor };
    });

const links = pages.flatMap(linksOf);

test('links between the pages lead somewhere', (t) => {
  t.true(links.length > 500);
  for (const { page, target, file } of links) {
    t.true(existsSync(file), `${page} links to ${target}`);
    t.false(
      ignored.some((made) => file.startsWith(made)),
      `${page} links to ${target}, which is not in git`,
    );
  }
});

/** As the usual renderers make them of the headings; a second heading of the same text has a number. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
    let name = anchor;
    for (let count = 1; anchors.has(name); count += 1) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
};

test('links to a heading find it', (t) => {
  for (const { page, target, file, anchor } of links)
    if (anchor !== undefined) t.true(anchorsOf(file).has(anchor), `${page} links to ${target}`);
});

test('README leads to every page of docs/, over other pages where needed', (t) => {
  const reached = new Set(['README.md']);
  for (const page of reached)
    for (const { file } of linksOf(page)) if (file.endsWith('.md')) reached.add(file);
  t.deepEqual(
    docs.filter((page) => !reached.has(page)),
    [],
  );
});

test('the first screen of README leads to a page for each role, which begins with the reader and one thing to do', (t) => {
  const firstScreen = read('README.md').split('\n## ')[0] ?? '';
  const names = ['first-wallet', 'till', 'tax-year', 'devices', 'operations', 'developers', 'glossary'];
  for (const page of [...names, 'inside/README'].map((name) => `docs/${name}.md`)) {
    t.true(firstScreen.includes(`](${page})`), page);
    t.regex(read(page), /^# .+\n\nYou .+: \S/, page);
  }
});

test('pages that the code names are there, with their headings', (t) => {
  const sources = ['src', 'packages', 'scripts', 'test', 'bench', 'packaging', '.ci'].flatMap((folder) =>
    filesIn(folder, /\.(?:ts|mjs|js|c|h|rs|ya?ml|html|json)$|Containerfile$|\/run$/),
  );
  let named = 0;
  for (const source of sources)
    for (const [name, page = '', anchor] of read(source).matchAll(
      /(?<![\w/])(docs\/[a-z][\w/-]*\.md)(?:#([\w-]+))?/g,
    )) {
      // A package may have pages of its own under that name.
      const [, own = ''] = /^(packages\/\w+\/)/.exec(source) ?? [];
      const file = [page, own + page].find((at) => existsSync(at));
      t.not(file, undefined, `${source} names ${name}`);
      if (anchor !== undefined) t.true(anchorsOf(file ?? page).has(anchor), `${source} names ${name}`);
      named += 1;
    }
  t.true(named > 30);
});

/** What a person reads in one go. */
const PAGE_BYTES = 15_000;

/** Longer ones, in which a reader looks something up. They say so before their first section. */
const REFERENCES = [
  'docs/api.md',
  'docs/api/books.md',
  'docs/api/invoices.md',
  'docs/api/payments.md',
  'docs/api/wallet.md',
];

test('a page that is no reference can be read in one go', (t) => {
  const long = docs.filter((page) => Buffer.byteLength(read(page)) > PAGE_BYTES);
  t.deepEqual(long, REFERENCES);
  for (const page of REFERENCES) t.regex(read(page).split('\n## ')[0] ?? '', /\breference\b/i, page);
});

for (const name of ['base', 'zcash', 'pczt', 'kernel', 'client', 'dashboard', 'fleet', 'devnet'])
  test(`packages/${name}: every door is in the README's list`, (t) => {
    const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as { exports: object };
    const doors = Object.keys(exports)
      .filter((door) => !/^\.\/(?:package\.json|test\/\*|bench\/\*)$/.test(door))
      .map((door) => door.replace('./', ''));
    const listed = [
      ...read(`packages/${name}/README.md`).matchAll(
        /^\| \[?`(?:\.\/)?([\w/*]*[\w*]|\.)`(?:\]\([^)]*\))? \|/gm,
      ),
    ].map(([, door]) => door);
    t.deepEqual(listed.sort(), doors.sort());
  });

test('README leads to every page of the API reference', (t) => {
  const readme = read('README.md');
  t.deepEqual(
    readdirSync('docs/api').filter((name) => !readme.includes(`](docs/api/${name})`)),
    [],
  );
});

test('every decision is in the list of decisions', (t) => {
  const list = read('docs/inside/decisions/README.md');
  const decisions = readdirSync('docs/inside/decisions').filter((name) => /^\d{4}-/.test(name));
  t.deepEqual(
    decisions.filter((name) => !list.includes(`](${name})`)),
    [],
  );
});

test('docs/operations/configuration.md has every key of config.json', (t) => {
  const rows = rowNames(configuration);
  t.deepEqual(
    CONFIG_KEYS.filter((key) => !rows.includes(`\`${key}\``)),
    [],
  );
});

test('docs/operations/errors.md says what to do about every error', (t) => {
  const rows = rowNames(errorPage);
  // These come from a mistaken call, and their text says what is wrong with it.
  const obvious = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];
  const left = Object.keys(ERRORS).filter(
    (code) => !code.startsWith('INVALID_') && !obvious.includes(code) && !rows.includes(`\`${code}\``),
  );
  t.deepEqual(left, []);
});
