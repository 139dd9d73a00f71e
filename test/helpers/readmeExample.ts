// The first example of a package's README, and what the page says that it prints.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

export interface ReadmeExample {
  readonly code: string;
  readonly shown: string;
}

/** `root`: the package's folder. */
export function exampleOf(root: string): ReadmeExample {
  const page = readFileSync(path.join(root, 'README.md'), 'utf8');
  const [, code = '', shown = ''] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
  return { code, shown };
}

export async function runsAsShown(t: ExecutionContext, root: string, { code, shown }: ReadmeExample) {
  // In the package, so that its name is known there.
  const cwd = mkdtempSync(path.join(root, 'dist', 'readme-'));
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(path.join(cwd, 'example.mjs'), code);
  const child = spawn(process.execPath, ['example.mjs'], { cwd });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  t.is(stdout, shown, stderr);
}
