// Keeps which device signs for the wallet, and where it finds the keys, so that each payment need not ask.

import { MAX_HEIGHT } from '@wallet-companion/base/values';
import { isActive, type NetworkParameters } from '@wallet-companion/zcash/network';
import type { Input, Output } from '../../../protocol/operations.ts';
import { deviceOutlook } from '../payments/deviceLimits.ts';
import type { SigningDevice } from '../ports/walletFile.ts';
import { keepFacts } from '../session/keptFacts.ts';
import type { Session } from '../session/session.ts';
import { accountIndexOf, withFacts } from '../session/signerFacts.ts';
import type { WalletContext } from './walletContext.ts';

export async function keepDevice(
  { environment, params, sessions }: WalletContext,
  input: Input<'wallet.device'>,
): Promise<Output<'wallet.device'>> {
  const session = sessions.use(input.account);
  const { index } = session.account(input.account ?? 0);
  const { watchOnly } = session.header;
  await keepFacts(environment, session, withFacts(session.book, index, input, watchOnly));
  const { device, seedFingerprint } = session.book;
  const warning = outlookOf(device, params);
  return {
    device: deviceView(session),
    seed_fingerprint: seedFingerprint ?? null,
    account: index,
    account_index: accountIndexOf(session.account(index), watchOnly) ?? null,
    ...(warning === undefined ? {} : { warning }),
  };
}

export const outlookOf = (
  device: SigningDevice | undefined,
  { activation }: NetworkParameters,
): string | undefined => deviceOutlook(device, (upgrade) => isActive(activation, upgrade, MAX_HEIGHT));

export const deviceView = (session: Session | undefined): Output<'wallet.status'>['device'] => {
  const device = session?.book.device;
  return device === undefined ? null : { kind: device.kind, version: device.version ?? null };
};
