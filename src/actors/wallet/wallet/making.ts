// Makes the wallet: new, from a recovery phrase, or from a viewing key.

import { firstAddress } from '@wallet-companion/zcash/addresses';
import { generateMnemonic } from '@wallet-companion/zcash/keys';
import { CompanionError } from '../../../protocol/errors.ts';
import type { HandledInput, Output } from '../../../protocol/operations.ts';
import { INCOMING_ONLY_WARNING } from '../noteViews/scanReach.ts';
import {
  draftFromPhrase,
  draftFromRecord,
  importedAccount,
  validMnemonic,
  validViewingKey,
  type WalletDraft,
} from '../session/walletDraft.ts';
import { type Birthday, defaultBirthday, knownBirthday } from '../sync/birthday.ts';
import { outlookOf } from './device.ts';
import { markBackedUp } from './removing.ts';
import type { WalletContext } from './walletContext.ts';

export async function createWallet(
  context: WalletContext,
  input: HandledInput<'wallet.create'>,
): Promise<Output<'wallet.create'>> {
  refuseExisting(context);
  const { environment, params } = context;
  const birthday = await defaultBirthday(environment, params, input.birthday_height);
  const mnemonic = generateMnemonic(input.word_count ?? 24, environment.randomBytes);
  const draft = draftOf(context, { mnemonic, passphrase: '', isNew: true }, birthday);
  return { mnemonic, ...(await make(context, draft, input.password, [birthday.warning])) };
}

export async function restoreWallet(
  context: WalletContext,
  input: HandledInput<'wallet.restore'>,
): Promise<Output<'wallet.restore'>> {
  const mnemonic = validMnemonic(input.mnemonic);
  const phrase = { mnemonic, passphrase: input.bip39_passphrase ?? '', isNew: false };
  const birthday = knownBirthday(context.params, input, context.environment.clock.now());
  refuseExisting(context);
  const draft = draftOf(context, phrase, birthday);
  const { header } = draft;
  const made = await make(context, draft, input.password, [birthday.warning]);
  // The user has just typed the phrase.
  await markBackedUp(context, header);
  const accounts_searched = context.sessions.current?.noteStore.accountsSearched ?? null;
  return { ...made, unlocked: true, accounts_searched, not_searched: NOT_SEARCHED };
}

const NOT_SEARCHED =
  'A scan looks at each account that has notes and at the one after them, and at no account behind that. What z_getnewaddress of zcashd gave out (account 2147483647) it does not look at: move that money with the program that has it.';

export async function importViewingKey(
  context: WalletContext,
  input: HandledInput<'wallet.import_viewing_key'>,
): Promise<Output<'wallet.import_viewing_key'>> {
  const { environment, params } = context;
  const keys = validViewingKey(input.viewing_key, params);
  const birthday = knownBirthday(params, input, environment.clock.now());
  refuseExisting(context);
  const { birthdayHeight } = birthday;
  const record = importedAccount(keys, params, { index: 0, birthdayHeight, name: input.name });
  const draft = draftFromRecord(record, input, params, environment.clock);
  const warnings = [
    keys.kind === 'incoming' ? INCOMING_ONLY_WARNING : undefined,
    birthday.warning,
    outlookOf(draft.book.device, params),
  ];
  return { ...(await make(context, draft, input.password, warnings)), unlocked: true, kind: keys.kind };
}

const draftOf = (
  { environment, params }: WalletContext,
  phrase: Parameters<typeof draftFromPhrase>[0],
  { birthdayHeight }: Birthday,
): WalletDraft => draftFromPhrase(phrase, params, birthdayHeight, environment.clock);

async function make(
  { sessions, params }: WalletContext,
  draft: WalletDraft,
  password: Uint8Array,
  warnings: readonly (string | undefined)[],
) {
  const { birthdayHeight, network } = draft.header;
  const session = await sessions.begin(draft, password);
  const warning = warnings.filter((sentence) => sentence !== undefined).join(' ');
  return {
    unified_address: firstAddress(session.account(0).keys, params, 0n).unifiedAddress,
    birthday_height: birthdayHeight,
    network,
    ...(warning === '' ? {} : { warning }),
  };
}

function refuseExisting({ environment }: WalletContext): void {
  if (!environment.walletFile.exists()) return;
  throw new CompanionError(
    'WALLET_EXISTS',
    'A wallet exists already and was left untouched. Unlock it, or use another data directory.',
  );
}
