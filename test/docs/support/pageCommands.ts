// The commands on the pages: what a reader types, line by line.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface PageCommand {
  readonly page: string;
  /** In one line, without its comment. */
  readonly text: string;
}

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name).replaceAll(path.sep, '/'))
    .filter((file) => /\.md$/.test(file) && !/\/(?:node_modules|dist|target)\//.test(file))
    .sort();

const pages = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs'), ...markdownIn('packages')];

const BLOCK = /^( *)```(\w*)\n(.*?)^\1```/gms;

/** A block without a language may be anything: a drawing, a protocol, or commands. */
const A_COMMAND = /^(?:wallet-companion|npm|npx|node|cp|make|printf|curl|openssl) /;

export function pageCommands(): readonly PageCommand[] {
  return pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(BLOCK)].flatMap(([, , language = '', block = '']) =>
      commandsIn(language, block).map((text) => ({ page, text })),
    ),
  );
}

function commandsIn(language: string, block: string): readonly string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  if (language === 'console')
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  const isShell = language === 'sh' || (language === '' && A_COMMAND.test(block));
  if (!isShell) return [];
  // A script is one command.
  if (block.startsWith('#!')) return [block.trimEnd()];
  return lines.map((line) => line.replace(/(?:^|\s+)# .*$/, '')).filter((line) => line.trim() !== '');
}

/** Commands within the text, in words: `wallet-companion sync`, or shorter `sync --to-tip`. Its `first` words are known. */
export function inlineCommands(first: ReadonlySet<string>): readonly PageCommand[] {
  return pages
    .filter((page) => !page.startsWith('docs/api'))
    .flatMap((page) =>
      [
        ...readFileSync(page, 'utf8')
          .replaceAll(BLOCK, '')
          .matchAll(/`([^`\n]+)`/g),
      ].flatMap(([, span = '']) => {
        const named = /^wallet-companion (?=\S)/.exec(span);
        const text = span.replace(/^wallet-companion /, '');
        const short =
          text.includes(' ') && /^[\w\s[\]/.,:=*"'-]+$/.test(text) && first.has(text.split(' ')[0] ?? '');
        return named !== null || short ? [{ page, text }] : [];
      }),
    );
}
