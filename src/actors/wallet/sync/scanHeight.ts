// `last_scan_height`: config.json follows the note store after every commit, and the note store follows a user who
// edits it there. It stands beside the wallet it is of, since two data directories may share one configuration. So does the
// count of the payments' writes: both tell a note store that was put back.

import type { Height } from '@wallet-companion/shielded/values';
import { CompanionError } from '../../../protocol/errors.ts';
import type { WalletHeader } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';

type ScanHeightEnvironment = Pick<WalletEnvironment, 'configFile' | 'walletFile' | 'logFault'>;

/** What a person wrote before the wallet was made. */
interface WrittenHeight {
  readonly createdAt: string;
  readonly height: Height;
}

export class ScanHeight {
  readonly #environment: ScanHeightEnvironment;
  #forNewWallet: WrittenHeight | undefined;

  constructor(environment: ScanHeightEnvironment) {
    this.#environment = environment;
  }

  /**
   * Null without a wallet. What config.json says, also while a scan is ahead of it: what was shown survives a crash.
   */
  shown(header: WalletHeader | undefined): number | null {
    if (!this.#mayExist()) return null;
    return Math.max(0, this.#written(header) ?? (header?.birthdayHeight ?? 1) - 1);
  }

  /** Before a wallet is written: it must never meet the scan height of one that was here before it. */
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
   * Follows an edit of config.json; else config.json follows the note store. A disk that takes neither shows what it
   * has.
   */
  async match(session: Session): Promise<void> {
    const edited = this.#edited(session);
    try {
      if (edited !== undefined) session.noteStore.adoptEditedScanHeight(edited);
      await this.export(session);
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'STORAGE_FAILED') throw error;
      this.#environment.logFault('wallet.match_scan_height', error);
    }
    await this.#matchPayments(session);
  }

  /** Payments that cannot be read are told of when somebody asks for them. */
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

  /** The note store remembers what it exported, so that an edit can be told apart; `later`: with its next blocks. */
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

  /** The value that a person wrote there, if one did. */
  #edited({ noteStore, header }: Session): number | undefined {
    // A store that was lost has exported nothing, so the old height must not make it skip the chain.
    if (noteStore.isFresh)
      return this.#forNewWallet?.createdAt === header.createdAt ? this.#forNewWallet.height : undefined;
    const written = this.#written(header);
    if (written === null || written === noteStore.exportedScanHeight || written === noteStore.lastScanHeight)
      return undefined;
    // A count that differs means that one of the two files is older than the other: it was put back, or the process
    // ended between the two. Scanning again is safe then, skipping is not.
    const { last_scan_writes: writes } = this.#environment.configFile.get();
    const isOneFileOlder = writes !== null && writes !== noteStore.exportCount;
    return isOneFileOlder && written > noteStore.lastScanHeight ? undefined : written;
  }

  /**
   * Written before there was a wallet: no program says whose it is. Below the birthday there is nothing to scan again.
   */
  #writtenByPerson(createdAt: string, birthdayHeight: Height): WrittenHeight | undefined {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#environment.configFile.get();
    return wallet === null && height !== null && height >= birthdayHeight ? { createdAt, height } : undefined;
  }

  /** The configuration is shown whatever state the wallet file is in, and its folder too. */
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

  /** Null where config.json says nothing, or speaks of another wallet. */
  #written(header: WalletHeader | undefined): number | null {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#environment.configFile.get();
    return wallet === null || header === undefined || wallet === header.createdAt ? height : null;
  }
}
