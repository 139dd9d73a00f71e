// The configuration of a wallet beside the default one. The keys of each wallet stand in a config.json in its own folder,
// edited and written with the same care; all other keys are the companion's, which only the default wallet's thread
// writes. That thread sends them to this one whenever they change.

import type { Config, ConfigFile } from '../../actors/wallet/ports/configFile.ts';
import { type CarriedConfig, type CarryingConfigFile, openConfigFile } from './configFile.ts';

/** The keys that each wallet has for itself. */
export const WALLET_KEYS = [
  'backed_up_wallet',
  'last_scan_height',
  'last_scan_wallet',
  'last_scan_writes',
  'payment_writes',
  'follow',
  'follow_keep_open',
] as const satisfies (keyof Config)[];

const isWalletKey = (key: string): boolean => WALLET_KEYS.some((known) => known === key);

export interface WalletConfigOptions {
  /** The wallet's folder; may not exist before the first change. */
  readonly folder: string;
  readonly common: CarriedConfig;
  /** The flags for keys that each wallet has for itself. */
  readonly overrides: Partial<Config>;
  readonly carried?: CarriedConfig | undefined;
  /** Hands the first choice of a block source to the thread that may keep it. */
  readonly sourceChosen?: (source: Config['block_source']) => void;
}

/** Whether the other wallets need to know of a change. */
const isCommon = (change: Partial<Config>): boolean => Object.keys(change).some((key) => !isWalletKey(key));

/** `INVALID_REQUEST` names file, line and key of what is wrong in the wallet's own config.json. */
export function openWalletConfig(options: WalletConfigOptions): WalletConfigFile {
  return new WalletConfigFile(options);
}

export class WalletConfigFile implements CarryingConfigFile {
  readonly #own: CarryingConfigFile;
  readonly #sourceChosen: WalletConfigOptions['sourceChosen'];
  #common: ConfigFile;

  constructor({ folder, common, overrides, carried, sourceChosen }: WalletConfigOptions) {
    this.#sourceChosen = sourceChosen;
    this.#common = openCommon(common);
    this.#own = openConfigFile({
      configDir: folder,
      keys: WALLET_KEYS,
      overrides: Object.fromEntries(Object.entries(overrides).filter(([key]) => isWalletKey(key))),
      carried,
    });
  }

  /** Replaces the companion's configuration. */
  takeCommon(common: CarriedConfig): void {
    this.#common = openCommon(common);
  }

  carried(): CarriedConfig {
    return this.#own.carried();
  }

  get(): Config {
    const own = this.#own.get();
    return { ...this.#common.get(), ...Object.fromEntries(WALLET_KEYS.map((key) => [key, own[key]])) };
  }

  isSet(key: keyof Config): boolean {
    return isWalletKey(key) ? this.#own.isSet(key) : this.#common.isSet(key);
  }

  namedNodes(): string[] {
    return this.#common.namedNodes();
  }

  async update({ block_source: chosen, ...changes }: Partial<Config>): Promise<Config> {
    if (chosen !== undefined) this.#sourceChosen?.(chosen);
    if (isCommon(changes)) throw new Error("only the default wallet's thread writes what all wallets share");
    if (Object.keys(changes).length > 0) await this.#own.update(changes);
    return this.get();
  }

  /** An edit of a wallet's own keys takes effect at the next start. */
  reload(): Promise<Config> {
    return Promise.resolve(this.get());
  }
}

/** The default wallet's configuration file; `tell` gets its contents at once and after each change that other wallets need. */
export function configReportedTo(
  config: CarryingConfigFile,
  report: (common: CarriedConfig) => void,
): CarryingConfigFile {
  report(config.carried());
  const reporting = async (changing: Promise<Config>): Promise<Config> => {
    const changed = await changing;
    report(config.carried());
    return changed;
  };
  return {
    carried: () => config.carried(),
    get: () => config.get(),
    isSet: (key) => config.isSet(key),
    namedNodes: () => config.namedNodes(),
    update: (changes, byOwner) => {
      const changing = config.update(changes, byOwner);
      return isCommon(changes) ? reporting(changing) : changing;
    },
    reload: () => reporting(config.reload()),
  };
}

/** Nothing is read from a file, and nothing written. */
const openCommon = (carried: CarriedConfig): ConfigFile => openConfigFile({ configDir: '', carried });
