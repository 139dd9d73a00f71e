// The reference of the protocol's packages: a page for each door in docs/api/ of its package, made of the declarations that the compiler writes and
// their doc comments. `npm run generate` writes the pages; a test holds that they are up to date.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOCOL } from './packages.mjs';

/** Generated itself, from compact.proto. */
const LEFT_OUT = ['./compactProto'];

/** Comments and texts as blanks of the same length, so that brackets in them do not count. */
const withoutTexts = (text) =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );

/** The statements of a declaration file: each with the doc comment before it. */
function statementsOf(text) {
  const bare = withoutTexts(text);
  const statements = [];
  let [start, depth] = [0, 0];
  for (let at = 0; at < bare.length; at++) {
    if ('{(['.includes(bare[at])) depth++;
    if ('})]'.includes(bare[at])) depth--;
    const endsBlock =
      bare[at] === '}' &&
      /^\s*(?:export )?(?:declare )?(?:abstract )?(?:class|interface)\b/.test(bare.slice(start));
    if (depth > 0 || !(bare[at] === ';' || endsBlock)) continue;
    const [, comment, code] = /^\s*(?:\/\*\*([\s\S]*?)\*\/\s*)?([\s\S]*)$/.exec(text.slice(start, at + 1));
    statements.push({ comment: comment && plain(comment), code });
    start = at + 1;
  }
  return statements;
}

const plain = (comment) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim();

const NAMED = /^(?:export )?(?:declare )?(?:abstract )?(function|const|class|interface|type) (\w+)/;

const modules = new Map();

/** What a module declares by name, and what it exports: by name the module and the name there. */
function moduleAt(file) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const made = { file, declared: new Map(), exported: new Map(), imported: new Map() };
  modules.set(file, made);
  for (const { comment, code } of statementsOf(readFileSync(file, 'utf8'))) {
    const [, kind, name] = NAMED.exec(code) ?? [];
    if (name !== undefined) {
      const others = made.declared.get(name) ?? [];
      made.declared.set(name, [...others, { kind, name, comment, code }]);
      if (code.startsWith('export ')) made.exported.set(name, { file, name });
    }
    const [, list, from] = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/.exec(code) ?? [];
    if (list === undefined) continue;
    const target =
      from === undefined ? file : path.join(path.dirname(file), from.replace(/\.[jt]s$/, '.d.ts'));
    for (const item of list.split(',').map((text) => text.trim().replace(/^type /, ''))) {
      const [inner, outer = inner] = item.split(' as ');
      if (inner !== '') made.exported.set(outer, { file: target, name: inner });
    }
  }
  return made;
}

/** Where a name is declared. */
function declarationOf(file, name) {
  const module = moduleAt(file);
  const exported = module.exported.get(name);
  if (exported !== undefined && exported.file !== file) return declarationOf(exported.file, exported.name);
  return { module, declarations: module.declared.get(exported?.name ?? name) ?? [] };
}

/** Types that no door exports but that stand in what is shown; `found` has those that the page shows already. */
function hiddenTypes(module, code, found) {
  const fresh = [];
  for (const [, name] of withoutTexts(code).matchAll(/\b([A-Z]\w*)\b/g)) {
    const there = declarationOf(module.imported.get(name) ?? module.file, name);
    const [declared] = there.declarations;
    if (
      declared === undefined ||
      found.has(declared) ||
      (declared.kind !== 'interface' && declared.kind !== 'type')
    )
      continue;
    found.add(declared);
    fresh.push(declared, ...hiddenTypes(there.module, declared.code, found));
  }
  return fresh;
}

/** As people write it: two spaces, and nothing that callers cannot use. */
const shown = (code) =>
  code
    .replaceAll(/^(?:export )?(?:declare )?/gm, '')
    .replaceAll(/import\("[^"]+"\)\./g, '')
    .replaceAll(/^\s*(?:#private|private [^;]*);\n/gm, '')
    .replaceAll(/^ +/gm, ({ length }) => ' '.repeat(2 * Math.floor(length / 4) + (length % 4)));

const withComment = ({ comment, code }) =>
  (comment === undefined ? '' : `/** ${comment.replaceAll('\n', '\n * ')} */\n`) + shown(code);

const doorsOf = (root) => {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([door, { types }]) => types !== undefined && !LEFT_OUT.includes(door))
    .map(([door, { types }]) => ({
      name: path.posix.join(name, door),
      page: `${root}/docs/api/${path.posix.basename(door)}.md`,
      types: path.join(root, types),
      source: path.join(root, types.replace('/dist/', '/').replace(/d\.ts$/, 'ts')),
    }));
};
const doors = () => PROTOCOL.flatMap(doorsOf);

const headerOf = (source) =>
  (/^(?:\/\/.*\n)+/.exec(readFileSync(source, 'utf8'))?.[0] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')
    .trim();

const namesOf = (door) => [...moduleAt(door.types).exported.keys()];

/** What the doors export is shown where it is exported, and nowhere else. */
const exportedTypes = () =>
  doors().flatMap((door) => namesOf(door).flatMap((name) => declarationOf(door.types, name).declarations));

function pageOf(door) {
  const found = new Set(exportedTypes());
  const parts = namesOf(door).map((name) => {
    const { module, declarations } = declarationOf(door.types, name);
    const code = declarations.map((one) => one.code).join('\n\n');
    const hidden = hiddenTypes(module, code, found).map(withComment);
    const comments = declarations.flatMap(({ comment }) => comment ?? []);
    return [`## ${name}`, `\`\`\`ts\n${[shown(code), ...hidden].join('\n\n')}\n\`\`\``, ...comments].join(
      '\n\n',
    );
  });
  const head = `# ${door.name}\n\n<!-- Made of the doc comments by \`npm run generate\`; do not edit. -->\n\n${headerOf(door.source)}`;
  return `${[head, ...parts].join('\n\n')}\n`;
}

/** The pages by their files. */
export const apiPages = () => new Map(doors().map((door) => [door.page, pageOf(door)]));

/** What can be called, or made, and says nothing of how. */
export const undocumented = () =>
  doors().flatMap((door) =>
    namesOf(door)
      .filter((name) => {
        const { declarations } = declarationOf(door.types, name);
        const canBeCalled = declarations.some(
          ({ kind, code }) =>
            kind === 'function' ||
            kind === 'class' ||
            (kind === 'const' && /: (?:<.*>)?\(.*=>/s.test(withoutTexts(code))),
        );
        return declarations.length === 0 || (canBeCalled && !declarations.some(({ comment }) => comment));
      })
      .map((name) => `${door.name} ${name}`),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...PROTOCOL], { stdio: 'inherit' });
  const pages = apiPages();
  for (const root of PROTOCOL) {
    const folder = `${root}/docs/api`;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder))
      if (!pages.has(`${folder}/${name}`)) rmSync(path.join(folder, name));
  }
  for (const [page, text] of pages) writeFileSync(page, text);
}
