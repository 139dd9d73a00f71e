// The commands in the forms that desktop frontends call: Electron's `ipcMain.handle(channel, (event, args))` and
// Tauri's `invoke(command, args)`. Both cross a process border where errors lose their fields, hence tagged results.

import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { Arguments, Command, OperationOf } from '../protocol/operations.ts';
import { failure } from '../protocol/result.ts';
import {
  type CommandOutput,
  type CommandResult,
  commands,
  dispatchCommand,
  fromCommandFailure,
  toCommandResult,
} from './commands.ts';
import type { Invoke } from './invoke.ts';

export interface HandleRegistry<Event> {
  handle(channel: string, listener: (event: Event, args?: unknown) => Promise<unknown>): void;
  removeHandler(channel: string): void;
}

export interface HandlerOptions<Event> {
  readonly link: Dispatcher;
  readonly requestId: () => string;
  /**
   * Whether the frame that sent the event is the application's own page (Electron: check `event.senderFrame.url`). A
   * window that has navigated to another page must not control the wallet. Anything but `true`, or a promise of it, is a
   * no, also an exception.
   */
  readonly isTrusted: (event: Event) => boolean | Promise<boolean>;
}

/**
 * Registers every command as a channel. Each answers with a `CommandResult`, never rejects. Returns the function that
 * removes the registration.
 */
export function registerHandlers<Event>(
  registry: HandleRegistry<Event>,
  { link, requestId, isTrusted }: HandlerOptions<Event>,
): () => void {
  for (const command of commands) {
    registry.handle(command, async (event, args) => {
      const id = requestId();
      if (!(await isTrue(isTrusted, event))) {
        const refusal = new CompanionError('ORIGIN_FORBIDDEN', 'This page may not command the wallet.');
        return toCommandResult(failure(refusal), id);
      }
      return toCommandResult(await dispatchCommand(link, command, args, id), id);
    });
  }
  return () => {
    for (const command of commands) registry.removeHandler(command);
  };
}

/** Without types a host may return anything, and a promise counts as true in a condition. */
async function isTrue<Event>(check: HandlerOptions<Event>['isTrusted'], event: Event): Promise<boolean> {
  try {
    return (await check(event)) === true;
  } catch {
    return false;
  }
}

/** Commands of a Tauri plugin arrive prefixed with its name. */
const PLUGIN_PREFIX = 'plugin:wallet-companion|';

/** One handler for every command: `(command, args) -> CommandResult`. Never rejects. */
export function commandHandler(
  link: Dispatcher,
  requestId: () => string,
): (command: string, args?: unknown) => Promise<CommandResult<unknown>> {
  return async (command, args) => {
    const id = requestId();
    const name = command.startsWith(PLUGIN_PREFIX) ? command.slice(PLUGIN_PREFIX.length) : command;
    return toCommandResult(await dispatchCommand(link, name, args, id), id);
  };
}

/**
 * The page's side: turns a transport that resolves with tagged results (`ipcRenderer.invoke`,
 * `window.__TAURI__...invoke`) into calls that resolve with the output or reject with a `CompanionError`.
 */
export function invokeThrough(transport: (command: string, args: unknown) => Promise<unknown>): Invoke {
  return async <C extends Command>(command: C, ...[args]: Arguments<OperationOf<C>>) => {
    const result = (await transport(command, args ?? {})) as CommandResult<CommandOutput<C>>;
    if (result.ok) return result.value;
    throw fromCommandFailure(result.error, result.retry_after_seconds);
  };
}
