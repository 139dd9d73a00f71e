// `last_scan_height`: config.json follows the note store after every commit, and the note store follows a user who edits it
// there. It stands beside the name of its wallet, since two data directories may share one configuration. So does the count
// of the payments' writes: both show that an old note store was restored.

import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '../../../protocol/errors.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { WalletHeader } from '../ports/walletFile.ts';
import type { Session } from '../session/session.ts';

/** What the user wrote before the wallet was made. */
interface WrittenHeight {
  readonly createdAt: string;
  readonly height: Height;
}

export class ScanHeight {
  readonly #environment: WalletEnvironment;
  #forNewWallet: WrittenHeight | undefined;

  constructor(environment: WalletEnvironment) {
    this.#environment = environment;
  }

  /** Null without a wallet. The value of config.json, even while a scan is ahead of it: it survives a crash. */
  shown(header: WalletHeader | undefined): number | null {
    if (!this.#mayExist()) return null;
    return Math.max(0, this.#written(header) ?? (header?.birthdayHeight ?? 1) - 1);
  }

  /** Called before a wallet is written: it must never use the scan height of an earlier wallet. */
  async begin({ birthdayHeight, createdAt }: WalletHeader): Promise<void> {
    this.#forNewWallet = this.#writtenByPerson(createdAt, birthdayHeight);
    if (this.#forNewWallet !== undefined) return;
    await this.#environment.configFile.update({
      last_scan_height: birthdayHeight - 1,
      last_scan_wallet: createdAt,
      last_scan_writes: 0,
      payment_writes: null,
    });
  }

  /**
   * Follows an edit of config.json; else config.json follows the note store. If neither can be written, both stay as they
   * are.
   */
  async match(session: Session): Promise<void> {
    const edited = this.#edited(session);
    try {
      if (edited !== undefined)
        session.noteStore.adoptEditedScanHeight(edited, session.scanKeys.heights.sapling);
      await this.export(session);
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'STORAGE_FAILED') throw error;
      this.#environment.logFault('wallet.match_scan_height', error);
    }
    await this.#matchPayments(session);
  }

  /** Unreadable payments are reported only when a caller asks for them. */
  async #matchPayments(session: Session): Promise<void> {
    const { header, payments, noteStore } = session;
    const { configFile, logFault } = this.#environment;
    try {
      await payments.countBeside({
        counted: () => (this.#isOf(header) ? configFile.get().payment_writes : null),
        count: async (payment_writes) => {
          if (!this.#isOf(header)) await this.export(session);
          await configFile.update({ payment_writes });
        },
        scannedTop: () => noteStore.scannedTop(),
      });
    } catch (error) {
      logFault('wallet.count_payments', error);
    }
  }

  /** The note store keeps the exported value, to recognise an edit; `later`: with the next blocks. */
  async export({ noteStore, header }: Session, when: 'now' | 'later' = 'now'): Promise<void> {
    const { configFile } = this.#environment;
    const config = configFile.get();
    const isOurs = this.#isOf(header);
    const isWritten = config.last_scan_height === noteStore.lastScanHeight && isOurs;
    const before = Math.max(noteStore.exportCount, config.last_scan_writes ?? 0);
    const writes = isWritten ? before : before + 1;
    if (!isWritten || config.last_scan_writes !== writes) {
      await configFile.update({
        last_scan_height: noteStore.lastScanHeight,
        last_scan_wallet: header.createdAt,
        last_scan_writes: writes,
        ...(isOurs ? {} : { payment_writes: null }),
      });
    }
    noteStore.markExported(writes, when);
  }

  /** The value that the user wrote there, if any. */
  #edited({ noteStore, header }: Session): number | undefined {
    // A new store after a loss has exported nothing, so the old height must not make it skip the chain.
    if (noteStore.isFresh)
      return this.#forNewWallet?.createdAt === header.createdAt ? this.#forNewWallet.height : undefined;
    const written = this.#written(header);
    if (written === null || written === noteStore.exportedScanHeight || written === noteStore.lastScanHeight)
      return undefined;
    // A count that differs means that one of the two files is older than the other: it was restored, or the process ended
    // between the two writes. Scanning again is safe then, skipping is not.
    const { last_scan_writes: writes } = this.#environment.configFile.get();
    const isOneFileOlder = writes !== null && writes !== noteStore.exportCount;
    return isOneFileOlder && written > noteStore.lastScanHeight ? undefined : written;
  }

  /** Written before there was a wallet, so no wallet is named. Below the birthday there is nothing to scan again. */
  #writtenByPerson(createdAt: string, birthdayHeight: Height): WrittenHeight | undefined {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#environment.configFile.get();
    return wallet === null && height !== null && height >= birthdayHeight ? { createdAt, height } : undefined;
  }

  /** The configuration can be shown in every state of the wallet file and its folder. */
  #mayExist(): boolean {
    try {
      return this.#environment.walletFile.exists();
    } catch {
      return true;
    }
  }

  #isOf({ createdAt }: WalletHeader): boolean {
    return this.#environment.configFile.get().last_scan_wallet === createdAt;
  }

  /** Null where config.json has none, or one of another wallet. */
  #written(header: WalletHeader | undefined): number | null {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#environment.configFile.get();
    return wallet === null || header === undefined || wallet === header.createdAt ? height : null;
  }
}
