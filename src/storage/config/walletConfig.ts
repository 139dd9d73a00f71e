// The configuration of one wallet: the keys of each wallet stand in a file of its own, all other keys in the companion's
// config.json, which has those of the default wallet too. The main thread alone reads and writes these files.

import type { Source } from '@wallet-companion/chain/ports';
import type { Config, ConfigSnapshot } from '../../actors/wallet/ports/configFile.ts';
import { type OpenedConfigFile, openConfigFile } from './configFile.ts';
import { CONFIG_KEYS } from './configValues.ts';

/** The keys that each wallet has for itself. */
const WALLET_KEYS = [
  'backed_up_wallet',
  'last_scan_height',
  'last_scan_wallet',
  'last_scan_writes',
  'payment_writes',
  'follow',
  'follow_keep_open',
] as const satisfies (keyof Config)[];

const isWalletKey = (key: string): boolean => WALLET_KEYS.some((known) => known === key);

/** Whether the change is of this wallet alone. */
export const isOfOneWallet = (changes: Partial<Config>): boolean => Object.keys(changes).every(isWalletKey);

/**
 * The file in a wallet's folder, which may not exist before the first change. `overrides`: the flags, of which those for
 * these keys count. `INVALID_REQUEST` names file, line and key of what is wrong there.
 */
export const openWalletFile = (folder: string, overrides: Partial<Config> = {}): OpenedConfigFile =>
  openConfigFile({ configDir: folder, keys: WALLET_KEYS, overrides: partOf(overrides, true) });

export class WalletConfig {
  readonly #companion: OpenedConfigFile;
  readonly #own: OpenedConfigFile;

  constructor(companion: OpenedConfigFile, own: OpenedConfigFile) {
    this.#companion = companion;
    this.#own = own;
  }

  snapshot(): ConfigSnapshot {
    const own = this.#own.get();
    const ofKey = (key: keyof Config): OpenedConfigFile => (isWalletKey(key) ? this.#own : this.#companion);
    return {
      values: { ...this.#companion.get(), ...Object.fromEntries(WALLET_KEYS.map((key) => [key, own[key]])) },
      set: CONFIG_KEYS.filter((key) => ofKey(key).isSet(key)),
      namedNodes: this.#companion.namedNodes(),
    };
  }

  async update(changes: Partial<Config>, byOwner?: boolean): Promise<void> {
    for (const [file, isOwn] of [
      [this.#own, true],
      [this.#companion, false],
    ] as const) {
      const part = partOf(changes, isOwn);
      if (Object.keys(part).length > 0) await file.update(part, byOwner);
    }
  }

  chooseSource(source: Source): Promise<Source> {
    return this.#companion.chooseSource(source);
  }
}

const partOf = (config: Partial<Config>, isOwn: boolean): Partial<Config> =>
  Object.fromEntries(Object.entries(config).filter(([key]) => isWalletKey(key) === isOwn));
