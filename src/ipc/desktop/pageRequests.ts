// Answers the window's page when it requests companion://app/...: the dashboard's files, operations by name, and events.
// Every request comes from this page: only the window knows the scheme, and it never shows another page.

import { DEFAULT_INPUT_BYTES, inKib, isOtherWalletName } from '@wallet-companion/client/contract';
import type { DashboardFile } from '@wallet-companion/dashboard';
import { CompanionError } from '../../protocol/errors.ts';
import { inputLimit } from '../../protocol/inputLimits.ts';
import type { Dispatcher } from '../../protocol/link.ts';
import { isOperationName, operations } from '../../protocol/operations.ts';
import { readJson } from '../../protocol/readJson.ts';
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

/** `/invoke/OPERATION` and `/events`; for another wallet than the default one its name follows. */
const POSTED = /^\/(?:events|invoke\/(?<operation>[^/]*))(?:\/(?<wallet>[^/]*))?$/;

interface Posted {
  /** Undefined: events are asked for. */
  readonly operation: string | undefined;
  readonly wallet: string | undefined;
}

function postedTo(path: string): Posted | undefined {
  const found = POSTED.exec(path);
  const { operation, wallet } = found?.groups ?? {};
  const isOne = found !== null && (wallet === undefined || isOtherWalletName(wallet));
  return isOne ? { operation, wallet } : undefined;
}

/** How long the body of a request to this path may be. */
export function bodyLimit(path: string): number {
  const name = postedTo(path)?.operation ?? '';
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
    const posted = method === 'POST' ? postedTo(path) : undefined;
    if (posted !== undefined)
      return json(
        posted.operation === undefined
          ? await events.after(idIn(path, body), posted.wallet)
          : await invoke(link, path, posted.operation, body, requestId(), posted.wallet),
      );
    const file = method === 'GET' ? files.get(path) : undefined;
    if (file === undefined) return { status: 404, type: 'text/plain', body: Buffer.from('not found') };
    return {
      status: 200,
      type: file.type,
      body: file.type.startsWith('text/html') ? withPolicy(file) : file.body,
    };
  };
}

/** A custom scheme has no headers, so the page itself contains its policy. */
function withPolicy({ body, policy }: DashboardFile): Buffer {
  const own = policy.replace(/; frame-ancestors [^;]+/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${own}">`;
  return Buffer.from(body.toString('utf8').replace('<head>', `<head>\n    ${meta}`));
}

async function invoke(
  link: Dispatcher,
  path: string,
  name: string,
  body: Buffer,
  requestId: string,
  wallet: string | undefined,
): Promise<CommandResult<unknown>> {
  try {
    if (!isOperationName(name)) throw new CompanionError('NOT_FOUND', 'There is no such operation.');
    const { ipc } = operations[name];
    return toCommandResult(
      await dispatchCommand(link, ipc, parseArguments(path, body), requestId, wallet),
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
    return readJson(body.toString('utf8'));
  } catch {
    throw new CompanionError('INVALID_REQUEST', 'The arguments are not JSON.');
  }
}

/** The id of the last event that the page received; empty for anything else. */
function idIn(path: string, body: Buffer): string {
  try {
    const { after } = Object(parseArguments(path, body)) as { after?: unknown };
    return typeof after === 'string' ? after : '';
  } catch {
    return '';
  }
}

const json = (value: unknown): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
});
