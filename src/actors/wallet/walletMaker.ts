// Makes the wallet: new, from a recovery phrase, or from a viewing key.

import { firstAddress } from '@wallet-companion/shielded/addresses';
import { generateMnemonic } from '@wallet-companion/shielded/keys';
import type { NetworkParameters } from '@wallet-companion/shielded/network';
import { CompanionError } from '../../protocol/errors.ts';
import type { Input, Output } from '../../protocol/operations.ts';
import { INCOMING_ONLY_WARNING } from './notes/scanReach.ts';
import type { WalletEnvironment } from './ports/walletEnvironment.ts';
import type { Sessions } from './session/sessions.ts';
import {
  draftFromPhrase,
  draftFromViewingKey,
  validMnemonic,
  validViewingKey,
  type WalletDraft,
} from './session/walletDraft.ts';
import { type Birthday, defaultBirthday, knownBirthday } from './sync/birthday.ts';

export class WalletMaker {
  readonly #environment: WalletEnvironment;
  readonly #params: NetworkParameters;
  readonly #sessions: Sessions;

  constructor(environment: WalletEnvironment, params: NetworkParameters, sessions: Sessions) {
    this.#environment = environment;
    this.#params = params;
    this.#sessions = sessions;
  }

  async create(input: Input<'wallet.create'>): Promise<Output<'wallet.create'>> {
    this.#refuseExisting();
    const birthday = await defaultBirthday(this.#environment, this.#params, input.birthday_height);
    const mnemonic = generateMnemonic(input.word_count ?? 24, this.#environment.randomBytes);
    const draft = this.#draft({ mnemonic, passphrase: '' }, birthday);
    return { mnemonic, ...(await this.#make(draft, input.password, [birthday.warning])) };
  }

  async restore(input: Input<'wallet.restore'>): Promise<Output<'wallet.restore'>> {
    const phrase = { mnemonic: validMnemonic(input.mnemonic), passphrase: input.bip39_passphrase ?? '' };
    const birthday = knownBirthday(this.#params, input, this.#environment.clock.now());
    this.#refuseExisting();
    const draft = this.#draft(phrase, birthday);
    return { ...(await this.#make(draft, input.password, [birthday.warning])), unlocked: true };
  }

  async importViewingKey(
    input: Input<'wallet.import_viewing_key'>,
  ): Promise<Output<'wallet.import_viewing_key'>> {
    const keys = validViewingKey(input.viewing_key, this.#params);
    const { clock } = this.#environment;
    const birthday = knownBirthday(this.#params, input, clock.now());
    this.#refuseExisting();
    const draft = draftFromViewingKey(keys, this.#params, birthday.birthdayHeight, clock);
    const warnings = [keys.kind === 'incoming' ? INCOMING_ONLY_WARNING : undefined, birthday.warning];
    return { ...(await this.#make(draft, input.password, warnings)), unlocked: true, kind: keys.kind };
  }

  #draft(phrase: Parameters<typeof draftFromPhrase>[0], { birthdayHeight }: Birthday): WalletDraft {
    return draftFromPhrase(phrase, this.#params, birthdayHeight, this.#environment.clock);
  }

  async #make(draft: WalletDraft, password: string, warnings: readonly (string | undefined)[]) {
    const { birthdayHeight, network } = draft.header;
    const session = await this.#sessions.begin(draft, password);
    const warning = warnings.filter((sentence) => sentence !== undefined).join(' ');
    return {
      unified_address: firstAddress(session.account(0).keys, this.#params, 0n).unifiedAddress,
      birthday_height: birthdayHeight,
      network,
      ...(warning === '' ? {} : { warning }),
    };
  }

  #refuseExisting(): void {
    if (!this.#environment.walletFile.exists()) return;
    throw new CompanionError(
      'WALLET_EXISTS',
      'A wallet exists already and was left untouched. Unlock it, or use another data directory.',
    );
  }
}
