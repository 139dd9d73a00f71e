// Answers the window's page when it requests companion://app/...: its own files, and the commands. Every request comes
// from our page, because only our window knows the scheme and it never shows another page.

import { readFile } from 'node:fs/promises';
import { CompanionError } from '../../protocol/errors.ts';
import type { Link } from '../../protocol/link.ts';
import { failure } from '../../protocol/result.ts';
import { type CommandResult, dispatchCommand, toCommandResult } from '../commands.ts';
import { MAX_REQUEST_BYTES } from '../lines.ts';

export interface PageRequest {
  readonly method: string;
  /** Decoded; begins with a slash. */
  readonly path: string;
  readonly body: Buffer;
}

export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

const INVOKE_PREFIX = '/invoke/';

interface PageFile {
  readonly name: string;
  readonly type: string;
}

const FILES: ReadonlyMap<string, PageFile> = new Map([
  ['/', { name: 'index.html', type: 'text/html' }],
  ['/page.js', { name: 'page.js', type: 'text/javascript' }],
  ['/balance.js', { name: 'balance.js', type: 'text/javascript' }],
  ['/syncToTip.js', { name: 'syncToTip.js', type: 'text/javascript' }],
  ['/style.css', { name: 'style.css', type: 'text/css' }],
]);

/** Never rejects for what a page can ask. A command's answer is a `CommandResult`, whatever it is. */
export function pageAnswerer(
  link: Pick<Link, 'dispatch'>,
  requestId: () => string,
): (request: PageRequest) => Promise<PageAnswer> {
  return async ({ method, path, body }) => {
    if (method === 'POST' && path.startsWith(INVOKE_PREFIX)) {
      return json(await invoke(link, path.slice(INVOKE_PREFIX.length), body, requestId()));
    }
    const file = method === 'GET' ? FILES.get(path) : undefined;
    if (file === undefined) return { status: 404, type: 'text/plain', body: Buffer.from('not found') };
    const text = await readFile(new URL(`./page/${file.name}`, import.meta.url));
    return { status: 200, type: `${file.type}; charset=utf-8`, body: text };
  };
}

async function invoke(
  link: Pick<Link, 'dispatch'>,
  command: string,
  body: Buffer,
  requestId: string,
): Promise<CommandResult<unknown>> {
  try {
    return toCommandResult(await dispatchCommand(link, command, parseArguments(body), requestId), requestId);
  } catch (thrown) {
    return toCommandResult(failure(thrown), requestId);
  }
}

function parseArguments(body: Buffer): unknown {
  if (body.length > MAX_REQUEST_BYTES) {
    throw new CompanionError('BODY_TOO_LARGE', 'The input must be at most 64 KiB.');
  }
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new CompanionError('INVALID_REQUEST', 'The arguments are not JSON.');
  }
}

const json = (value: unknown): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
});
