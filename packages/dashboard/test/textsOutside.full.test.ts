// No text of the pages stands outside the folder of texts. esbuild reads the sources, which starts its service.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { transformSync } from 'esbuild';
import { filesIn, root } from './helpers/allTexts.ts';

/** Words that a person reads: several of them, or one with a capital. */
const READ = /\p{L}{2,}[.,:;…]? +\p{L}|^\p{Lu}\p{Ll}+|\p{L}…/u;
/** Members whose strings only programs read, and calls. */
const FOR_PROGRAMS = /(?:^|[,{(])"?(?:class|d|font|kind|role|viewBox)"?:[^,{}()]*$/;
const CALLED = /\b(?:Error|querySelector(?:All)?|closest|matchMedia|from|import)\(?$/;
/** Keys and errors as browsers name them, and a command line. */
const NAMES = /^(?:Arrow(?:Left|Right)|Home|End|PCZT|\w+Error|\s*wallet-companion \w+)$/;

/** A regular expression, which stands where a value begins, or a string. */
const TOKEN =
  /(?<=[(,=:[!&|?{};>]|return)\/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+\/\w*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;

/** Types are taken out of the source before; markup becomes calls, and a template a chain of strings. */
const AS_STRINGS = {
  loader: 'tsx',
  jsx: 'automatic',
  minifyWhitespace: true,
  charset: 'utf8',
  supported: { 'template-literal': false },
} as const;

/** What a person would read of a page's source. */
const textsIn = (source: string): readonly string[] => {
  const { code } = transformSync(source, AS_STRINGS);
  return [...code.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    const text = token.slice(1, -1);
    const before = code.slice(Math.max(0, index - 300), index);
    const isRead = !token.startsWith('/') && READ.test(text) && !NAMES.test(text);
    return isRead && !FOR_PROGRAMS.test(before) && !CALLED.test(before) ? [text] : [];
  });
};

test('no page has a text outside the folder of texts', (t) => {
  const files = [...filesIn('page'), ...filesIn('model')];
  t.true(files.length > 50);
  for (const name of files) t.deepEqual(textsIn(readFileSync(path.join(root, name), 'utf8')), [], name);
});

test('a text of a page is found wherever it is written', (t) => {
  for (const source of [
    '<p>Hello</p>',
    '<p>{isOn ? "Is on" : label}</p>',
    '<Hint text="Read this" />',
    'const HELP = "left empty, all of it";',
    `const sum = \`about \${count} blocks are missing\`;`,
    'throw new Objection("This is wrong.");',
  ])
    t.is(textsIn(source).length, 1, source);
  for (const source of ['<p class="quiet small" />', 'import x from "./Some text";', '<b>·</b>'])
    t.deepEqual(textsIn(source), [], source);
});
