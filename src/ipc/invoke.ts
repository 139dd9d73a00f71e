// The link by command name, for callers in the same process.

import type { Dispatcher } from '../protocol/link.ts';
import type { Arguments, Command, OperationOf } from '../protocol/operations.ts';
import { unwrap } from '../protocol/result.ts';
import { type CommandOutput, dispatchCommand } from './commands.ts';

/** Resolves with the operation's output; rejects with a `CompanionError`. */
export type Invoke = <C extends Command>(
  command: C,
  ...args: Arguments<OperationOf<C>>
) => Promise<CommandOutput<C>>;

/**
 * `invoke('lwd_info', {db_path: 'blocks.db'})`. `requestId` creates each call's id for the log; `wallet` names a wallet
 * other than the default one.
 */
export function createInvoke(link: Dispatcher, requestId: () => string, wallet?: string): Invoke {
  return async <C extends Command>(command: C, ...[args]: Arguments<OperationOf<C>>) =>
    unwrap(await dispatchCommand(link, command, args, requestId(), wallet)) as CommandOutput<C>;
}
