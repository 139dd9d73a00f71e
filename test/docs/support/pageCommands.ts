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
