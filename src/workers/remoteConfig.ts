// A wallet thread's view of the configuration. The main thread owns the files and sends each change before it answers.

import type { Source } from '@wallet-companion/chain/ports';
import type { Config, ConfigFile, ConfigSnapshot } from '../actors/wallet/ports/configFile.ts';
import { unwrap } from '../protocol/result.ts';
import type { MainChannel } from './threadMethods.ts';

export class RemoteConfig implements ConfigFile {
  readonly #main: () => MainChannel;
  #snapshot: ConfigSnapshot;

  constructor(snapshot: ConfigSnapshot, main: () => MainChannel) {
    this.#snapshot = snapshot;
    this.#main = main;
  }

  /** The main thread sent another. */
  take(snapshot: ConfigSnapshot): void {
    this.#snapshot = snapshot;
  }

  get(): Config {
    return this.#snapshot.values;
  }

  isSet(key: keyof Config): boolean {
    return this.#snapshot.set.includes(key);
  }

  namedNodes(): string[] {
    return [...this.#snapshot.namedNodes];
  }

  async update(changes: Partial<Config>, byOwner?: boolean): Promise<Config> {
    unwrap(await this.#main().call('updateConfig', { changes, byOwner }));
    return this.get();
  }

  async chooseSource(source: Source): Promise<Source> {
    return unwrap(await this.#main().call('chooseSource', source));
  }
}
