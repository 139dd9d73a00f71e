// Answers the window's page when it requests companion://app/...: the dashboard's files, operations by name, and events.
// Every request comes from this page: only the window knows the scheme, and it never shows another page.

import { DASHBOARD_POLICY, type DashboardFile } from '@wallet-companion/dashboard';
import { CompanionError } from '../../protocol/errors.ts';
import { DEFAULT_INPUT_BYTES, inKib, inputLimit } from '../../protocol/inputLimits.ts';
import type { Dispatcher } from '../../protocol/link.ts';
import { isOperationName, operations } from '../../protocol/operations.ts';
import { failure } from '../../protocol/result.ts';
import { type CommandResult, dispatchCommand, toCommandResult } from '../commands.ts';
import type { PageEvents } from './pageEvents.ts';

export interface PageRequest {
  readonly method: string;
  /** The decoded path; it begins with a slash. */
  readonly path: string;
  readonly body: Buffer;
}

export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export interface PageSources {
  readonly link: Dispatcher;
  readonly events: Pick<PageEvents, 'after'>;
  readonly files: ReadonlyMap<string, DashboardFile>;
  readonly requestId: () => string;
}

const INVOKE_PREFIX = '/invoke/';
const EVENTS_PATH = '/events';

/** How long the body of a request to this path may be. */
export function bodyLimit(path: string): number {
  const name = path.startsWith(INVOKE_PREFIX) ? path.slice(INVOKE_PREFIX.length) : '';
  return isOperationName(name) ? inputLimit(name) : DEFAULT_INPUT_BYTES;
}

/** Never rejects for a request of the page. The answer to an operation is a `CommandResult`, also for a failure. */
export function pageAnswerer({
  link,
  events,
  files,
  requestId,
}: PageSources): (request: PageRequest) => Promise<PageAnswer> {
  return async ({ method, path, body }) => {
    if (method === 'POST' && path.startsWith(INVOKE_PREFIX)) {
      return json(await invoke(link, path, body, requestId()));
    }
    if (method === 'POST' && path === EVENTS_PATH) return json(await events.after(numberIn(path, body)));
    const file = method === 'GET' ? files.get(path) : undefined;
    if (file === undefined) return { status: 404, type: 'text/plain', body: Buffer.from('not found') };
    return { status: 200, type: file.type, body: path === '/' ? withPolicy(file.body) : file.body };
  };
}

/** A custom scheme has no headers, so the page itself contains its policy. */
function withPolicy(page: Buffer): Buffer {
  const policy = DASHBOARD_POLICY.replace(/; frame-ancestors [^;]+/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return Buffer.from(page.toString('utf8').replace('<head>', `<head>\n    ${meta}`));
}

async function invoke(
  link: Dispatcher,
  path: string,
  body: Buffer,
  requestId: string,
): Promise<CommandResult<unknown>> {
  try {
    const name = path.slice(INVOKE_PREFIX.length);
    if (!isOperationName(name)) throw new CompanionError('NOT_FOUND', 'There is no such operation.');
    const { ipc } = operations[name];
    return toCommandResult(
      await dispatchCommand(link, ipc, parseArguments(path, body), requestId),
      requestId,
    );
  } catch (thrown) {
    return toCommandResult(failure(thrown), requestId);
  }
}

function parseArguments(path: string, body: Buffer): unknown {
  const limit = bodyLimit(path);
  if (body.length > limit) {
    throw new CompanionError('BODY_TOO_LARGE', `The input must be at most ${inKib(limit)}.`);
  }
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new CompanionError('INVALID_REQUEST', 'The arguments are not JSON.');
  }
}

/** The number of the last event that the page received; 0 for anything else. */
function numberIn(path: string, body: Buffer): number {
  try {
    const { after } = Object(parseArguments(path, body)) as { after?: unknown };
    return Number.isSafeInteger(after) ? Number(after) : 0;
  } catch {
    return 0;
  }
}

const json = (value: unknown): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
});
