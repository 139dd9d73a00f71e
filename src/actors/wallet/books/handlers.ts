// The operations for bookkeeping: history, exports and past balances.

import { blockHashToHex } from '@wallet-companion/shielded/identifiers';
import { CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { blockTimeText } from '../../../protocol/timeText.ts';
import { INCOMING_ONLY_WARNING } from '../notes/scanReach.ts';
import type { WalletContext } from '../walletContext.ts';
import { heldAt } from './balanceAt.ts';
import { BlockTimes } from './blockTimes.ts';
import { exportPage, refuseOtherExportCursor } from './exportPage.ts';
import { lastSecondOf } from './instant.ts';

const UNCERTAIN_WARNING =
  'The node could not be asked whether there were further blocks by that date, so this is the balance after the last one that was scanned.';

export const bookHandlers = (context: WalletContext): FeatureHandlers<'books'> => ({
  'transactions.export': (input) => {
    refuseOtherExportCursor(input);
    const session = context.sessions.use(input.account);
    return exportPage(session.noteStore, input, session.account(0).keys.kind === 'full');
  },
  'balance.at': (input) => balanceAt(context, input),
});

async function balanceAt(
  { environment, params, sessions }: WalletContext,
  { height: given, date, account }: Input<'balance.at'>,
): Promise<Output<'balance.at'>> {
  if ((given === undefined) === (date === undefined)) throw eitherOr();
  const seconds = date === undefined ? undefined : lastSecondOf(date, environment.clock.now());
  const { noteStore } = sessions.use(account);
  const times = new BlockTimes(noteStore, environment.chain, params.activation.sapling);
  const found = seconds === undefined ? { height: given ?? 0, isCertain: true } : await times.lastBy(seconds);
  const block = await times.at(found.height);
  // The session may have ended during the request to the node.
  const session = sessions.use(account);
  const held = heldAt(session.noteStore, found.height, account);
  const warnings = [
    ...(found.isCertain ? [] : [UNCERTAIN_WARNING]),
    ...(session.account(0).keys.kind === 'full' ? [] : [INCOMING_ONLY_WARNING]),
  ];
  return {
    height: found.height,
    hash: block === null ? null : blockHashToHex(block.hash),
    time: block === null ? null : blockTimeText(block.time),
    ...held,
    complete: held.complete && found.isCertain,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
  };
}

const eitherOr = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'Give either height or date.', {
    errors: [
      { path: 'height', message: 'or date is needed, and not both' },
      { path: 'date', message: 'or height is needed, and not both' },
    ],
  });
