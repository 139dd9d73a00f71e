// `last_scan_height`: config.json follows the ledger after every commit, and the ledger follows a user who edits it
// there. It stands beside the wallet it is of, since two data directories may share one configuration.

import type { WalletEnvironment } from './environment.ts';
import type { Session } from './session.ts';
import type { WalletHeader } from './storage.ts';

export class ScanHeight {
  readonly #environment: Pick<WalletEnvironment, 'configFile' | 'walletFile'>;
  readonly #exported: () => void;

  /** `exported`: what config.json says may have changed. */
  constructor(environment: Pick<WalletEnvironment, 'configFile' | 'walletFile'>, exported: () => void) {
    this.#environment = environment;
    this.#exported = exported;
  }

  /** Null without a wallet. What config.json says, also while a scan is ahead of it: what was shown survives a crash. */
  shown(header: WalletHeader | undefined): number | null {
    if (!this.#mayExist()) return null;
    return Math.max(0, this.#written(header) ?? (header?.birthdayHeight ?? 1) - 1);
  }

  /** Before a wallet is written: it must never meet the scan height of one that was here before it. */
  async begin({ birthdayHeight, createdAt }: WalletHeader): Promise<void> {
    await this.#environment.configFile.update({
      last_scan_height: birthdayHeight - 1,
      last_scan_wallet: createdAt,
    });
  }

  /** Follows an edit of config.json; else config.json follows the ledger. */
  async match(session: Session): Promise<void> {
    const { ledger } = session;
    const written = this.#written(session.header);
    // Different from what the ledger last exported, and not what it was about to export: the user edited it. A store
    // that is new or was lost has exported nothing, so the old height must not make it skip the chain.
    const isEdit = written !== ledger.exportedScanHeight && written !== ledger.lastScanHeight;
    if (written !== null && isEdit && !ledger.isFresh) ledger.adoptEditedScanHeight(written);
    await this.export(session);
  }

  /** The ledger remembers what it exported, so that an edit can be told apart. */
  async export({ ledger, header }: Session): Promise<void> {
    const { configFile } = this.#environment;
    const { last_scan_height: height, last_scan_wallet: wallet } = configFile.get();
    if (height !== ledger.lastScanHeight || wallet !== header.createdAt) {
      await configFile.update({
        last_scan_height: ledger.lastScanHeight,
        last_scan_wallet: header.createdAt,
      });
    }
    ledger.markExported();
    this.#exported();
  }

  /** The configuration is shown whatever state the wallet file is in, and its folder too. */
  #mayExist(): boolean {
    try {
      return this.#environment.walletFile.exists();
    } catch {
      return true;
    }
  }

  /** Null where config.json says nothing, or speaks of another wallet. */
  #written(header: WalletHeader | undefined): number | null {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#environment.configFile.get();
    return wallet === null || header === undefined || wallet === header.createdAt ? height : null;
  }
}
