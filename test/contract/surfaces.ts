// Every way of calling the companion, reduced to one: an operation and its input in, its outcome out. Each drives the
// real front over whatever link it is given.

import { MessageChannel } from 'node:worker_threads';
import { createClient } from '@wallet-companion/client';
import { type Problem, requestTo, toProblem } from '@wallet-companion/client/contract';
import { CODE_NUMBERS } from '../../scripts/generate/codeNumbers.ts';
import type { CommandResult } from '../../src/ipc/commands.ts';
import { invokeThrough, registerHandlers } from '../../src/ipc/handlers.ts';
import { createInvoke, type Invoke } from '../../src/ipc/invoke.ts';
import { type ChannelPort, portLink, servePort } from '../../src/ipc/messagePort.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import { CompanionError, ERRORS } from '../../src/protocol/errors.ts';
import type { Link } from '../../src/protocol/link.ts';
import { type Command, type OperationName, operations } from '../../src/protocol/operations.ts';
import type { Result } from '../../src/protocol/result.ts';
import { CliProcess, commandLine, temporaryFolder } from '../helpers/cliProcess.ts';
import { koffi, missingCompiler, openLibrary } from '../helpers/companionLibrary.ts';
import { startHttpFront } from '../helpers/httpFront.ts';

/** A problem without the id of its request, which is each call's own. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Omit<Problem, 'request_id'> };

export interface Surface {
  call(name: OperationName, input: object): Promise<Outcome>;
}

/** Whoever opens a surface closes it again, the last thing first. */
export interface Owner {
  teardown(close: () => unknown): void;
}

export interface SurfaceKind {
  readonly name: string;
  /** Why it cannot run here. */
  readonly missing?: string | undefined;
  /** `wallet`: another one than the default one. */
  open(owner: Owner, link: Link, wallet?: string): Promise<Surface>;
}

const succeeded = (value: unknown): Outcome => ({ ok: true, value });

function failed(problem: Problem): Outcome {
  const { request_id: requestId, ...rest } = problem;
  if (typeof requestId !== 'string' || requestId === '') throw new Error('a problem without its request id');
  return { ok: false, problem: rest };
}

const ofResult = (result: Result<unknown>): Outcome =>
  result.ok ? succeeded(result.value) : failed(toProblem(result.error, 'link'));

async function ofCall(call: Promise<unknown>): Promise<Outcome> {
  try {
    return succeeded(await call);
  } catch (thrown) {
    if (!(thrown instanceof CompanionError)) throw thrown;
    return failed(toProblem(thrown.toRecord(), 'rejection'));
  }
}

const http: SurfaceKind = {
  name: 'HTTP',
  async open(owner, link, wallet) {
    const front = await startHttpFront({ behind: link });
    owner.teardown(() => front.close());
    return {
      async call(name, input) {
        const { method, path: route } = operations[name].http;
        const path = wallet === undefined ? route : route.replace('/api/', `/api/wallets/${wallet}/`);
        const { target, body: sent } = requestTo(method, path, input);
        const response = await (method === 'GET' ? front.get(target) : front.post(target, sent));
        const body: unknown = await response.json();
        if (response.status === (operations[name].http.status ?? 200)) return succeeded(body);
        const problem = body as Problem;
        if (response.status !== problem.status) throw new Error(`${response.status} says ${problem.status}`);
        return failed(problem);
      },
    };
  },
};

const client: SurfaceKind = {
  name: 'TypeScript client',
  async open(owner, link, wallet) {
    const front = await startHttpFront({ behind: link });
    owner.teardown(() => front.close());
    const companion = createClient({ baseUrl: front.url });
    const { call } = wallet === undefined ? companion : companion.inWallet(wallet);
    return {
      call: (name, input) => ofCall((call as (name: string, input: object) => Promise<unknown>)(name, input)),
    };
  },
};

const commandLineSurface: SurfaceKind = {
  name: 'command line',
  async open(owner, link, wallet) {
    const cli = new CliProcess({ behind: link });
    const folder = temporaryFolder(owner);
    const named = wallet === undefined ? [] : ['--wallet', wallet];
    return {
      async call(name, input) {
        const { code, stdout } = await cli.run(...commandLine(name, input, folder), '--json', ...named);
        const body: unknown = JSON.parse(stdout);
        if (code === 0) return succeeded(body);
        const problem = body as Problem;
        const expected = ERRORS[problem.code].exit;
        if (code !== expected) throw new Error(`exit code ${code}, not ${expected}`);
        return failed(problem);
      },
    };
  },
};

const throughInvoke = (invoke: Invoke): Surface['call'] => {
  const call = invoke as (command: Command, input: object) => Promise<unknown>;
  return (name, input) => ofCall(call(operations[name].ipc as Command, input));
};

const inProcess: SurfaceKind = {
  name: 'in-process IPC',
  async open(_owner, link, wallet) {
    return { call: throughInvoke(createInvoke(link, () => 'in-process', wallet)) };
  },
};

const desktop: SurfaceKind = {
  name: 'desktop handle and invoke',
  async open(_owner, link) {
    const handlers = new Map<string, (event: string, args?: unknown) => Promise<unknown>>();
    registerHandlers<string>(
      {
        handle: (channel, listener) => void handlers.set(channel, listener),
        removeHandler: (channel) => void handlers.delete(channel),
      },
      { link, requestId: () => 'desktop', isTrusted: (page) => page === 'app://own' },
    );
    const transport = async (command: string, args: unknown): Promise<unknown> => {
      const result = await handlers.get(command)?.('app://own', structuredClone(args));
      return structuredClone(result) as CommandResult<unknown>;
    };
    return { call: throughInvoke(invokeThrough(transport)) };
  },
};

const throughLink =
  (link: Pick<Link, 'dispatch'>, wallet: string | undefined): Surface['call'] =>
  async (name, input) =>
    ofResult(
      await link.dispatch(name, input, { requestId: 'link', ...(wallet === undefined ? {} : { wallet }) }),
    );

const messagePort: SurfaceKind = {
  name: 'MessagePort',
  async open(owner, link, wallet) {
    const { port1, port2 } = new MessageChannel();
    owner.teardown(servePort(port1 as unknown as ChannelPort, link, () => 'port'));
    const remote = portLink(port2 as unknown as ChannelPort);
    owner.teardown(() => remote.close());
    return { call: throughLink(remote, wallet) };
  },
};

async function socketFor(owner: Owner, link: Link): Promise<{ dataDir: string; file: string }> {
  const dataDir = temporaryFolder(owner);
  const file = socketPath(dataDir);
  const serving = await serveSocket({ link, path: file, requestId: () => 'socket' });
  owner.teardown(() => serving.close());
  return { dataDir, file };
}

const socket: SurfaceKind = {
  name: 'private socket',
  async open(owner, link, wallet) {
    const { file } = await socketFor(owner, link);
    const remote = createSocketLink(file);
    owner.teardown(() => remote.close());
    return { call: throughLink(remote, wallet) };
  },
};

const library: SurfaceKind = {
  name: 'C library',
  missing: missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined),
  async open(owner, link, wallet) {
    const { dataDir } = await socketFor(owner, link);
    const handle = await openLibrary({ dataDir, ...(wallet === undefined ? {} : { wallet }) });
    if (!('close' in handle)) throw new Error(JSON.stringify(handle));
    owner.teardown(() => handle.close());
    return {
      async call(operation, input) {
        const { code, answer } = await handle.call(operation, input);
        if (code === 0) return succeeded(answer);
        const problem = answer as Problem;
        if (code !== CODE_NUMBERS[problem.code]) throw new Error(`number ${code} for ${problem.code}`);
        return failed(problem);
      },
    };
  },
};

/** What cannot name another wallet than the default one: a window shows that one. */
export const DEFAULT_WALLET_ONLY: readonly SurfaceKind[] = [desktop];

export const surfaces: readonly SurfaceKind[] = [
  http,
  client,
  commandLineSurface,
  inProcess,
  desktop,
  messagePort,
  socket,
  library,
];
